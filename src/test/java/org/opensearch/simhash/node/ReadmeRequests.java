/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The requests of a Markdown file, in order. A fenced block {@code console} holds requests as the OpenSearch documentation
 * writes them: a line {@code PUT /path}, then the body. A block {@code json answer} shows what the request before it answers;
 * it may leave things out, and {@code "..."} stands for any value. Lines of a block {@code sh} that start with {@code curl}
 * are requests too.
 */
final class ReadmeRequests {

    private static final Pattern BLOCK =
            Pattern.compile("^```(console|json answer|sh)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern REQUEST = Pattern.compile("^(GET|POST|PUT|DELETE|HEAD) (/\\S*)$");

    /**
     * @param line of the file, counted from 1
     * @param curl the command, null for a request in console form
     * @param answer what the README says comes back, null when it says nothing
     */
    record Request(int line, String method, String path, String body, String curl, Object answer) {}

    private ReadmeRequests() {}

    static List<Request> parse(String markdown) {
        List<Request> requests = new ArrayList<>();
        Matcher block = BLOCK.matcher(markdown);
        while (block.find()) {
            int line = (int) markdown.substring(0, block.start(2)).lines().count() + 1;
            switch (block.group(1)) {
                case "console" -> addConsole(block.group(2), line, requests);
                case "sh" -> addCurls(block.group(2), line, requests);
                default -> {
                    Request last = requests.removeLast();
                    Object answer = Json.parse(block.group(2));
                    requests.add(new Request(last.line, last.method, last.path, last.body, last.curl, answer));
                }
            }
        }
        return requests;
    }

    private static void addConsole(String text, int firstLine, List<Request> requests) {
        List<String> lines = text.lines().toList();
        int i = 0;
        while (i < lines.size()) {
            Matcher request = REQUEST.matcher(lines.get(i));
            if (request.matches() == false) {
                if (lines.get(i).isBlank() == false) {
                    throw new IllegalArgumentException(
                            "line " + (firstLine + i) + " starts no request: " + lines.get(i));
                }
                i++;
                continue;
            }
            int start = i++;
            var body = new StringBuilder();
            while (i < lines.size() && REQUEST.matcher(lines.get(i)).matches() == false) {
                if (lines.get(i).isBlank() == false) {
                    body.append(lines.get(i)).append('\n');
                }
                i++;
            }
            String sent = body.isEmpty() ? null : body.toString();
            requests.add(new Request(firstLine + start, request.group(1), request.group(2), sent, null, null));
        }
    }

    private static void addCurls(String text, int firstLine, List<Request> requests) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("curl ")) {
                int start = i;
                var command = new StringBuilder(lines.get(i));
                while (lines.get(i).endsWith("\\")) {
                    command.append('\n').append(lines.get(++i));
                }
                requests.add(new Request(firstLine + start, null, null, null, command.toString(), null));
            }
        }
    }

    /** Whether everything that {@code shown} says is so in {@code actual}, which may say more. */
    static boolean agrees(Object shown, Object actual) {
        if ("...".equals(shown)) {
            return actual != null;
        }
        return switch (shown) {
            case Map<?, ?> object ->
                object.entrySet().stream()
                        .allMatch(entry ->
                                actual instanceof Map<?, ?> map && agrees(entry.getValue(), map.get(entry.getKey())));
            case List<?> array ->
                actual instanceof List<?> list
                        && list.size() == array.size()
                        && IntStream.range(0, list.size()).allMatch(i -> agrees(array.get(i), list.get(i)));
            case Number number -> actual instanceof Number other && number.doubleValue() == other.doubleValue();
            case null -> actual == null;
            default -> shown.equals(actual);
        };
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** A bulk request to a corpus, with each id once, and what came of it. */
final class Bulk {

    private static final String PARTS = "filter_path=items.*._id,items.*.status,items.*.result,items.*.error.type";

    private final Corpus corpus;
    private final String action;
    private final StringBuilder lines = new StringBuilder();
    private final Map<String, Optional<Text>> writes = new LinkedHashMap<>();
    private final Set<String> updates = new HashSet<>();
    private int fillers;

    /** @param action of the pipeline that it goes through, {@code none} for no pipeline */
    Bulk(Corpus corpus, String action) {
        this.corpus = corpus;
        this.action = action;
    }

    void put(String id, Text text) {
        writes.put(id, Optional.of(text));
        line("index", id);
        lines.append(Json.write(source(id, text))).append('\n');
    }

    /** The same text, by an update of the document, or as a new one. */
    void update(String id, Text text) {
        writes.put(id, Optional.of(text));
        updates.add(id);
        line("update", id);
        Map<String, Object> update = Map.of("doc", source(id, text), "doc_as_upsert", true, "detect_noop", false);
        lines.append(Json.write(update)).append('\n');
    }

    private Map<String, Object> source(String id, Text text) {
        Map<String, Object> source = corpus.source(text);
        source.put(Corpus.OWNERS, List.of(id));
        return source;
    }

    void delete(String id) {
        writes.put(id, Optional.empty());
        line("delete", id);
    }

    /** A document that only takes its time. */
    void fill(String id, String source) {
        fillers++;
        line("index", id);
        lines.append(source).append('\n');
    }

    /** The texts that it writes. */
    List<Text> texts() {
        return writes.values().stream().flatMap(Optional::stream).toList();
    }

    boolean isEmpty() {
        return writes.isEmpty();
    }

    boolean has(String id) {
        return writes.containsKey(id);
    }

    private void line(String kind, String id) {
        lines.append("{\"").append(kind).append("\":{\"_id\":\"").append(id).append("\"}}\n");
    }

    /** Sends it and notes what was answered, which it returns. */
    List<Operation> send(RestClient client, History history) {
        long request = history.nextRequest();
        long sent = history.now();
        Optional<Answer> answer = answer(client);
        long answered = history.now();
        Map<Object, Object> items = new HashMap<>();
        answer.filter(Answer::ok).ifPresent(ok -> {
            for (Object item : (List<?>) ok.at("items")) {
                Object result = ((Map<?, ?>) item).values().iterator().next();
                items.put(Json.at(result, "_id"), result);
            }
        });
        boolean wrote = fillers > 0
                || writes.entrySet().stream().anyMatch(write -> {
                    Outcome outcome = outcome(write.getKey(), write.getValue(), items.get(write.getKey()));
                    return outcome != Outcome.DROPPED && outcome != Outcome.REFUSED;
                });
        String how = action
                + (fillers > 0 ? ", long" : "")
                + answer.filter(any -> any.ok() == false)
                        .map(failed -> ", HTTP " + failed.status())
                        .orElse("");
        List<Operation> operations = new ArrayList<>();
        writes.forEach((id, text) -> {
            Object item = items.get(id);
            Outcome outcome = outcome(id, text, item);
            long end = outcome == Outcome.UNKNOWN ? Operation.OPEN : answered;
            String error = outcome == Outcome.UNKNOWN && item != null ? ", " + item : "";
            operations.add(new Operation(
                    request, corpus.index(), id, text.orElse(null), sent, end, outcome, wrote, how + error));
        });
        history.add(operations);
        return operations;
    }

    private Optional<Answer> answer(RestClient client) {
        try {
            String path = "/" + corpus.index() + "/_bulk?pipeline=" + corpus.pipeline(action) + "&" + PARTS;
            return Optional.of(client.send("POST", path, lines.toString()));
        } catch (UncheckedIOException killed) {
            return Optional.empty();
        }
    }

    private Outcome outcome(String id, Optional<Text> text, Object item) {
        if (item == null) {
            return Outcome.UNKNOWN;
        }
        int status = ((Number) Json.at(item, "status")).intValue();
        if (text.isEmpty()) {
            return status == 200 || (status == 404 && "not_found".equals(Json.at(item, "result")))
                    ? Outcome.GONE
                    : Outcome.UNKNOWN;
        }
        if (status == 409 && updates.contains(id) == false) {
            return Outcome.REFUSED;
        }
        if (status >= 300) {
            return Outcome.UNKNOWN;
        }
        return "noop".equals(Json.at(item, "result")) ? Outcome.DROPPED : Outcome.STORED;
    }
}

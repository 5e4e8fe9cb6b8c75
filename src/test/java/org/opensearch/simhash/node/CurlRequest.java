/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a {@code curl} line sends, of as much of curl and of the shell as the README needs. */
record CurlRequest(String method, String path, String body) {

    private static final String NODE = "localhost:9200";

    /** A word is quoted or has no white space; a backslash ends a line. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|([^\\s'\\\\]+)");

    /** @param folder where the files are whose names stand behind {@code @} */
    static CurlRequest parse(String line, Path folder) {
        Matcher words = WORD.matcher(line);
        String method = null;
        String path = null;
        String body = null;
        next(words);
        while (words.find()) {
            String word = word(words);
            switch (word) {
                case "-X" -> method = next(words);
                case "-H" -> next(words);
                case "-d" -> body = body(next(words), folder);
                default -> {
                    if (word.startsWith(NODE) == false) {
                        throw new IllegalArgumentException("neither an option nor an address that is known: " + word);
                    }
                    path = word.substring(NODE.length());
                }
            }
        }
        return new CurlRequest(method == null ? body == null ? "GET" : "POST" : method, path, body);
    }

    private static String next(Matcher words) {
        if (words.find() == false) {
            throw new IllegalArgumentException("a word is missing at the end");
        }
        return word(words);
    }

    private static String word(Matcher words) {
        return words.group(1) == null ? words.group(2) : words.group(1);
    }

    private static String body(String data, Path folder) {
        if (data.startsWith("@") == false) {
            return data;
        }
        try {
            return Files.readString(folder.resolve(data.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

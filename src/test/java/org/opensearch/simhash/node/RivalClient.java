/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Writes to an index while something else rewrites it: new documents, documents in the place of others, updates of another field and
 * of the text, deletes. Knows which text each document has in the end. One thread.
 */
final class RivalClient implements Runnable {

    private static final int BULK = 20;
    private static final int KINDS = 5;

    private final RestClient client;
    private final String index;
    private final MigratedTexts texts;
    private final int documents;
    private final Random random;
    private final Map<String, Integer> changed = new TreeMap<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private int fresh;
    private volatile boolean isStopped;

    /** @param documents that the index has, of the numbers from 0 on, each with the text of its number */
    RivalClient(RestClient client, String index, MigratedTexts texts, int documents, long seed) {
        this.client = client;
        this.index = index;
        this.texts = texts;
        this.documents = documents;
        this.random = new Random(seed);
    }

    void stop() {
        isStopped = true;
    }

    /** What was done, by kind. */
    Map<String, Long> counts() {
        return counts;
    }

    boolean hasChanged(String id) {
        return changed.containsKey(id);
    }

    /** Numbers of the texts of all documents by id, as the index must have them in the end. */
    Map<String, Integer> expected() {
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < documents; i++) {
            expected.put("" + i, i);
        }
        changed.forEach((id, text) -> {
            if (text == null) {
                expected.remove(id);
            } else {
                expected.put(id, text);
            }
        });
        return expected;
    }

    @Override
    public void run() {
        while (isStopped == false) {
            bulk();
            update();
        }
    }

    private void bulk() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < BULK; i++) {
            String id = "" + random.nextInt(documents);
            int number = random.nextInt(documents);
            switch (random.nextInt(KINDS)) {
                case 0 -> {
                    index("new-" + fresh++, number, lines);
                    count("new");
                }
                case 1, 2 -> {
                    index(id, number, lines);
                    count("written again");
                }
                case 3 -> {
                    if (isDeleted(id) == false) {
                        lines.append("{\"update\": {\"_id\": \"" + id + "\", \"retry_on_conflict\": 10}}\n")
                                .append("{\"doc\": {\"title\": \"" + number + "\"}}\n");
                        count("title updated");
                    }
                }
                default -> {
                    lines.append(line("delete", id));
                    changed.put(id, null);
                    count("deleted");
                }
            }
        }
        Answer answer =
                client.must("POST", "/" + index + "/_bulk?filter_path=items.*.error,items.*.status", lines.toString());
        if (answer.text().contains("\"error\"")) {
            throw new IllegalStateException(answer.text());
        }
    }

    /** A single update, which runs the pipeline on the whole document. */
    private void update() {
        String id = "" + random.nextInt(documents);
        if (isDeleted(id)) {
            return;
        }
        int number = random.nextInt(documents);
        client.must(
                "POST",
                "/" + index + "/_update/" + id + "?retry_on_conflict=10",
                Json.write(Map.of("doc", Map.of("body", texts.text(number)))));
        changed.put(id, number);
        count("text updated");
    }

    private boolean isDeleted(String id) {
        return changed.containsKey(id) && changed.get(id) == null;
    }

    private void index(String id, int number, StringBuilder lines) {
        lines.append(line("index", id))
                .append(Json.write(Map.of("title", "" + number, "body", texts.text(number))))
                .append('\n');
        changed.put(id, number);
    }

    private static String line(String action, String id) {
        return "{\"" + action + "\": {\"_id\": \"" + id + "\"}}\n";
    }

    private void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }
}

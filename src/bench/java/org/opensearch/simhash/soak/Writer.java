/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Adds, changes and deletes documents of its own in bulk requests, and keeps the ledger of them. */
final class Writer implements Actor.Deed {

    private static final int BULK = 50;
    private static final int MOST = 1_200;

    private final String name;
    private final Texts texts;
    private final Ledger ledger;
    private final Run run;
    private final RandomGenerator random;
    /** Ids that may be written. */
    private final List<String> ids = new ArrayList<>();
    /** Ids whose last write was not answered, with the mark of then. */
    private final Map<String, Long> inDoubt = new LinkedHashMap<>();

    private int next;

    /** @param name before the numbers of its documents */
    Writer(String name, Texts texts, Ledger ledger, Run run, RandomGenerator random) {
        this.name = name;
        this.texts = texts;
        this.ledger = ledger;
        this.run = run;
        this.random = random;
    }

    @Override
    public void act(RestClient client) {
        writeAgainWhatCannotHappenAnyMore();
        Map<String, Optional<String>> writes = choose();
        var lines = new StringBuilder();
        writes.forEach((id, text) -> {
            lines.append(Json.write(Map.of(text.isPresent() ? "index" : "delete", Map.of("_id", id))))
                    .append('\n');
            text.ifPresent(content ->
                    lines.append(Json.write(Map.of("content", content))).append('\n'));
        });
        long mark = run.outages().mark();
        try {
            note(client.must("POST", "/" + Run.INDEX + "/_bulk", lines.toString()), writes, mark);
        } catch (IllegalStateException | UncheckedIOException e) {
            writes.keySet().forEach(id -> doubt(id, mark));
            throw e;
        }
    }

    private void writeAgainWhatCannotHappenAnyMore() {
        inDoubt.entrySet().removeIf(doubt -> run.outages().over(doubt.getValue()) && ids.add(doubt.getKey()));
    }

    /** Texts by id, none to delete the document. */
    private Map<String, Optional<String>> choose() {
        Map<String, Optional<String>> writes = new LinkedHashMap<>();
        while (writes.size() < BULK) {
            if (ids.size() + inDoubt.size() < MOST) {
                String id = name + next++;
                ids.add(id);
                writes.put(id, Optional.of(text()));
            } else {
                String id = ids.get(random.nextInt(ids.size()));
                writes.put(id, random.nextInt(3) == 0 ? Optional.empty() : Optional.of(text()));
            }
        }
        return writes;
    }

    /** Every second one is a copy of another with some edits. */
    private String text() {
        String earlier = ids.isEmpty() ? null : ledger.stored().get(ids.get(random.nextInt(ids.size())));
        return earlier == null || random.nextBoolean() ? texts.fresh(random) : texts.edited(earlier, random);
    }

    private void note(Answer answer, Map<String, Optional<String>> writes, long mark) {
        for (Object item : (List<?>) answer.at("items")) {
            Object result = ((Map<?, ?>) item).values().iterator().next();
            String id = (String) Json.at(result, "_id");
            int status = ((Number) Json.at(result, "status")).intValue();
            Optional<String> text = writes.get(id);
            // What a job has deleted is not found.
            if (status < 300 || (text.isEmpty() && status == 404)) {
                text.ifPresentOrElse(content -> ledger.stored(id, content), () -> ledger.deleted(id));
                run.findings().count(text.isPresent() ? "written" : "deleted", 1);
            } else {
                doubt(id, mark);
                run.findings().check(run.outages().since(mark), "refused: " + item);
            }
        }
    }

    private void doubt(String id, long mark) {
        ledger.doubt(id);
        ids.remove(id);
        inDoubt.put(id, mark);
        run.findings().count("in doubt", 1);
    }
}

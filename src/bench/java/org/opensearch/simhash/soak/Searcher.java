/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Searches a point in time for what is near to a fingerprint or a text, and expects no more and no less than is there. */
final class Searcher implements Actor.Deed {

    private static final int[] DISTANCES = {0, 1, 3, 3, 3, 4, 7, 10, 16, 24, 32, 64};
    private static final int SEARCHES = 10;
    private static final int FLIPS = 12;

    private final Texts texts;
    private final Run run;
    private final RandomGenerator random;

    Searcher(Texts texts, Run run, RandomGenerator random) {
        this.texts = texts;
        this.run = run;
        this.random = random;
    }

    @Override
    public void act(RestClient client) {
        try (Snapshot snapshot = Snapshot.open(client, Run.INDEX)) {
            run.findings().count("snapshots", 1);
            for (int i = 0; i < SEARCHES && snapshot.documents().isEmpty() == false; i++) {
                int maxDistance = DISTANCES[random.nextInt(DISTANCES.length)];
                List<Stored> documents = snapshot.documents();
                Stored document = documents.get(random.nextInt(documents.size()));
                if (random.nextBoolean()) {
                    long bits = edited(document);
                    var query = Map.<String, Object>of("hash", HexFormat.of().toHexDigits(bits));
                    snapshot.check(query, maxDistance, other -> other.distance(bits), run.findings());
                } else {
                    String text = texts.edited(document.text(), random);
                    Stored asked = fingerprint(client, text);
                    var query = Map.<String, Object>of("text", text, "pipeline", Run.PIPELINE);
                    snapshot.check(query, maxDistance, other -> other.distance(asked), run.findings());
                }
            }
        }
    }

    /** What the pipeline makes of a text. */
    static Stored fingerprint(RestClient client, String text) {
        Answer answer = client.must(
                "POST", "/_plugins/_simhash/fingerprint", Json.write(Map.of("pipeline", Run.PIPELINE, "text", text)));
        return new Stored(null, text, answer.string("hash"), answer.string("digest"), null);
    }

    /** The fingerprint of the document with some bits flipped, any when it has none. */
    private long edited(Stored document) {
        long bits = document.hash() == null ? random.nextLong() : Stored.bits(document.hash());
        for (int flips = random.nextInt(FLIPS + 1); flips > 0; flips--) {
            bits ^= 1L << random.nextInt(Long.SIZE);
        }
        return bits;
    }
}

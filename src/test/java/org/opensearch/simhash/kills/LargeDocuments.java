/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Json;

/** Documents that take a node a while. Nothing is near to them. Safe for use by several threads. */
final class LargeDocuments {

    private static final int TEXTS = 20;
    private static final int VOCABULARY = 5_000;

    private final List<String> texts = new ArrayList<>();

    LargeDocuments(int words, RandomGenerator random) {
        for (int i = 0; i < TEXTS; i++) {
            List<String> text = new ArrayList<>();
            for (int word = 0; word < words; word++) {
                text.add("w" + random.nextInt(VOCABULARY));
            }
            texts.add(String.join(" ", text));
        }
    }

    /** The JSON of one. */
    String next(RandomGenerator random) {
        long bits = random.nextLong();
        String fingerprint = Json.write(Text.fingerprint(bits));
        return "{\"content\":\"" + texts.get(random.nextInt(TEXTS)) + "\",\"simhash\":" + fingerprint + "}";
    }
}

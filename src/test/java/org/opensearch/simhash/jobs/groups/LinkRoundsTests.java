/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;

/** Groups are made where links do not fit, and no pair is compared again and again. */
public class LinkRoundsTests extends DeletingTestCase {

    /** With several fingerprints each: each one is near all of the other document. */
    public void testTheLinksOfOneDocumentNeedNotFit() throws IOException {
        createIndex(INDEX);
        for (int id = 1; id <= 2; id++) {
            List<Map<String, Object>> prints = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                for (int j = 0; j < i; j++) {
                    prints.add(Map.of("bits", (1L << i) | (1L << j) | (1L << (30 + id)), "scheme", "v1-a"));
                }
            }
            client().prepareIndex(INDEX)
                    .setId("" + id)
                    .setSource(Map.of("simhash", prints))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        allow("16kb");
        try {
            JobResponse response = run("{\"max_distance\":6}", Float.POSITIVE_INFINITY, 100);
            assertEquals(1, response.count("duplicates"));
        } finally {
            allow(null);
        }
    }

    /** A template page with small differences: each is near nearly each. The join compares all, then the rounds do. */
    public void testEachPairIsComparedTwiceAtMost() throws IOException {
        int count = 3_000;
        createIndex(INDEX);
        BulkRequestBuilder bulk = client().prepareBulk();
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            for (int flips = randomIntBetween(3, 8); flips > 0; flips--) {
                values[i] ^= 1L << randomInt(63);
            }
            bulk.add(client().prepareIndex(INDEX)
                    .setId("" + i)
                    .setSource(Map.of("simhash", Map.of("bits", values[i], "scheme", "v1-a"))));
        }
        assertFalse(bulk.get().hasFailures());
        client().admin().indices().prepareRefresh(INDEX).get();
        int size = randomFrom(2, 50, 1_000);
        int distance = randomFrom(8, 12, 16);
        allow("1mb");
        try {
            JobResponse response = run(
                    "{\"max_distance\":" + distance + ",\"max_group_size\":" + size + "}",
                    Float.POSITIVE_INFINITY,
                    100);
            assertEquals(groups(values, distance, size), response.count("groups"));
            assertEquals(pairs(values, distance), response.count("pairs"));
            long compared = response.count("pairs_compared");
            assertTrue("all pairs: " + compared, compared <= 2.1 * count * (count - 1) / 2);
        } finally {
            allow(null);
        }
    }

    private static long pairs(long[] values, int distance) {
        long pairs = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < i; j++) {
                pairs += Long.bitCount(values[i] ^ values[j]) <= distance ? 1 : 0;
            }
        }
        return pairs;
    }

    /** How many there are: in the order of their ids each takes those that are free and near, as many as there is room for. */
    private static int groups(long[] values, int distance, int size) {
        boolean[] taken = new boolean[values.length];
        int groups = 0;
        for (int i = 0; i < values.length; i++) {
            int members = 0;
            Set<Long> equal = new HashSet<>(Set.of(values[i]));
            for (int j = i + 1; j < values.length && taken[i] == false; j++) {
                if (taken[j] == false
                        && Long.bitCount(values[i] ^ values[j]) <= distance
                        && (members < size - 1 || equal.contains(values[j]))) {
                    taken[j] = true;
                    equal.add(values[j]);
                    members++;
                }
            }
            groups += members > 0 ? 1 : 0;
        }
        return groups;
    }
}

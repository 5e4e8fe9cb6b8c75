/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * How unevenly documents share the values of a segment of their fingerprints: what a probe of the index has to read.
 *
 * @param expected size of the bucket of a document, averaged over documents and segments: 1 when all values differ
 * @param largest bucket of any segment
 */
record Buckets(double expected, int largest) {

    private static final int SEGMENTS = 4;

    static Buckets of(Fingerprints fingerprints) {
        SegmentLayout layout = new SegmentLayout(SEGMENTS);
        Map<String, Integer> sizes = new HashMap<>();
        long documents = 0;
        for (int i = 0; i < fingerprints.size(); i++) {
            if (fingerprints.isPresent(i)) {
                documents++;
                String[] terms = layout.terms(fingerprints.bits(i));
                for (int segment = 0; segment < SEGMENTS; segment++) {
                    sizes.merge(segment + ":" + terms[segment], 1, Integer::sum);
                }
            }
        }
        double squares = sizes.values().stream()
                .mapToDouble(size -> (double) size * size)
                .sum();
        int largest = sizes.values().stream().max(Integer::compare).orElse(0);
        return new Buckets(documents == 0 ? 0 : squares / documents / SEGMENTS, largest);
    }
}

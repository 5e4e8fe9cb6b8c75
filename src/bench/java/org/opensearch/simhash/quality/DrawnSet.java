/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.FeatureList;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Vocabulary;
import org.opensearch.simhash.core.text.SourceTexts;

/**
 * A data set whose fingerprints are made again by another hash or with other weights.
 *
 * @param ours what the processor makes
 * @param features of each document
 */
record DrawnSet(DataSet set, Truth truth, Fingerprints ours, List<FeatureList> features) {

    static DrawnSet of(
            DataSet set, Truth truth, Fingerprints ours, Fingerprinter fingerprinter, Vocabulary vocabulary) {
        List<FeatureList> features = IntStream.range(0, set.documents().size())
                .parallel()
                .mapToObj(i -> {
                    SourceTexts texts = SourceTexts.of(set.documents().get(i).text(), set.language());
                    return FeatureList.of(texts, fingerprinter, vocabulary);
                })
                .toList();
        return new DrawnSet(set, truth, ours, features);
    }

    /** What {@link FeatureList#bits} makes of each document that has bits. */
    Fingerprints draw(long[] hashes, double[] factors, IntToDoubleFunction byCount) {
        return ours.withBits(features.parallelStream()
                .mapToLong(document -> document.bits(hashes, factors, byCount))
                .toArray());
    }
}

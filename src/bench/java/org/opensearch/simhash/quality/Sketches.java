/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;

/** What the processor {@code minhash} makes of a data set: the distance is the number of components that differ. */
final class Sketches implements Distances {

    /** Null for a document with too few features. */
    private final Sketch[] sketches;

    private final String[] digests;
    private final BandLayout layout;

    private Sketches(int size, BandLayout layout) {
        this.sketches = new Sketch[size];
        this.digests = new String[size];
        this.layout = layout;
    }

    static Sketches of(DataSet set, Fingerprinter sketcher) {
        Sketches made = new Sketches(set.documents().size(), sketcher.recipe().bandLayout());
        IntStream.range(0, made.sketches.length).parallel().forEach(i -> {
            SourceTexts texts = SourceTexts.of(set.documents().get(i).text(), set.language());
            var text = sketcher.sketch(texts, bytes -> {});
            made.sketches[i] = text.sketch().orElse(null);
            made.digests[i] = text.digest();
        });
        return made;
    }

    /** Of an estimated similarity. */
    int distance(double similarity) {
        return layout.permutations() - Sketch.leastAgreeing(similarity, layout.permutations());
    }

    /** The estimated similarity of a distance. */
    double similarity(int distance) {
        return Sketch.similarity(layout.permutations() - distance, layout.permutations());
    }

    /** Whether two documents are found by a band, or by equal digests. */
    boolean share(int a, int b) {
        if (sketches[a] == null || sketches[b] == null) {
            return digests[a].equals(digests[b]);
        }
        Set<String> bands = new HashSet<>(Arrays.asList(layout.terms(sketches[a])));
        return Arrays.stream(layout.terms(sketches[b])).anyMatch(bands::contains);
    }

    @Override
    public int largest() {
        return layout.permutations() - 1;
    }

    @Override
    public int of(int a, int b) {
        if (sketches[a] == null || sketches[b] == null) {
            return digests[a].equals(digests[b]) ? 0 : layout.permutations();
        }
        return layout.permutations() - sketches[a].agreeing(sketches[b]);
    }
}

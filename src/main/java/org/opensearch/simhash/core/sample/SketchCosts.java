/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.sample;

import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.JoinBands;

/**
 * The costs of sketches. Compares the drawn documents with a sample of all documents, band by band: about 2 million
 * comparisons. One thread.
 *
 * <p>A search looks up the rarest bands. Here the first bands stand for them, so a real search may have fewer
 * candidates.
 */
public final class SketchCosts implements SearchCosts {

    private static final long COMPARISONS = 2_000_000;

    /** The probability with which a search may miss a document. */
    private static final double MISSING = 1e-5;

    /** Nanoseconds of a join: to sort a document by a band, to compare two documents. */
    private static final double SORT = 230;

    private static final double COMPARE = 60;

    private final BandLayout layout;
    private final Draw draw;
    private final double[] weights;
    private final long documents;
    private final int step;
    /** By band: weights of pairs that share it and none before. */
    private final double[] first;
    /** By the number of components of a band: weights of pairs that share one. */
    private final double[] joined = new double[JoinBands.MOST_ROWS + 1];

    private int next;
    private double compared;

    /**
     * @param layout by which the documents are cut into bands
     * @param documents the expected number
     */
    public SketchCosts(BandLayout layout, Draw draw, long documents) {
        this.layout = layout;
        this.draw = draw;
        this.weights = draw.bands().weights();
        this.documents = documents;
        this.step = (int) Math.max(1, documents * draw.documents().size() / COMPARISONS);
        this.first = new double[layout.bands()];
    }

    @Override
    public void add(Document document) {
        if (next++ % step != 0 || isCut(document) == false) {
            return;
        }
        for (int i = 0; i < weights.length; i++) {
            Document other = draw.documents().get(i);
            if (other.address() != document.address() && isCut(other)) {
                compare(document.bits(), other.bits(), weights[i]);
            }
        }
    }

    private boolean isCut(Document document) {
        return document.bits()[0] == layout.permutations();
    }

    private void compare(long[] a, long[] b, double weight) {
        compared += weight;
        for (int band = 0; band < layout.bands(); band++) {
            if (agree(a, b, band, layout.rows(), 0xf)) {
                first[band] += weight;
                break;
            }
        }
        for (int rows = 1; rows < joined.length; rows++) {
            for (int band = 0; band < layout.permutations() / rows; band++) {
                if (agree(a, b, band, rows, 0xff)) {
                    joined[rows] += weight;
                    break;
                }
            }
        }
    }

    private static boolean agree(long[] a, long[] b, int band, int rows, int mask) {
        for (int i = band * rows; i < (band + 1) * rows; i++) {
            if (((SketchSteps.component(a, 0, i) ^ SketchSteps.component(b, 0, i)) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public double candidates(int step) {
        double sharing = 0;
        int bands = layout.sufficient(SketchSteps.estimate(step), MISSING);
        for (int band = 0; band < bands; band++) {
            sharing += first[band];
        }
        return compared == 0 ? 0 : documents * sharing / compared;
    }

    /** Of compared pairs, those that share a band; one counts as often as it shares one. */
    private double share(JoinBands bands) {
        return joined[bands.length()] * bands.count() * bands.length() / layout.permutations();
    }

    @Override
    public double joinNanos(int step) {
        JoinBands bands = JoinBands.of(SketchSteps.estimate(step), layout.permutations());
        double pairs = compared == 0 ? 0 : share(bands) * documents / 2.0 * documents / compared;
        return SORT * documents * bands.count() + COMPARE * pairs;
    }
}

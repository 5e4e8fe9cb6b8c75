/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Steps;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.Nearness;
import org.opensearch.simhash.calibrate.sample.SearchCosts;
import org.opensearch.simhash.calibrate.sample.SketchCosts;
import org.opensearch.simhash.calibrate.sample.SketchSteps;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.SketchScan;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.fingerprint.SketchKind;

/** Estimated similarity of sketches, from 1 down. */
record SimilarityScale() implements Scale, Steps {

    /** An estimate of 0.7: a pair with a similarity of 0.8 has that and more 998 of 1,000 times. */
    private static final int DEFAULT = 6;

    @Override
    public Nearness nearness() {
        return new SketchSteps();
    }

    @Override
    public Steps steps() {
        return this;
    }

    @Override
    public String within(int step) {
        return "from an estimate of " + name(step) + " on";
    }

    @Override
    public String nearest() {
        return "an estimate of 1";
    }

    @Override
    public int mostOfJobs() {
        return nearness().last();
    }

    @Override
    public int byDefault() {
        return DEFAULT;
    }

    @Override
    public String value() {
        return SketchFields.SKETCH;
    }

    @Override
    public String rows() {
        return "estimates";
    }

    @Override
    public String rowName() {
        return "estimate";
    }

    @Override
    public String jobOption() {
        return "min_similarity";
    }

    @Override
    public Number name(int step) {
        return SketchSteps.estimate(step);
    }

    @Override
    public void describe(int step, CalibratedIndices indices, Map<String, Object> row) {
        row.put("share_a_band", Answer.rounded(indices.bands().recall(SketchSteps.estimate(step))));
    }

    @Override
    public void writeJob(XContentBuilder json, int step) throws IOException {
        json.field("sketch", SketchKind.MINHASH.toString());
        json.field("min_similarity", SketchSteps.estimate(step));
    }

    @Override
    public String ofShortTexts() {
        return "a character measure is the right choice for them, because one word that differs changes most shingles."
                + " A sketch has nothing but shingles: fingerprints may tell such texts better.";
    }

    @Override
    public Reader reader(PointInTime pointInTime, String field, JobTask task) {
        SketchScan scan = new SketchScan(pointInTime, field, List.of());
        return new Reader() {
            @Override
            public long read(QueryBuilder query, Consumer<Document> documents) {
                DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
                scan.readSketches(
                        query,
                        (address, sketch, stratum) -> rows.add(address, stratum, SketchSteps.value(sketch)),
                        task::read);
                return rows.end();
            }

            @Override
            public Map<String, Long> schemes() {
                return scan.schemes();
            }
        };
    }

    @Override
    public SearchCosts costs(CalibratedIndices indices, Draw draw, long documents, long seed) {
        return new SketchCosts(indices.bands(), draw, documents);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Steps;
import org.opensearch.simhash.calibrate.sample.BitDistance;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.FingerprintCosts;
import org.opensearch.simhash.calibrate.sample.FingerprintSample;
import org.opensearch.simhash.calibrate.sample.Nearness;
import org.opensearch.simhash.calibrate.sample.SearchCosts;
import org.opensearch.simhash.calibrate.sample.SegmentSharing;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.FingerprintPages;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.match.MaxDistance;

/**
 * Bits of distance between fingerprints.
 *
 * @param last the largest distance
 */
record DistanceScale(int last) implements Scale, Steps {

    @Override
    public Nearness nearness() {
        return new BitDistance(last);
    }

    @Override
    public Steps steps() {
        return this;
    }

    @Override
    public String within(int step) {
        return step == 1 ? "within 1 bit" : "within " + step + " bits";
    }

    @Override
    public String nearest() {
        return "equal fingerprints";
    }

    @Override
    public int mostOfJobs() {
        return DeduplicateOptions.MAX_DISTANCE;
    }

    @Override
    public int byDefault() {
        return MaxDistance.DEFAULT_VERIFIED;
    }

    @Override
    public String value() {
        return FingerprintFields.BITS;
    }

    @Override
    public String rows() {
        return "distances";
    }

    @Override
    public String rowName() {
        return "distance";
    }

    @Override
    public String jobOption() {
        return "max_distance";
    }

    @Override
    public Number name(int step) {
        return step;
    }

    @Override
    public void describe(int step, CalibratedIndices indices, Map<String, Object> row) {}

    @Override
    public void writeJob(XContentBuilder json, int step) throws IOException {
        json.field("max_distance", step);
    }

    @Override
    public String ofShortTexts() {
        return "a large distance with a character measure is the right choice for them, because one word that differs"
                + " changes many bits and most shingles.";
    }

    @Override
    public Reader reader(PointInTime pointInTime, String field, JobTask task) {
        FingerprintPages scan = new FingerprintPages(pointInTime, field, List.of(), Chunks.WHOLE, Wanted.ALL);
        return new Reader() {
            @Override
            public long read(QueryBuilder query, Consumer<Document> documents) {
                DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
                scan.read(query, null, rows, task::read);
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
        return new FingerprintCosts(new SegmentSharing(indices.layout(), draw, documents), new FingerprintSample(seed));
    }
}

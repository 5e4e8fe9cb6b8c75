/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Steps;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.Nearness;
import org.opensearch.simhash.calibrate.sample.SearchCosts;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.fingerprint.SketchKind;

/** In which steps documents are near: bits of distance between fingerprints, or estimated similarity of sketches. */
interface Scale {

    static Scale of(CalibrateOptions options) {
        return options.kind() == SketchKind.MINHASH ? new SimilarityScale() : new DistanceScale(options.maxDistance());
    }

    Nearness nearness();

    Steps steps();

    /** The part of the object that is compared. */
    String value();

    /** The part of the answer that has a row for each step. */
    String rows();

    /** The part of a row, and the option of a job, that names the step. */
    String rowName();

    String jobOption();

    /** The step by that name. */
    Number name(int step);

    /** Adds the values of this kind to the row of a step. */
    void describe(int step, CalibratedIndices indices, Map<String, Object> row);

    /** Options of a job. */
    void writeJob(XContentBuilder json, int step) throws IOException;

    /** The sentence about short texts in an answer. */
    String ofShortTexts();

    /** Reads the documents that a query matches. */
    interface Reader {

        /** Returns the number of documents. */
        long read(QueryBuilder query, Consumer<Document> documents);

        /** Documents by scheme, of the last reading. */
        Map<String, Long> schemes();
    }

    Reader reader(PointInTime pointInTime, String field, JobTask task);

    /** @param documents the expected number */
    SearchCosts costs(CalibratedIndices indices, Draw draw, long documents, long seed);
}

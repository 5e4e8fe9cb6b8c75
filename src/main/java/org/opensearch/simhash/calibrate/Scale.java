/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Steps;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.FingerprintCosts;
import org.opensearch.simhash.calibrate.sample.Nearness;
import org.opensearch.simhash.calibrate.sample.SearchCosts;
import org.opensearch.simhash.calibrate.sample.SketchCosts;
import org.opensearch.simhash.calibrate.sample.SketchSteps;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.NearJoin.RowSink;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.FingerprintPages;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.SketchScan;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.fingerprint.SketchKind;

/**
 * What differs between fingerprints, which are near by bits of distance, and sketches, which are near by estimated similarity.
 *
 * @param value the part of the object that is compared
 * @param rows the part of the answer that has a row for each step
 * @param rowName the part of a row that names the step
 * @param jobOption the option of a job that names it
 * @param noun for one value
 * @param shortTexts the end of a sentence about short texts
 */
record Scale(
        Steps steps,
        Nearness nearness,
        String value,
        String rows,
        String rowName,
        String jobOption,
        String noun,
        String shortTexts,
        Reading reading,
        Costs costs) {

    /** Opens a reader. */
    interface Reading {

        Reader of(PointInTime pointInTime, String field, JobTask task);
    }

    /**
     * @param read the documents that a query matches; returns their number
     * @param schemes documents by scheme, of the last reading
     */
    record Reader(ToLongBiFunction<QueryBuilder, Consumer<Document>> read, Supplier<Map<String, Long>> schemes) {}

    interface Costs {

        /** @param documents the expected number */
        SearchCosts of(CalibratedIndices indices, Draw draw, long documents, long seed);
    }

    static Scale of(CalibrateOptions options) {
        return options.kind() == SketchKind.MINHASH ? similarities() : distances(options.maxDistance());
    }

    private static Scale distances(int last) {
        return new Scale(
                Steps.OF_BITS,
                new Nearness.Bits(last),
                FingerprintFields.BITS,
                "distances",
                "distance",
                "max_distance",
                "fingerprint",
                "a large distance with a character measure is the right choice for them, because one word that differs"
                        + " changes many bits and most shingles.",
                Scale::fingerprints,
                (indices, draw, documents, seed) -> new FingerprintCosts(indices.layout(), draw, documents, seed));
    }

    private static Scale similarities() {
        return new Scale(
                Steps.OF_SKETCHES,
                new SketchSteps(),
                SketchFields.SKETCH,
                "estimates",
                "estimate",
                "min_similarity",
                "sketch",
                "a character measure is the right choice for them, because one word that differs changes most shingles."
                        + " A sketch has nothing but shingles: fingerprints may tell such texts better.",
                Scale::sketches,
                (indices, draw, documents, seed) -> new SketchCosts(indices.bands(), draw, documents));
    }

    private static Reader fingerprints(PointInTime pointInTime, String field, JobTask task) {
        FingerprintPages scan =
                new FingerprintPages(pointInTime, field, SketchKind.SIMHASH, List.of(), Chunks.WHOLE, Wanted.ALL);
        return new Reader(
                (query, documents) -> {
                    DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
                    scan.read(query, null, rows, task::read);
                    return rows.end();
                },
                scan::schemes);
    }

    private static Reader sketches(PointInTime pointInTime, String field, JobTask task) {
        SketchScan scan = new SketchScan(pointInTime, field, field + "." + SketchFields.SCHEME, List.of());
        return new Reader(
                (query, documents) -> {
                    DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
                    scan.readSketches(
                            query,
                            (address, sketch, stratum) -> rows.add(address, stratum, SketchSteps.value(sketch)),
                            task::read);
                    return rows.end();
                },
                scan::schemes);
    }

    /** Joins the rows of a scan into documents. The rows of a document follow each other. One thread. */
    private static final class DocumentRows implements RowSink {

        private static final int CHECKED = 1_024;

        private final Consumer<Document> documents;
        private final Runnable check;
        private long address;
        private long[] bits = new long[4];
        private int[] strata = new int[4];
        private int length;
        private int size;
        private long count;

        /** @param check runs now and then; if it throws, the scan ends */
        DocumentRows(Consumer<Document> documents, Runnable check) {
            this.documents = documents;
            this.check = check;
        }

        @Override
        public void stratum(int stratum, int guard, long key) {}

        @Override
        public void add(long ofDocument, long fingerprint, long digest, int stratum) {
            reserve(ofDocument, 1);
            bits[size] = fingerprint;
            strata[size++] = stratum;
        }

        /** Leaves out a value that is not as long as the document's first one. */
        void add(long ofDocument, int stratum, long[] value) {
            if (reserve(ofDocument, value.length)) {
                System.arraycopy(value, 0, bits, size * length, length);
                strata[size++] = stratum;
            }
        }

        private boolean reserve(long ofDocument, int longs) {
            if (size > 0 && address != ofDocument) {
                flush();
            }
            address = ofDocument;
            if (size == 0) {
                length = longs;
            }
            if (size == strata.length) {
                strata = Arrays.copyOf(strata, 2 * size);
            }
            if ((size + 1) * length > bits.length) {
                bits = Arrays.copyOf(bits, 2 * (size + 1) * length);
            }
            return length == longs;
        }

        /** A document without bits has no distance to others. */
        @Override
        public void addWithoutBits(long ofDocument, long digest, int stratum) {}

        /** Call it after the last row. Returns the number of documents. */
        long end() {
            flush();
            return count;
        }

        private void flush() {
            if (size == 0) {
                return;
            }
            documents.accept(new Document(address, Arrays.copyOf(bits, size * length), Arrays.copyOf(strata, size)));
            size = 0;
            if (++count % CHECKED == 0) {
                check.run();
            }
        }
    }
}

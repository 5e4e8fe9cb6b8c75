/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.RowSink;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.DensityTable;
import org.opensearch.simhash.core.sample.Document;
import org.opensearch.simhash.core.sample.DocumentDraw;
import org.opensearch.simhash.core.sample.Draw;
import org.opensearch.simhash.core.sample.Nearness;
import org.opensearch.simhash.core.sample.Surroundings;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.FingerprintPages;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PointInTime;

/** Reads all prints of a point in time three times: to measure the density, to draw documents, to look around these. */
final class Readings {

    private static final int TIMES = 3;

    private final PointInTime pointInTime;
    private final JobTask task;
    private final CalibrateOptions options;
    private final Scale scale;

    private final FingerprintPages pages;
    private final QueryBuilder query;
    private final long expected;
    private final Account memory;
    private DensityTable densities;
    private Draw draw;
    private Surroundings surroundings;
    private long fingerprinted;

    Readings(
            PointInTime pointInTime,
            JobTask task,
            CalibrateOptions options,
            Scale scale,
            QueryBuilder documents,
            String field,
            Account memory) {
        this.pointInTime = pointInTime;
        this.task = task;
        this.options = options;
        this.scale = scale;
        this.memory = memory;
        Prints prints = scale.steps().areSketches() ? SketchedPairs.SKETCHES : Prints.FINGERPRINTS;
        this.pages = new FingerprintPages(pointInTime, field, prints, List.of(), Chunks.WHOLE, Wanted.ALL);
        this.query = new BoolQueryBuilder().filter(documents).filter(JobQuery.exists(field + "." + scale.value()));
        this.expected = pointInTime.count(query);
    }

    void read() {
        task.enter(Phase.SCAN, TIMES * expected);
        memory.take(DensityTable.bytes(expected));
        densities = new DensityTable(expected);
        fingerprinted = read(densities::add);
        DocumentDraw drawing = new DocumentDraw(densities, options.sampleSize(), options.seed(), memory);
        read(drawing::add);
        draw = drawing.draw();
        int pairs = options.pairsPerDistance();
        Nearness nearness = scale.nearness();
        memory.take(Surroundings.bytes(draw, nearness.last(), pairs));
        surroundings = new Surroundings(draw, densities, nearness, pairs, options.seed());
        read(surroundings::add);
    }

    private long read(Consumer<Document> documents) {
        DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
        pages.read(query, rows, task::read);
        return rows.end();
    }

    long expected() {
        return expected;
    }

    long fingerprinted() {
        return fingerprinted;
    }

    Map<String, Long> schemes() {
        return pages.schemes();
    }

    Draw draw() {
        return draw;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    long[] drawn() {
        return draw.documents().stream().mapToLong(Document::address).toArray();
    }

    long[] some(int limit) {
        long[] drawn = drawn();
        int step = Math.max(1, drawn.length / limit);
        return IntStream.range(0, Math.min(limit, drawn.length))
                .mapToLong(i -> drawn[i * step])
                .toArray();
    }

    PointInTime pointInTime() {
        return pointInTime;
    }

    /** Joins the rows of a scan into documents. The rows of a document follow each other. One thread. */
    static final class DocumentRows implements RowSink {

        private static final int CHECKED = 1_024;

        private final Consumer<Document> documents;
        private final Runnable check;
        private long address;
        private long[] bits = new long[4];
        private int[] strata = new int[4];
        private int length;
        private int size;
        private long count;

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
        @Override
        public void addWords(long ofDocument, long hash, long digest, int stratum, long[] words, int at) {
            if (reserve(ofDocument, words.length)) {
                System.arraycopy(words, 0, bits, size * length, length);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.sample.DensityTable;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.calibrate.sample.DocumentDraw;
import org.opensearch.simhash.calibrate.sample.Draw;
import org.opensearch.simhash.calibrate.sample.FingerprintSample;
import org.opensearch.simhash.calibrate.sample.SegmentSharing;
import org.opensearch.simhash.calibrate.sample.Surroundings;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.FingerprintScan;
import org.opensearch.simhash.deduplicate.scan.MappedExistsQueryBuilder;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.memory.Account;

/**
 * Reads all fingerprints of a point in time three times: to measure the density, to draw documents, to look around these. Keeps
 * no fingerprints. One thread, which blocks.
 */
final class Readings {

    private static final int TIMES = 3;

    private final PointInTime pointInTime;
    private final JobTask task;
    private final CalibrateOptions options;
    private final FingerprintScan scan;
    private final QueryBuilder query;
    private final long expected;
    private final Account memory;
    private Draw draw;
    private Surroundings surroundings;
    private SegmentSharing sharing;
    private FingerprintSample some;
    private long fingerprinted;
    private long scanNanos;

    /** @param documents a query, looked up */
    Readings(
            PointInTime pointInTime,
            JobTask task,
            CalibrateOptions options,
            QueryBuilder documents,
            String field,
            Account memory) {
        this.pointInTime = pointInTime;
        this.task = task;
        this.options = options;
        this.memory = memory;
        this.scan = new FingerprintScan(pointInTime, field, List.of(), Chunks.WHOLE, Wanted.ALL);
        this.query = new BoolQueryBuilder()
                .filter(documents)
                .filter(new MappedExistsQueryBuilder(field + "." + FingerprintFields.BITS));
        this.expected = pointInTime.count(query);
    }

    void read(SegmentLayout layout) {
        task.enter(Phase.SCAN, TIMES * expected);
        memory.take(DensityTable.bytes(expected));
        DensityTable densities = new DensityTable(expected);
        memory.take(FingerprintSample.BYTES);
        some = new FingerprintSample(options.seed());
        fingerprinted = read(document -> {
            some.add(document);
            for (long bits : document.bits()) {
                densities.add(bits);
            }
        });
        DocumentDraw drawing = new DocumentDraw(densities, options.sampleSize(), options.seed(), memory);
        read(drawing::add);
        draw = drawing.draw();
        memory.take(Surroundings.bytes(draw.documents().size(), options.maxDistance(), options.pairsPerDistance()));
        surroundings =
                new Surroundings(draw, densities, options.maxDistance(), options.pairsPerDistance(), options.seed());
        sharing = new SegmentSharing(layout, draw, fingerprinted);
        read(document -> {
            surroundings.add(document);
            sharing.add(document);
        });
    }

    private long read(Consumer<Document> documents) {
        long start = System.nanoTime();
        DocumentRows rows = new DocumentRows(documents, task::ensureNotCancelled);
        scan.read(query, null, rows, task::read);
        rows.end();
        if (surroundings == null) {
            scanNanos += System.nanoTime() - start;
        }
        return rows.count();
    }

    /** The number of documents with a fingerprint, before they are read. */
    long expected() {
        return expected;
    }

    long fingerprinted() {
        return fingerprinted;
    }

    /** Documents by scheme. */
    Map<String, Long> schemes() {
        return scan.schemes();
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

    double candidates(int distance) {
        return sharing.candidates(distance);
    }

    FingerprintSample fingerprints() {
        return some;
    }

    /** The time to read all fingerprints without any comparison. */
    double readNanos() {
        return scanNanos / (TIMES - 1.0);
    }

    /** A random part of the drawn documents. */
    long[] some(int most) {
        long[] drawn = drawn();
        int step = Math.max(1, drawn.length / most);
        return IntStream.range(0, Math.min(most, drawn.length))
                .mapToLong(i -> drawn[i * step])
                .toArray();
    }

    PointInTime pointInTime() {
        return pointInTime;
    }
}

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
import org.opensearch.simhash.calibrate.sample.Nearness;
import org.opensearch.simhash.calibrate.sample.Neighbours;
import org.opensearch.simhash.calibrate.sample.SearchCosts;
import org.opensearch.simhash.calibrate.sample.Surroundings;
import org.opensearch.simhash.deduplicate.job.JobStatus.Phase;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.scan.JobQuery;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.memory.Account;

/**
 * Reads all fingerprints or sketches of a point in time three times: to measure the density, to draw documents, to look around
 * these. Keeps none but the drawn ones. One thread, which blocks.
 */
final class Readings {

    private static final int TIMES = 3;

    private final PointInTime pointInTime;
    private final JobTask task;
    private final CalibrateOptions options;
    private final Scale scale;
    private final Scale.Reader reader;
    private final QueryBuilder query;
    private final long expected;
    private final Account memory;
    private DensityTable densities;
    private Draw draw;
    private Surroundings surroundings;
    private SearchCosts costs;
    private long fingerprinted;
    private long scanNanos;

    /** @param documents a query, looked up */
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
        this.reader = scale.reading().of(pointInTime, field, task);
        this.query = new BoolQueryBuilder().filter(documents).filter(JobQuery.exists(field + "." + scale.value()));
        this.expected = pointInTime.count(query);
    }

    void read(CalibratedIndices indices) {
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
        memory.take(SearchCosts.BYTES);
        costs = scale.costs().of(indices, draw, fingerprinted, options.seed());
        read(document -> {
            surroundings.add(document);
            costs.add(document);
        });
    }

    /** All documents within a step of some. Reads the fingerprints once more. */
    Neighbours neighbours(List<Document> documents, int step, int most, long room) {
        task.enter(Phase.SCAN, expected);
        Neighbours found = new Neighbours(documents, scale.nearness(), step, most, room, memory);
        read(found::add);
        return found;
    }

    private long read(Consumer<Document> documents) {
        long start = System.nanoTime();
        long count = reader.read().applyAsLong(query, documents);
        if (surroundings == null) {
            scanNanos += System.nanoTime() - start;
        }
        return count;
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
        return reader.schemes().get();
    }

    Draw draw() {
        return draw;
    }

    /** That a document was drawn. 0 if no document as crowded as it was. */
    double chance(Document document) {
        double weight = draw.weightOfDensity()[densities.band(document)];
        return weight == 0 ? 0 : 1 / weight;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    long[] drawn() {
        return draw.documents().stream().mapToLong(Document::address).toArray();
    }

    /** What searches and jobs cost at each step. */
    SearchCosts costs() {
        return costs;
    }

    /** The time to read all fingerprints without any comparison. */
    double readNanos() {
        return scanNanos / (TIMES - 1.0);
    }

    /** A random part of the drawn documents. */
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
}

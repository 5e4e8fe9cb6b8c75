/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Estimates;
import org.opensearch.simhash.calibrate.estimate.Sample;
import org.opensearch.simhash.calibrate.sample.FoundPair;
import org.opensearch.simhash.deduplicate.job.JobQueries;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.ReadSlices;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.verify.Verification;
import org.opensearch.transport.client.Client;

/**
 * One run over one point in time: reads, compares, estimates, once for each fingerprint object. Needs the caller's right to search, and
 * no other. One thread, which waits for what it sends.
 */
final class Calibration {

    /** Where no segment is mapped by its name. */
    private static final int USUAL_SEGMENTS = 4;

    /** The same copies of the shards each time: a document's number differs from copy to copy, and draws go by it. */
    private static final String SAME_COPIES = "simhash_calibrate";

    private final JobServices services;
    private final JobTask task;
    private final Client client;

    /** @param client sends everything as children of the task */
    Calibration(JobServices services, JobTask task, Client client) {
        this.services = services;
        this.task = task;
        this.client = client;
    }

    CalibrateResponse run(CalibrateAction.Request request) {
        long start = System.nanoTime();
        CalibrateOptions options = request.options();
        Retries retries = new Retries(task::ensureNotCancelled);
        PointInTime pointInTime = PointInTime.openOnCopies(
                SAME_COPIES,
                request.indices(),
                request.indicesOptions(),
                client,
                services.registry(),
                services.cluster(),
                retries);
        try {
            QueryBuilder query = JobQueries.lookUp(options.query(), pointInTime, services, client, retries);
            long documents = pointInTime.count(query);
            task.documents(documents);
            List<Map<String, Object>> answers = new ArrayList<>();
            for (String field : options.fields()) {
                answers.add(calibrate(request, pointInTime, query, field));
            }
            task.enter(Phase.DONE, 0);
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("took", (System.nanoTime() - start) / 1_000_000);
            answer.put("documents", documents);
            if (answers.size() == 1) {
                answer.putAll(answers.getFirst());
            } else {
                answer.put("fields", answers);
            }
            return new CalibrateResponse(answer);
        } finally {
            pointInTime.close(services.client());
        }
    }

    private Map<String, Object> calibrate(
            CalibrateAction.Request request, PointInTime pointInTime, QueryBuilder query, String field) {
        CalibrateOptions options = request.options();
        Metadata metadata = services.cluster().state().metadata();
        int segments = segments(metadata, pointInTime.indices(), field);
        try (Account memory = new Account(services.memory())) {
            Readings readings = new Readings(pointInTime, task, options, query, field, memory);
            readings.read(new SegmentLayout(segments));
            List<FoundPair> pairs = readings.surroundings().pairs();
            task.enter(Phase.READ, pairs.size());
            TextChoice choice = new TextChoice(services.recipes(), readings, task, field, memory);
            Verification verification = readings.drawn().length == 0 ? null : choice.choose(options, metadata);
            Estimates estimates = null;
            ComparedPairs compared = null;
            Map<Long, ShownDocument> shown = Map.of();
            if (verification != null) {
                compared = new ComparedPairs(
                        verification.withMinSimilarity(0),
                        options.minSimilarity(),
                        readings.drawn(),
                        choice.stored(verification.field()),
                        task,
                        memory);
                compared.compare(pairs);
                requireSome(compared, verification, metadata, pointInTime.indices());
                estimates = new Estimates(new Sample(
                        readings.draw().bands(), readings.surroundings().counts(),
                        readings.surroundings().shares(), compared.seen()));
                shown = ShownDocument.read(
                        pointInTime,
                        verification.field(),
                        examples(compared, readings, options),
                        new ReadSlices(memory, new Retries(task::ensureNotCancelled)));
            }
            return new Answer(request, field, readings, verification, choice, compared, estimates, shown).asMap();
        }
    }

    private static void requireSome(
            ComparedPairs compared, Verification verification, Metadata metadata, String[] indices) {
        boolean isMapped = Arrays.stream(indices)
                .map(metadata::index)
                .anyMatch(index -> index != null && new IndexMapping(index).maps(verification.field()));
        if (compared.withText() == 0 && compared.seen().isEmpty() == false && isMapped == false) {
            throw new IllegalArgumentException("[field] of [verify] must hold a text, got: [" + verification.field()
                    + "], which is mapped in none of the indices, and in none of the documents of "
                    + compared.seen().size() + " pairs to compare");
        }
    }

    private static long[] examples(ComparedPairs compared, Readings readings, CalibrateOptions options) {
        TreeSet<Long> addresses = new TreeSet<>();
        for (int distance = 0; distance <= options.maxDistance(); distance++) {
            for (int pair : Answer.examples(compared, distance, options)) {
                addresses.add(readings.drawn()[compared.found().get(pair).first()]);
                addresses.add(compared.found().get(pair).other());
            }
        }
        return addresses.stream().mapToLong(Long::longValue).toArray();
    }

    /** @throws IllegalArgumentException when no index has such fingerprints */
    private static int segments(Metadata metadata, String[] indices, String field) {
        int segments = 0;
        boolean isMapped = false;
        for (String index : indices) {
            IndexMetadata known = metadata.index(index);
            if (known == null) {
                continue; // It was deleted meanwhile.
            }
            IndexMapping mapping = new IndexMapping(known);
            isMapped |= mapping.maps(field + "." + FingerprintFields.BITS);
            int count = 0;
            while (count < SegmentLayout.MAX && mapping.maps(field + "." + FingerprintFields.segment(count))) {
                count++;
            }
            segments = Math.max(segments, count);
        }
        if (isMapped == false) {
            throw new IllegalArgumentException("[field] must be the object that the [simhash] processor writes, but ["
                    + field + "." + FingerprintFields.BITS + "] is not mapped in "
                    + new TreeSet<>(Arrays.asList(indices)));
        }
        return segments < SegmentLayout.MIN ? USUAL_SEGMENTS : segments;
    }
}

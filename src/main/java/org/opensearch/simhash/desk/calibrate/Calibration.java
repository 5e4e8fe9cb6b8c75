/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.estimate.Estimates;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.estimate.Suggestion;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.Surroundings;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.FingerprintPresence.SearchedPlace;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** One run over one point in time: reads, compares, estimates, once per fingerprint object. One thread, which blocks. */
record Calibration(JobServices services, JobTask task, Client client) {

    /** Reads the same shard copies each time. Draws depend on document numbers, which differ between copies. */
    private static final String SAME_COPIES = "simhash_calibrate";

    Map<String, Object> run(CalibrateAction.Request request) {
        long start = System.nanoTime();
        CalibrateOptions options = request.options();
        Archives.Choice chosen = new Archives().without(services.state(), services.resolver(), request);
        PointInTime pointInTime = PointInTime.openOnCopies(
                        SAME_COPIES,
                        chosen.names().toArray(String[]::new),
                        request.indicesOptions(),
                        client,
                        services.registry(),
                        services.cluster(),
                        task.retries())
                .searchingOneShardAtATime();
        try {
            QueryBuilder query = pointInTime.lookUp(options.query(), services.contents(), services.registry());
            long documents = pointInTime.count(query);
            task.documents(documents);
            List<Map<String, Object>> answers = new ArrayList<>();
            List<String> fields = options.fields() == null
                    ? List.of(IndexMapping.print(
                            services.cluster().state().metadata(), List.of(pointInTime.indices()), options.kind()))
                    : options.fields();
            for (String field : fields) {
                Map<String, Object> read = calibrate(request, pointInTime, query, documents, field);
                chosen.warning().ifPresent(sentence -> warn(read, sentence));
                answers.add(read);
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
            return answer;
        } finally {
            pointInTime.close();
        }
    }

    private static void warn(Map<String, Object> answer, String sentence) {
        List<Object> warnings = new ArrayList<>((List<?>) answer.get("warnings"));
        warnings.addFirst(sentence);
        answer.put("warnings", warnings);
    }

    private Map<String, Object> calibrate(
            CalibrateAction.Request request,
            PointInTime pointInTime,
            QueryBuilder query,
            long documents,
            String field) {
        CalibrateOptions options = request.options();
        Metadata metadata = services.cluster().state().metadata();
        Scale scale = Scale.of(options);
        PipelineRecipes recipes = services.recipes(options.kind());
        CalibratedIndices indices = CalibratedIndices.of(
                metadata,
                pointInTime.indices(),
                options.kind(),
                scale.value(),
                field,
                names -> bands(recipes, names, field));
        try (Account memory = new Account(services.memory())) {
            Judging judging = new Judging(options.judged() == null ? List.of() : options.judged(), pointInTime);
            Readings readings = new Readings(pointInTime, task, options, scale, query, field, memory);
            TextChoice texts = new TextChoice(recipes, readings, indices, task, field, memory);
            if (readings.expected() > 0) {
                texts.require(options);
            }
            readings.read();
            List<Surroundings.FoundPair> pairs = readings.surroundings().pairs();
            task.enter(Phase.READ, pairs.size() + (long) judging.pairs());
            TextChoice.Choice choice = readings.drawn().length == 0 ? null : texts.choose(options);
            Verification verification = choice == null ? null : choice.verification();
            Estimates estimates = null;
            ComparedPairs compared = null;
            Map<Long, ShownDocument> shown = Map.of();
            if (verification != null) {
                StoredTexts stored = texts.stored(verification.field());
                verification = judging.compare(verification, stored, task, memory);
                compared = new ComparedPairs(verification, readings.drawn(), stored, task, memory, judging);
                compared.compare(pairs);
                requireSome(compared, verification, indices);
                estimates = new Estimates(new Sample(
                        readings.draw().bands(), readings.surroundings().shares(), compared.seen()));
                shown = ShownDocument.read(
                        pointInTime, stored, verification.field(), shown(compared, scale, options), memory);
            }
            Suggestion suggestion = null;
            if (estimates != null) {
                Suggestion.Sketched sketched = options.kind() == SketchKind.MINHASH
                        ? null
                        : new SketchedPairs(readings, indices, task, memory).measure(verification, compared, estimates);
                suggestion = Suggestion.of(
                        estimates,
                        verification.minSimilarity(),
                        scale.steps(),
                        choice.areShort() ? Answer.shortTexts(choice, scale) : null,
                        sketched);
            }
            Map<String, Object> answer = new Answer(
                            request,
                            field,
                            scale,
                            indices,
                            documents,
                            readings,
                            verification,
                            compared,
                            estimates,
                            suggestion,
                            shown)
                    .asMap();
            String checking = SearchedPlace.of(List.of(request.indices())).checking();
            for (String sentence : choice == null ? List.<String>of() : choice.warnings()) {
                warn(answer, sentence + checking);
            }
            return answer;
        }
    }

    private static BandLayout bands(PipelineRecipes recipes, List<String> indices, String field) {
        try {
            BandLayout layout =
                    recipes.ofIndices(indices, field).getFirst().recipe().bandLayout();
            return layout == null ? BandLayout.DEFAULT : layout;
        } catch (IllegalArgumentException e) {
            return BandLayout.DEFAULT;
        }
    }

    private static void requireSome(ComparedPairs compared, Verification verification, CalibratedIndices indices) {
        if (compared.withText() == 0
                && compared.seen().isEmpty() == false
                && indices.maps(verification.field()) == false) {
            throw new IllegalArgumentException("[field] of [verify] must hold a text, got: [" + verification.field()
                    + "], which is mapped in none of the indices, and in none of the documents of "
                    + compared.seen().size() + " pairs to compare");
        }
    }

    /** Addresses of the documents of all pairs that the answer shows. */
    private static long[] shown(ComparedPairs compared, Scale scale, CalibrateOptions options) {
        List<Sample.Pair> pairs = new ArrayList<>(
                options.judged() == null ? List.of() : compared.judging().next(compared));
        for (int distance = 0; distance <= scale.nearness().last(); distance++) {
            pairs.addAll(Answer.examples(compared, distance, options));
        }
        return pairs.stream()
                .flatMap(pair -> compared.addresses(pair).stream())
                .mapToLong(Long::longValue)
                .sorted()
                .distinct()
                .toArray();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.simhash.core.estimate.Border;
import org.opensearch.simhash.core.estimate.Estimates;
import org.opensearch.simhash.core.estimate.Interval;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.estimate.Suggestion;
import org.opensearch.simhash.core.sample.SketchSteps;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.desk.check.MendingRequest;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.simhash.search.query.VerifyOptions;

/** The answer for one fingerprint object. If no document was drawn, the last four of what was compared are null. */
record Answer(
        CalibrateAction.Request request,
        String field,
        Scale scale,
        CalibratedIndices indices,
        long documents,
        Readings readings,
        Verification verification,
        ComparedPairs compared,
        Estimates estimates,
        Suggestion suggestion,
        Map<Long, ShownDocument> shown) {

    private static final double PLACES = 1e6;
    private static final int FIRST_TENTH = 5;

    /** The share of near pairs that may be hidden without a word about it. */
    private static final double HIDDEN = 0.1;

    Map<String, Object> asMap() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("field", field);
        answer.put("fingerprinted", readings.fingerprinted());
        answer.put("sampled", (long) readings.drawn().length);
        answer.put("schemes", readings.schemes());
        answer.put("verify", verification == null ? null : VerifyOptions.asMap(verification));
        answer.put("fingerprints_compared", readings.surroundings().compared());
        answer.put(
                "texts_compared", compared == null ? 0L : (long) compared.seen().size());
        answer.put(scale.rows(), rows());
        if (estimates == null) {
            answer.put("similarities", List.of());
            answer.put("suggestion", null);
        } else {
            answer.put("similarities", similarities(suggestion.step()));
            answer.put("suggestion", suggestionAsMap());
        }
        if (compared != null && request.options().judged() != null) {
            answer.put(
                    "judging",
                    compared.judging().asMap(shown(compared.judging().next(compared), ShownDocument.TO_JUDGE)));
        }
        answer.put("limits", limits());
        answer.put("warnings", warnings());
        return answer;
    }

    private String limits() {
        return "[recall] counts the near pairs " + scale.steps().within(last())
                + ": nobody can see how many are farther apart. The intervals hold the truth 95 of 100 times, as far as near"
                + " pairs at a distance are not so rare among the others that none of those compared there was one.";
    }

    static String shortTexts(TextChoice.Choice texts, Scale scale) {
        return "The texts are short, half of them have at most " + texts.middleLength() + " characters: "
                + scale.shortTexts();
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (documents == 0) {
            warnings.add("No document matches: there is nothing to compare.");
        } else if (readings.fingerprinted() < 2) {
            warnings.add((readings.fingerprinted() == 0 ? "No document has" : "Only one document has")
                    + " a " + scale.noun() + " in [" + field
                    + "]: there is nothing to compare. Texts with too few features have none.");
        }
        if (readings.schemes().size() > 1) {
            warnings.add(
                    "The " + scale.noun() + "s are of " + readings.schemes().size()
                            + " schemes. Only those of one scheme are compared, so that near pairs of two schemes are missing.");
        }
        if (compared != null && compared.notCompared() > 0) {
            warnings.add(compared.notCompared() + " of " + compared.seen().size()
                    + " pairs could not be compared, because [" + verification.field()
                    + "] has no text, or one that is too large or cannot be analyzed: they count as not near.");
        }
        warnings.addAll(compared == null ? List.of() : compared.judging().warnings());
        warnIfWide(warnings);
        double hidden = estimates == null ? 0 : estimates.hidden();
        if (hidden > HIDDEN) {
            warnings.add(
                    "Too few pairs were compared to see near pairs farther apart than those seen. If these go on as they end, "
                            + Math.round(100 * hidden)
                            + " % of the near pairs are there, and [recall] is that much too high. More [pairs_per_distance] look closer.");
        }
        return warnings;
    }

    private void warnIfWide(List<String> warnings) {
        if (suggestion == null) {
            return;
        }
        int drawn = readings.drawn().length;
        long all = readings.fingerprinted();
        if (suggestion.recall().estimate() == null) {
            if (drawn < all) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "No near pair was seen: %d of %d documents were drawn, and the others may have some.%s",
                        drawn,
                        all,
                        larger(drawn, all)));
            }
            return;
        }
        long wanted = suggestion.documentsToDraw(drawn, all);
        if (wanted > drawn) {
            long most = Math.min(wanted, CalibrateOptions.MAX_SAMPLE_SIZE);
            warnings.add(String.format(
                    Locale.ROOT,
                    "[recall] is between %.2f and %.2f: %d more documents drawn would tell it within %.1f%s.",
                    suggestion.recall().low(),
                    suggestion.recall().high(),
                    wanted - drawn,
                    Suggestion.WIDE,
                    drawn == most ? "" : " ([sample_size] " + most + (most < wanted ? " is the most" : "") + ")"));
        }
    }

    private static String larger(int drawn, long all) {
        long most = Math.min(all, CalibrateOptions.MAX_SAMPLE_SIZE);
        return drawn < most ? " [sample_size] may be up to " + most + "." : "";
    }

    private int last() {
        return scale.nearness().last();
    }

    private List<Map<String, Object>> rows() {
        return IntStream.rangeClosed(0, last()).mapToObj(this::row).toList();
    }

    private Map<String, Object> row(int distance) {
        Interval pairs = estimates == null ? new Interval(0.0, 0, 0) : estimates.pairs(distance);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put(scale.rowName(), scale.steps().name(distance));
        row.put("pairs", Math.round(pairs.estimate()));
        row.put("pairs_low", (long) Math.floor(pairs.low()));
        row.put("pairs_high", (long) Math.ceil(pairs.high()));
        row.put("near", share(estimates == null ? Interval.UNKNOWN : estimates.near(distance)));
        row.put("precision", share(estimates == null ? Interval.UNKNOWN : estimates.precision(distance)));
        row.put("recall", share(estimates == null ? Interval.UNKNOWN : estimates.recall(distance)));
        row.put("similarity", similarity(distance));
        if (scale.steps().areSketches()) {
            row.put("share_a_band", rounded(indices.bands().recall(SketchSteps.estimate(distance))));
        }
        List<Sample.Pair> nearest = compared == null ? List.of() : examples(compared, distance, request.options());
        row.put("examples", shown(nearest, ShownDocument.EXAMPLE));
        return row;
    }

    /** Rounded outwards. */
    private static Map<String, Object> share(Interval share) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("estimate", share.estimate() == null ? null : rounded(share.estimate()));
        map.put("low", Math.floor(share.low() * PLACES) / PLACES);
        map.put("high", Math.ceil(share.high() * PLACES) / PLACES);
        return map;
    }

    static double rounded(double value) {
        return Math.round(value * PLACES) / PLACES;
    }

    private Map<String, Object> similarity(int distance) {
        double[] similarities = estimates == null ? null : estimates.similarities(distance);
        if (similarities == null) {
            return null;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("p10", rounded(similarities[0]));
        map.put("p50", rounded(similarities[1]));
        map.put("p90", rounded(similarities[2]));
        return map;
    }

    private List<Map<String, Object>> shown(List<Sample.Pair> pairs, int length) {
        List<Map<String, Object>> examples = new ArrayList<>();
        for (Sample.Pair pair : pairs) {
            ShownDocument first = shown.get(readings.drawn()[pair.first()]);
            ShownDocument second = shown.get(pair.other());
            if (first != null && second != null) {
                Map<String, Object> example = new LinkedHashMap<>();
                example.put("first", first.beside(second, length));
                example.put("second", second.beside(first, length));
                example.put("similarity", rounded(pair.similarity()));
                example.put(scale.rowName(), scale.steps().name(pair.distance()));
                examples.add(example);
            }
        }
        return examples;
    }

    /** The pairs whose similarity is nearest to the border. */
    static List<Sample.Pair> examples(ComparedPairs compared, int distance, CalibrateOptions options) {
        return compared.seen().stream()
                .filter(pair -> pair.distance() == distance)
                .sorted(Border.nearestTo(compared.minSimilarity()))
                .limit(options.examples())
                .toList();
    }

    private List<Map<String, Object>> similarities(int distance) {
        List<Map<String, Object>> similarities = new ArrayList<>();
        for (int tenth = FIRST_TENTH; tenth <= 10; tenth++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("min_similarity", tenth / 10.0);
            row.put("pairs", Math.round(estimates.pairsWithin(distance, tenth / 10.0)));
            similarities.add(row);
        }
        return similarities;
    }

    private Map<String, Object> suggestionAsMap() {
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("precision", share(suggestion.precision()));
        expected.put("recall", share(suggestion.recall()));
        expected.put("pairs", Math.round(suggestion.pairs()));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(scale.jobOption(), scale.steps().name(suggestion.step()));
        map.put("verify", suggestion.verify());
        map.put("expected", expected);
        Suggestion.Sketched sketched = suggestion.sketched();
        if (sketched != null) {
            map.put("minhash", Map.of("min_similarity", sketched.least(), "recall", share(sketched.recall())));
        }
        map.put("why", suggestion.why());
        map.put("next", next());
        map.put("page", GroupMapping.page(dest()));
        return map;
    }

    private String dest() {
        return GroupMapping.usualDest(String.join(",", request.indices()));
    }

    /** The request to send next, for Dev Tools. Its groups are on the page. */
    private String next() {
        CalibrateOptions options = request.options();
        String names =
                Arrays.stream(request.indices()).map(MendingRequest::encoded).collect(Collectors.joining(","));
        Map<String, Object> job = new LinkedHashMap<>(Map.of("action", "report"));
        if (field.equals(options.kind().defaultObject()) == false) {
            job.put("field", field);
        }
        if (options.query() instanceof MatchAllQueryBuilder == false) {
            job.put("query", options.query());
        }
        if (scale.steps().areSketches()) {
            job.put("sketch", options.kind().toString());
        }
        job.put(scale.jobOption(), scale.steps().name(suggestion.step()));
        if (suggestion.verify()) {
            job.put("verify", VerifyOptions.asMap(verification));
        }
        job.put("dest", Map.of("index", dest()));
        return MendingRequest.of("POST", "/_plugins/_simhash/deduplicate/" + names, job);
    }
}

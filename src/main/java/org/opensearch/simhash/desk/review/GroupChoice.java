/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.opensearch.common.Booleans;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.Operator;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.rest.RestRequest;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.write.GroupMapping;

/**
 * Which groups to show. All but the size may be null.
 *
 * @param claimedBy who has taken the groups now; empty for nobody
 * @param words that a title or another column has
 * @param value a column, a colon and its value
 * @param facet a column whose values are counted
 * @param decidedIn the request that decided about them
 * @param seed draws a sample of accepted groups that nobody has seen; empty for the seed of the run, null for no sample
 */
record GroupChoice(
        String run,
        String decision,
        Double minSimilarity,
        Double maxSimilarity,
        Double minSize,
        Double maxSize,
        String claimedBy,
        String words,
        String value,
        String facet,
        String decidedIn,
        String after,
        int size,
        String seed) {

    static final int DEFAULT_SIZE = 20;
    private static final int SAMPLE_SIZE = 50;
    private static final int MOST = 100;
    private static final String OPEN = "open";

    /** Filters that links have not. */
    static final List<String> OF_GROUPS =
            List.of("decision", "min_size", "max_size", "q", "value", "claimed_by", "decided_in");

    /** The run, and what stands in no sample. */
    private static final List<String> FILTERS = Stream.concat(
                    Stream.of("run", "min_similarity", "max_similarity"), OF_GROUPS.stream())
            .toList();

    GroupChoice {
        if (decision != null && decision.equals(OPEN) == false && GroupMapping.DECISIONS.contains(decision) == false) {
            throw new IllegalArgumentException(
                    "[decision] must be one of [open, accepted, rejected, skipped], got: " + decision);
        }
    }

    static GroupChoice read(RestRequest request, boolean areRows) {
        return of(request::param, areRows);
    }

    /** The filter of a body; what is no filter is unknown. */
    static GroupChoice of(Map<String, ?> body) {
        TreeSet<String> unknown = new TreeSet<>(body.keySet());
        unknown.removeAll(FILTERS);
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException("unknown option [" + unknown.first() + "]");
        }
        return of(name -> Objects.toString(body.get(name), null), false);
    }

    private static GroupChoice of(UnaryOperator<String> request, boolean areRows) {
        boolean isSample = Booleans.parseBooleanStrict(text(request, "sample"), false);
        String seed = text(request, "seed");
        String other = FILTERS.stream()
                .skip(1)
                .filter(name -> isSample && request.apply(name) != null)
                .findFirst()
                .orElse(isSample || seed == null ? null : "seed");
        if (other != null || (isSample && areRows)) {
            throw new IllegalArgumentException("[sample] takes [run], [seed] and [size], and [seed] needs it, got: "
                    + (other == null ? "format" : other));
        }
        int usual = areRows ? GroupRows.MOST : isSample ? SAMPLE_SIZE : DEFAULT_SIZE;
        String typed = text(request, "size");
        int size = typed == null ? usual : TypedNumber.whole("[size] must be a whole number", typed);
        TypedNumber.requireBetween("size", 1, areRows ? GroupRows.MOST : MOST, size);
        GroupChoice read = new GroupChoice(
                text(request, "run"),
                text(request, "decision"),
                number(request, "min_similarity", 1),
                number(request, "max_similarity", 1),
                number(request, "min_size", Double.MAX_VALUE),
                number(request, "max_size", Double.MAX_VALUE),
                request.apply("claimed_by"),
                text(request, "q"),
                text(request, "value"),
                text(request, "facet"),
                text(request, "decided_in"),
                text(request, "after"),
                size,
                isSample && seed == null ? "" : seed);
        requireOrder(request, "min_similarity", read.minSimilarity, "max_similarity", read.maxSimilarity);
        requireOrder(request, "min_size", read.minSize, "max_size", read.maxSize);
        return read;
    }

    /** Null for none. */
    private static String text(UnaryOperator<String> request, String name) {
        String typed = request.apply(name);
        return typed == null || typed.isEmpty() ? null : typed;
    }

    private static Double number(UnaryOperator<String> request, String name, double most) {
        String typed = text(request, name);
        if (typed == null) {
            return null;
        }
        String rule = "[" + name + "] must be " + (most == 1 ? "a number between 0 and 1" : "a number of at least 0");
        double number = TypedNumber.real(rule, typed);
        if (number >= 0 && number <= most) {
            return number;
        }
        throw new IllegalArgumentException(rule + ", got: " + typed);
    }

    private static void requireOrder(UnaryOperator<String> request, String least, Double min, String most, Double max) {
        if (min != null && max != null && min > max) {
            throw new IllegalArgumentException("[" + least + "] must be at most [" + most + "], got: "
                    + request.apply(least) + " and " + request.apply(most));
        }
    }

    /** @param ofRun null for any */
    BoolQueryBuilder query(String ofRun) {
        BoolQueryBuilder query = ofRun == null
                ? QueryBuilders.boolQuery().filter(JobQuery.exists(GroupMapping.GROUP))
                : GroupMapping.ofRun(ofRun);
        if (decision != null && decision.equals(OPEN)) {
            query.mustNot(JobQuery.whole(GroupMapping.DECISION_NAME, GroupMapping.DECISIONS));
        } else if (decision != null) {
            query.filter(JobQuery.whole(GroupMapping.DECISION_NAME, List.of(decision)));
        }
        if (claimedBy != null) {
            RangeQueryBuilder isTaken = QueryBuilders.rangeQuery(GroupMapping.CLAIMED_UNTIL)
                    .gt(Instant.now().toString());
            if (claimedBy.isEmpty()) {
                query.mustNot(isTaken);
            } else {
                query.filter(isTaken).filter(JobQuery.whole(GroupMapping.CLAIMED_BY, List.of(claimedBy)));
            }
        }
        if (words != null) {
            query.filter(QueryBuilders.boolQuery()
                    .should(QueryBuilders.simpleQueryStringQuery(words)
                            .field(GroupMapping.WORDS)
                            .defaultOperator(Operator.AND))
                    .should(JobQuery.whole(GroupMapping.SURVIVOR + ".id", List.of(words)))
                    .should(JobQuery.whole(GroupMapping.MEMBERS + ".id", List.of(words))));
        }
        if (value != null) {
            query.filter(JobQuery.whole(GroupMapping.COLUMNS, List.of(value)));
        }
        if (decidedIn != null) {
            query.filter(JobQuery.whole(GroupMapping.DECIDED_IN, List.of(decidedIn)));
        }
        if (seed != null) {
            // What was judged stays in the sample, whatever somebody decides about it then: else wrong ones leave it.
            query.filter(QueryBuilders.boolQuery()
                    .should(JobQuery.exists(GroupMapping.JUDGED))
                    .should(QueryBuilders.boolQuery()
                            .filter(JobQuery.whole(GroupMapping.DECISION_NAME, List.of(GroupMapping.ACCEPTED)))
                            .mustNot(JobQuery.exists(GroupMapping.SEEN_AT))));
        }
        range(query, GroupMapping.LOWEST_SIMILARITY, minSimilarity, maxSimilarity);
        range(query, GroupMapping.SIZE, minSize, maxSize);
        return query;
    }

    /** Doubtful ones first, or by chance: three keys of these types, as {@link #sortValues} says. */
    List<SortBuilder<?>> order() {
        SortBuilder<?> last = SortBuilders.fieldSort(GroupMapping.GROUP).order(SortOrder.ASC);
        if (seed != null) {
            return List.of(SortBuilders.scoreSort(), SortBuilders.fieldSort(GroupMapping.SIZE), last);
        }
        return List.of(
                SortBuilders.fieldSort(GroupMapping.LOWEST_SIMILARITY)
                        .order(SortOrder.ASC)
                        .missing("_last")
                        .unmappedType("double"),
                SortBuilders.fieldSort(GroupMapping.LARGEST_DISTANCE)
                        .order(SortOrder.DESC)
                        .missing("_last")
                        .unmappedType("integer"),
                last);
    }

    private static void range(BoolQueryBuilder query, String field, Double min, Double max) {
        if (min != null || max != null) {
            query.filter(QueryBuilders.rangeQuery(field).gte(min).lte(max));
        }
    }

    boolean takes(Object similarity) {
        double known = similarity instanceof Number number ? number.doubleValue() : Double.NaN;
        return (minSimilarity == null || known >= minSimilarity) && (maxSimilarity == null || known <= maxSimilarity);
    }

    /** A text for a URL. */
    static String cursor(Object[] sortValues) {
        String joined =
                String.join("\n", Arrays.stream(sortValues).map(String::valueOf).toList());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(joined.getBytes(StandardCharsets.UTF_8));
    }

    /** The sort values to continue after; of links, the last one is a number, too. Null for the first answer. */
    Object[] sortValues(boolean areOfLinks) {
        if (after == null) {
            return null;
        }
        try {
            String joined = new String(Base64.getUrlDecoder().decode(after), StandardCharsets.UTF_8);
            String[] values = joined.split("\n", -1);
            if (values.length == 3) {
                Double.parseDouble(values[0]);
                Long.parseLong(values[1]);
                if (areOfLinks) {
                    Integer.parseInt(values[2]);
                }
                return values;
            }
        } catch (IllegalArgumentException e) {
            // The error below says it.
        }
        throw new IllegalArgumentException("[after] must be the [next] of an answer, got: " + after);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.estimate.Border;
import org.opensearch.simhash.core.estimate.Sample;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sample.Surroundings.FoundPair;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.StoredTexts;

/** What people say of pairs takes the place of what texts say of these, and moves the border for all others. One thread. */
final class Judging {

    static final int MOST = 1_000;
    private static final int NEXT = 12;

    private static final long SEVERAL = -1;

    /** @param a {@code _id}, and {@code _index} if the id alone does not name it */
    record Judged(Map<String, String> a, Map<String, String> b, boolean near) {

        static Judged parse(XContentParser parser) throws IOException {
            Map<String, Object> typed = parser.mapOrdered();
            Map<String, String> a = place(typed.get("a"));
            Map<String, String> b = place(typed.get("b"));
            if (typed.size() == 3 && a != null && b != null && typed.get("near") instanceof Boolean near) {
                return new Judged(a, b, near);
            }
            throw new IllegalArgumentException("[judged] must have [a] and [b], each an id or an object with [_index]"
                    + " and [_id], and [near], true or false, got: " + TypedNumber.shown(typed.toString()));
        }

        private static Map<String, String> place(Object typed) {
            if (typed instanceof Map<?, ?> place
                    && place.size() == 2
                    && place.get("_index") instanceof String index
                    && place.get("_id") instanceof String id) {
                return Map.of("_index", index, "_id", id);
            }
            return typed instanceof String id ? Map.of("_id", id) : null;
        }
    }

    private final int given;
    private final List<Long> drawn = new ArrayList<>();
    private final List<FoundPair> pairs = new ArrayList<>();
    private final Map<Set<Long>, Boolean> near = new HashMap<>();
    private List<Sample.Pair> judged = List.of();
    private Border border;

    Judging(List<Judged> given, PointInTime pointInTime) {
        this.given = given.size();
        Map<Map<String, String>, Long> addresses = new HashMap<>();
        String[] ids = given.stream()
                .flatMap(pair -> Stream.of(pair.a.get("_id"), pair.b.get("_id")))
                .toArray(String[]::new);
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.idsQuery().addIds(ids))
                .fetchSource(false);
        pointInTime.forEach(source, ids.length == 0 ? 0 : MOST, hits -> {
            for (SearchHit hit : hits) {
                long address = pointInTime.address(hit);
                addresses.put(Map.of("_index", hit.getIndex(), "_id", hit.getId()), address);
                addresses.merge(Map.of("_id", hit.getId()), address, (one, other) -> SEVERAL);
            }
        });
        given.forEach(pair -> add(pair, addresses.get(pair.a), addresses.get(pair.b)));
    }

    /** Null is not there. */
    private void add(Judged pair, Long a, Long b) {
        if (a == null || b == null) {
            return;
        }
        if (a == SEVERAL || b == SEVERAL || a.equals(b) || near.put(Set.of(a, b), pair.near) != null) {
            throw new IllegalArgumentException("[judged] must have each pair of two documents once, with [_index] where"
                    + " several have an id, got: " + pair.a + ", " + pair.b);
        }
        pairs.add(new FoundPair(drawn.size(), -1, b, 0, 1, 1));
        drawn.add(a);
    }

    /** How many are compared. */
    int pairs() {
        return pairs.size();
    }

    boolean areNear(Set<Long> addresses, boolean automatic) {
        return near.getOrDefault(addresses, automatic);
    }

    /** The verification with the border in place of the usual similarity. Facts are near or not, without one. */
    Verification compare(Verification usual, StoredTexts texts, JobTask task, Account memory) {
        long[] first = drawn.stream().mapToLong(Long::longValue).toArray();
        ComparedPairs comparison = new ComparedPairs(usual, first, texts, task, memory, this);
        comparison.compare(pairs);
        judged =
                comparison.seen().stream().filter(pair -> pair.similarity() > 0).toList();
        border = Border.of(usual.measure() == Measure.FACTS ? List.of() : judged, usual.minSimilarity());
        return usual.withMinSimilarity(border.value());
    }

    /** Not of those that strict characters, for example, have decided. */
    List<Sample.Pair> next(ComparedPairs compared) {
        return border.next(
                NEXT,
                compared.seen().stream()
                        .filter(pair -> near.containsKey(compared.addresses(pair)) == false)
                        .filter(pair -> border.contradicts(pair) == false));
    }

    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (judged.size() < given) {
            warnings.add(given - judged.size() + " of " + given
                    + " judged pairs are left out: a document is not there, or the texts have nothing in common.");
        }
        if (border.contradicted(judged) > 0) {
            warnings.add("No similarity agrees with all judgements: " + border.value() + " contradicts "
                    + border.contradicted(judged) + " of " + judged.size() + ".");
        }
        return warnings;
    }

    /** @param next to judge */
    Map<String, Object> asMap(List<Map<String, Object>> next) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("judged", judged.size());
        map.put("contradicted", border.contradicted(judged));
        map.put("min_similarity", border.value());
        map.put("low", Answer.rounded(border.low()));
        map.put("high", Answer.rounded(border.high()));
        map.put("pairs", next);
        return map;
    }
}

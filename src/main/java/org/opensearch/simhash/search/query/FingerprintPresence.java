/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.search.join.ScoreMode;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.warnings.WarningFilter;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * Says why a search finds nothing: no document has a fingerprint of the right scheme, or none has the text to verify; and why it
 * may miss something: clients have rounded numbers. Asks by one round of searches, each of which ends at the first document.
 * Remembers for half a minute what it says where fingerprints are. Waits at most five seconds. Does not block. Thread-safe.
 */
public final class FingerprintPresence {

    private static final TimeValue KEPT = TimeValue.timeValueSeconds(30);
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(5);
    private static final int MOST_KEPT = 1_000;

    private static final int SHOWN_INDICES = 5;

    private static final int MOST_ASKED = 32; // two searches each

    private static final int SAMPLE = 16;

    private final Supplier<SearchedIndices.Cluster> cluster;
    private final Supplier<Client> client;
    private final Cache<Key, Optional<String>> present = CacheBuilder.<Key, Optional<String>>builder()
            .setExpireAfterWrite(KEPT)
            .setMaximumWeight(MOST_KEPT)
            .build();

    /**
     * Where to look.
     *
     * @param expressions names of indices, aliases, patterns; none for a point in time
     * @param pointInTime its id, or null
     */
    public record SearchedPlace(List<String> expressions, IndicesOptions options, String pointInTime, String routing) {

        static SearchedPlace of(SearchRequest search) {
            PointInTimeBuilder pointInTime = search.pointInTimeBuilder();
            return new SearchedPlace(
                    List.of(search.indices()),
                    search.indicesOptions(),
                    pointInTime == null ? null : pointInTime.getId(),
                    search.routing());
        }

        /** Missing indices are no error. */
        public static SearchedPlace of(List<String> expressions) {
            return new SearchedPlace(expressions, IndicesOptions.lenientExpandOpen(), null, null);
        }

        private SearchRequest search(SearchSourceBuilder source) {
            SearchRequest search = new SearchRequest().source(source).pipeline("_none");
            search.setCancelAfterTimeInterval(PATIENCE);
            if (pointInTime != null) {
                source.pointInTimeBuilder(new PointInTimeBuilder(pointInTime));
                return search;
            }
            return search.indices(expressions.toArray(String[]::new))
                    .indicesOptions(options)
                    .routing(routing);
        }

        private String name() {
            if (pointInTime != null) {
                return "the point in time";
            }
            if (expressions.isEmpty()) {
                return "[_all]";
            }
            List<String> some = expressions.subList(0, Math.min(SHOWN_INDICES, expressions.size()));
            return "[" + String.join(",", some) + (some.size() < expressions.size() ? ",…]" : "]");
        }

        public String checking() {
            boolean isNamed = pointInTime == null && expressions.size() == 1;
            return "; GET /_plugins/_simhash/check/" + (isNamed ? expressions.getFirst() : "{index}") + " says why";
        }
    }

    /**
     * @param schemes of the documents to look for; empty means every scheme
     * @param verifiedField a field that at least one document must have, or null
     * @param except ids of documents that do not count
     * @param areFound whether the search has found some
     * @param part that a typed hash is compared with; null for any
     */
    public record SoughtPrints(
            SearchedPlace place,
            String field,
            Set<String> schemes,
            String verifiedField,
            Set<String> except,
            boolean areFound,
            String part) {

        /** Nothing was found. */
        public SoughtPrints(
                SearchedPlace place, String field, Set<String> schemes, String verifiedField, Set<String> except) {
            this(place, field, schemes, verifiedField, except, false, null);
        }

        SoughtPrints in(SearchedPlace searched, boolean hasFound) {
            return new SoughtPrints(searched, field, schemes, verifiedField, except, hasFound, part);
        }

        private SoughtPrints without(Set<String> ids) {
            return new SoughtPrints(place, field, schemes, verifiedField, ids, areFound, part);
        }
    }

    /**
     * @param sought without exceptions
     * @param indices what the place resolves to now
     */
    private record Key(SoughtPrints sought, List<Index> indices) {}

    /**
     * @param asked each of a few indices; of many those that have no place for a fingerprint; none if no index has one
     * @param nested paths of this type around fingerprints
     */
    private record Question(SoughtPrints sought, List<IndexMetadata> indices, List<String> asked, Set<String> nested) {

        /** Parses each mapping once, and keeps none: they may be many. */
        static Question of(SoughtPrints sought, List<IndexMetadata> indices) {
            String field = sought.field();
            List<IndexMetadata> without = new ArrayList<>();
            Set<String> nested = new LinkedHashSet<>();
            for (IndexMetadata index : indices) {
                IndexMapping mapping = new IndexMapping(index);
                if (mapping.isObject(field) == false) {
                    without.add(index);
                }
                for (int end = field.length(); end > 0; end = field.lastIndexOf('.', end - 1)) {
                    Map<?, ?> object = mapping.definition(field.substring(0, end));
                    if (object != null && "nested".equals(object.get("type"))) {
                        nested.add(field.substring(0, end));
                        break;
                    }
                }
            }
            boolean areFew = indices.size() > 1 && indices.size() <= MOST_ASKED;
            List<IndexMetadata> asked = without.size() == indices.size() ? List.of() : areFew ? indices : without;
            Stream<String> names = asked.stream().map(index -> index.getIndex().getName());
            return new Question(sought, indices, names.limit(MOST_ASKED).toList(), nested);
        }

        String field() {
            return sought.field();
        }

        /** The first shows some documents. The others count: those of any scheme, all, those with the text, and for each index asked its prints and documents. */
        List<SearchRequest> searches() {
            List<SearchRequest> searches = new ArrayList<>();
            if (sought.areFound()) {
                searches.add(search(ofAny(), true));
            } else {
                searches.addAll(
                        List.of(search(ofSchemes(), true), search(ofAny(), false), search(ofDocuments(), false)));
                if (sought.verifiedField() != null) {
                    searches.add(search(QueryBuilders.existsQuery(sought.verifiedField()), false));
                }
            }
            QueryBuilder prints = asked.isEmpty() ? null : ofSchemes();
            for (String index : asked) {
                SearchedPlace place = SearchedPlace.of(List.of(index));
                searches.add(place.search(
                        new SearchSourceBuilder().query(prints).size(0).trackTotalHitsUpTo(1)));
                searches.add(place.search(new SearchSourceBuilder().size(0).trackTotalHits(true)));
            }
            return searches;
        }

        private SearchRequest search(QueryBuilder query, boolean isShown) {
            int shown = isShown
                    ? indices.stream()
                            .mapToInt(index -> IndexSettings.MAX_RESULT_WINDOW_SETTING.get(index.getSettings()))
                            .reduce(SAMPLE, Math::min)
                    : 0;
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(query)
                    .size(shown)
                    .trackTotalHitsUpTo(1)
                    // If it shows none, OpenSearch counts none in a large segment.
                    .terminateAfter(shown);
            List<String> wanted = new ArrayList<>(
                    List.of(field() + "." + FingerprintFields.BITS, field() + "." + FingerprintFields.HASH));
            if (sought.verifiedField() != null) {
                wanted.add(sought.verifiedField());
                source.storedField(sought.verifiedField());
            }
            return sought.place().search(source.fetchSource(wanted.toArray(String[]::new), null));
        }

        private QueryBuilder ofSchemes() {
            if (sought.schemes().isEmpty()) {
                return ofAny();
            }
            Set<String> schemes = sought.schemes();
            String path = field() + "." + FingerprintFields.SCHEME;
            return around(QueryBuilders.boolQuery()
                    .should(QueryBuilders.termsQuery(path, schemes))
                    .should(QueryBuilders.termsQuery(path + ".keyword", schemes)));
        }

        private QueryBuilder ofAny() {
            BoolQueryBuilder any = QueryBuilders.boolQuery();
            for (String part : sought.part() == null
                    ? List.of(FingerprintFields.BITS, FingerprintFields.DIGEST, FingerprintFields.SCHEME)
                    : List.of(sought.part())) {
                any.should(QueryBuilders.existsQuery(field() + "." + part));
            }
            return around(any);
        }

        private QueryBuilder ofDocuments() {
            BoolQueryBuilder documents = QueryBuilders.boolQuery().filter(QueryBuilders.matchAllQuery());
            if (sought.except().isEmpty() == false) {
                documents.mustNot(
                        QueryBuilders.idsQuery().addIds(sought.except().toArray(String[]::new)));
            }
            return documents;
        }

        /** Looks inside nested objects, too. */
        private QueryBuilder around(QueryBuilder query) {
            BoolQueryBuilder anywhere = QueryBuilders.boolQuery().should(query);
            nested.forEach(path -> anywhere.should(
                    QueryBuilders.nestedQuery(path, query, ScoreMode.None).ignoreUnmapped(true)));
            return QueryBuilders.boolQuery().filter(anywhere).filter(ofDocuments());
        }

        /** Whether some documents have what was sought, as far as their fingerprints tell. */
        boolean arePresent(List<SearchHits> found) {
            return sought.areFound() || isAny(found.get(0));
        }

        /** What follows from the answers to the searches; empty for nothing. */
        Optional<String> sentence(List<SearchHits> found) {
            SearchedPlace place = sought.place();
            if (arePresent(found)) {
                SearchHit[] hits = found.get(0).getHits();
                long rounded = Arrays.stream(hits)
                        .filter(hit -> hit.hasSource() && StoredFingerprint.isRounded(field(), hit.getSourceAsMap()))
                        .count();
                if (rounded > 0) {
                    return Optional.of(rounded + " of " + hits.length + " documents looked at in " + place.name()
                            + " have [bits] that are not those of [hash], as a client leaves them that rounds numbers: what is"
                            + " near them is not found" + place.checking());
                }
                // A text may be in a document without being indexed.
                boolean mayHaveText = sought.areFound()
                        || sought.verifiedField() == null
                        || hits.length == 0
                        || isAny(found.get(3))
                        || Arrays.stream(hits).anyMatch(hit -> hasText(hit, sought.verifiedField()));
                Map<String, Long> documents = new TreeMap<>();
                List<SearchHits> counts = found.subList(found.size() - 2 * asked.size(), found.size());
                for (int i = 0; i < asked.size(); i++) {
                    if (isAny(counts.get(2 * i)) == false && isAny(counts.get(2 * i + 1))) {
                        documents.put(
                                asked.get(i),
                                counts.get(2 * i + 1).getTotalHits().value());
                    }
                }
                return mayHaveText
                        ? FingerprintPresence.without(field(), sought.schemes(), documents)
                        : Optional.of("no document in " + place.name() + " has the field [" + sought.verifiedField()
                                + "] of [verify]: no text is similar");
            }
            if (isAny(found.get(1))) {
                return Optional.of("no document in " + place.name() + " has a fingerprint of the scheme "
                        + new TreeSet<>(sought.schemes()) + ", only of others: nothing is near" + place.checking());
            }
            String none = isAny(found.get(2))
                    ? "no document in " + place.name() + " has a fingerprint in [" + field() + "]"
                            + (sought.part() == null ? "" : " of as many bits")
                    : null;
            return leftOut()
                    .or(() -> Optional.ofNullable(none))
                    .map(why -> why + ": nothing is near" + place.checking());
        }

        private static boolean isAny(SearchHits hits) {
            return hits.getTotalHits().value() > 0;
        }

        private static boolean hasText(SearchHit hit, String field) {
            return hit.field(field) != null
                    || (hit.hasSource()
                            && DocumentValues.firstAt(field, hit.getSourceAsMap())
                                    .isPresent());
        }

        /** Empty if all indices index fingerprints. */
        private Optional<String> leftOut() {
            for (IndexMetadata index : indices) {
                IndexMapping mapping = new IndexMapping(index);
                String field = field();
                String bits = field + "." + FingerprintFields.BITS;
                String dynamic = mapping.dynamic(field);
                if (mapping.maps(bits) == false
                        && mapping.maps(field + "." + FingerprintFields.SKETCH) == false
                        && dynamic.startsWith("false")
                        && mapping.hasDynamicTemplate(bits) == false) {
                    return Optional.of("the mapping of [" + index.getIndex().getName() + "] has no [" + field
                            + "] and [dynamic] [" + dynamic + "], so that fingerprints are not indexed");
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Names indices of which nothing can be compared; empty for none.
     *
     * @param schemes that they lack; empty for every scheme
     */
    public static Optional<String> without(String field, Set<String> schemes, Map<String, Long> documents) {
        int more = documents.size() - SHOWN_INDICES;
        return documents.isEmpty()
                ? Optional.empty()
                : Optional.of("no document has a fingerprint in [" + field + "] "
                        + (schemes.isEmpty() ? "" : "of the scheme " + new TreeSet<>(schemes) + " ") + "in "
                        + documents.entrySet().stream().limit(SHOWN_INDICES).toList()
                        + (more > 0 ? " and " + more + " more" : "") + ": these documents are near "
                        + (schemes.isEmpty() ? "nothing" : "none of this scheme")
                        + SearchedPlace.of(List.copyOf(documents.keySet())).checking());
    }

    /** @param cluster resolves names of indices; null until the node is up */
    public FingerprintPresence(Supplier<SearchedIndices.Cluster> cluster, Supplier<Client> client) {
        this.cluster = cluster;
        this.client = client;
    }

    /**
     * Tells in a sentence why nothing can be found, or not all. Tells nothing if all can be found, if there are no documents, or if
     * it does not know.
     *
     * @param listener called on this thread or another
     */
    public void explain(SoughtPrints sought, Consumer<Optional<String>> listener) {
        Question question;
        Key key;
        Optional<String> known;
        try {
            List<IndexMetadata> indices = indices(sought.place());
            Stream<Index> names = indices.stream().map(IndexMetadata::getIndex);
            key = new Key(sought.without(Set.of()), names.toList());
            known = present.get(key);
            question = known == null ? Question.of(sought, indices) : null;
        } catch (RuntimeException e) {
            listener.accept(Optional.empty()); // The search reports its own error.
            return;
        }
        if (question == null) {
            listener.accept(known);
            return;
        }
        ActionListener<Optional<String>> inTime = inTime(listener);
        MultiSearchRequest searches = new MultiSearchRequest();
        question.searches().forEach(searches::add);
        ActionListener<MultiSearchResponse> answered = ActionListener.wrap(
                answers -> {
                    List<MultiSearchResponse.Item> items = List.of(answers.getResponses());
                    if (items.stream().anyMatch(MultiSearchResponse.Item::isFailure)) {
                        if (sought.areFound()) {
                            // It must not add to the load of a node that has too much.
                            present.put(key, Optional.empty());
                        }
                        inTime.onResponse(Optional.empty());
                        return;
                    }
                    List<SearchHits> found = items.stream()
                            .map(item -> item.getResponse().getHits())
                            .toList();
                    Optional<String> sentence = question.sentence(found);
                    if (question.arePresent(found)) {
                        present.put(key, sentence);
                    }
                    inTime.onResponse(sentence);
                },
                e -> inTime.onResponse(Optional.empty()));
        WarningFilter.sendOwn(client.get().threadPool().getThreadContext(), () -> send(searches, answered));
    }

    /** A single search needs no right but that of the search that it is about. */
    private void send(MultiSearchRequest searches, ActionListener<MultiSearchResponse> answered) {
        if (searches.requests().size() > 1) {
            client.get().multiSearch(searches, answered);
            return;
        }
        ActionListener<SearchResponse> one = ActionListener.map(
                answered,
                response -> new MultiSearchResponse(
                        new MultiSearchResponse.Item[] {new MultiSearchResponse.Item(response, null)}, 0));
        client.get().search(searches.requests().getFirst(), one);
    }

    /** An overloaded node gives no reason, so that the answer is not late. */
    private ActionListener<Optional<String>> inTime(Consumer<Optional<String>> listener) {
        ActionListener<Optional<String>> telling = new ActionListener<>() {
            @Override
            public void onResponse(Optional<String> sentence) {
                listener.accept(sentence);
            }

            @Override
            public void onFailure(Exception e) {
                listener.accept(Optional.empty());
            }
        };
        return ListenerTimeouts.wrapWithTimeout(
                client.get().threadPool(), telling, PATIENCE, ThreadPool.Names.GENERIC, "why nothing is near");
    }

    private List<IndexMetadata> indices(SearchedPlace place) {
        return place.pointInTime() == null
                ? new SearchedIndices(cluster).metadata(place.search(new SearchSourceBuilder()))
                : List.of();
    }
}

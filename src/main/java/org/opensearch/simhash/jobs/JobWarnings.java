/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opensearch.OpenSearchException;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.SingleBucketAggregation;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.links.PassCounts;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.ingest.StoredFingerprint.HashBits;
import org.opensearch.simhash.search.query.FingerprintPresence;

/** Why a job may have found nothing, or too little. One thread, which blocks. */
record JobWarnings(JobRun run, FingerprintPresence presence) {

    private static final int SHOWN_SCHEMES = 5;

    /** Documents. */
    private static final int SAMPLE = 200;

    private static final int TEXTS = 20;

    /** @param passes not used if the request says what to compare */
    List<String> sentences(long documents, PassCounts passes, long pairs) {
        DeduplicateOptions options = run.options();
        List<String> sentences = new ArrayList<>();
        if (documents == 0 && options.query() instanceof MatchAllQueryBuilder == false) {
            sentences.add("[query] matches no document of " + run.fields().indices());
        }
        if (options.candidates() == null) {
            long compared = compared(passes);
            if (documents > 0 && compared == 0) {
                sentences.add("none of " + documents + " documents has a fingerprint in [" + options.field()
                        + "]: nothing is near" + checking());
            } else {
                ofSchemes(passes.schemes(), sentences);
                if (run.pointInTime().indices().length > 1
                        && (documents > compared || passes.schemes().size() > 1)) {
                    perhaps(() -> without(passes.schemes(), sentences));
                }
                if (passes.fingerprinted() == 0 && compared > 0 && options.passages() == null) {
                    sentences.add("none of " + compared
                            + " documents has features enough for a fingerprint: only equal texts are found");
                }
            }
        }
        if (pairs == 0 && options.verify() != null && options.verify().field() != null && passes.fingerprinted() > 0) {
            perhaps(() -> text().ifPresent(sentences::add));
        }
        if (options.candidates() == null && run.fields().areLongHashes() == false && passes.fingerprinted() > 0) {
            perhaps(() -> ofSample(passes, pairs, sentences));
        }
        return sentences;
    }

    /** A warning never fails a job. An index without [_source] shows nothing, and no shard need answer. */
    private static void perhaps(Runnable warning) {
        try {
            warning.run();
        } catch (OpenSearchException | IllegalArgumentException e) {
            // What was found before has been said.
        }
    }

    /** What some documents show at random. The same job looks at the same ones. */
    private void ofSample(PassCounts passes, long pairs, List<String> sentences) {
        String field = run.options().field();
        boolean ofPrints = run.options().comparesFingerprints();
        int size = Math.min(SAMPLE, run.pointInTime().mostHits());
        QueryBuilder which =
                ofPrints ? run.queries().withBits(field) : run.queries().fingerprinted(field);
        String[] parts = Stream.of(FingerprintFields.BITS, FingerprintFields.HASH, FingerprintFields.SCHEME)
                .map(part -> field + "." + part)
                .toArray(String[]::new);
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(ChancePairs.drawn(run, which, passes.fingerprinted(), size))
                .sort(SortBuilders.shardDocSort())
                .size(size)
                .trackTotalHits(false)
                .fetchSource(parts, null);
        SearchHit[] hits = run.pointInTime().search(source).getHits().getHits();
        long rounded = Arrays.stream(hits)
                .filter(hit -> hit.hasSource() && StoredFingerprint.isRounded(field, hit.getSourceAsMap()))
                .count();
        if (rounded > 0) {
            sentences.add(
                    rounded + " of " + hits.length + " documents looked at have [bits] that are not those of [hash],"
                            + " as a client leaves them that rounds numbers: what is near them is not known; POST"
                            + " /_plugins/_simhash/check/"
                            + String.join(",", run.fields().indices()) + "/mend rewrites them");
        }
        if (ofPrints) {
            constant(hits, sentences);
        }
        // Where nothing is near, nothing is near by its tags.
        if (pairs > 0 && passes.schemes().keySet().stream().noneMatch(Freshness::isNotOfText)) {
            markup(hits, sentences);
        }
    }

    /** Whether tags are compared like words. */
    private void markup(SearchHit[] hits, List<String> sentences) {
        MarkupCounts markup = new MarkupCounts();
        LongStream some = Arrays.stream(hits).limit(TEXTS).mapToLong(run.pointInTime()::address);
        run.texts(null, false, run.memory()).readAll(some.toArray(), (address, text) -> markup.add(text.text()));
        markup.warning().ifPresent(sentence -> sentences.add(sentence + checking()));
    }

    /** Imported hashes of fewer than 64 bits, or of another form than was said: all are near one another. */
    private void constant(SearchHit[] hits, List<String> sentences) {
        var hashes = new HashBits();
        for (SearchHit hit : hits) {
            Map<?, ?> source = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
            DocumentValues.objectsAt(run.options().field(), source).forEach(hashes::add);
        }
        if (hashes.areConstant()) {
            sentences.add("constant_bits: " + hashes + ": distances are smaller than [max_distance] is meant for"
                    + checking());
        }
    }

    /** Names indices of which nothing can be compared, or not with most documents, with their numbers of documents. */
    private void without(Map<String, Long> schemes, List<String> sentences) {
        String field = run.options().field();
        String most = schemes.keySet().stream()
                .max(Comparator.comparing(schemes::get))
                .orElse("");
        Terms counted = run.pointInTime()
                .search(new SearchSourceBuilder()
                        .query(run.queries().documents())
                        .size(0)
                        .aggregation(AggregationBuilders.terms("indices")
                                .field(IndexFieldMapper.NAME)
                                .size(run.pointInTime().indices().length)
                                .subAggregation(AggregationBuilders.filter(
                                        "compared", run.queries().fingerprinted(field)))
                                .subAggregation(AggregationBuilders.filter(
                                        "most",
                                        JobQuery.whole(field + "." + FingerprintFields.SCHEME, List.of(most))))))
                .getAggregations()
                .get("indices");
        Map<String, Long> without = new TreeMap<>();
        Map<String, Long> others = new TreeMap<>();
        counted.getBuckets().forEach(index -> {
            if (index.getAggregations().<SingleBucketAggregation>get("compared").getDocCount() == 0) {
                without.put(index.getKeyAsString(), index.getDocCount());
            } else if (schemes.size() > 1
                    && index.getAggregations()
                                    .<SingleBucketAggregation>get("most")
                                    .getDocCount()
                            == 0) {
                others.put(index.getKeyAsString(), index.getDocCount());
            }
        });
        FingerprintPresence.without(field, Set.of(), without).ifPresent(sentences::add);
        FingerprintPresence.without(field, Set.of(most), others).ifPresent(sentences::add);
    }

    static long compared(PassCounts passes) {
        long ofSchemes =
                passes.schemes().values().stream().mapToLong(Long::longValue).sum();
        return Math.max(passes.fingerprinted(), ofSchemes);
    }

    private void ofSchemes(Map<String, Long> schemes, List<String> sentences) {
        DeduplicateOptions options = run.options();
        Set<String> current =
                run.services().recipes(options.kind()).schemesOf(run.fields().indices(), options.field());
        if (current.isEmpty() == false
                && schemes.isEmpty() == false
                && schemes.keySet().stream().noneMatch(current::contains)) {
            sentences.add("no document has a fingerprint of the scheme " + current
                    + ", which the pipeline makes: new documents are near none of them" + checking());
        } else if (schemes.size() > 1) {
            sentences.add("documents have fingerprints of " + schemes.size() + " schemes, "
                    + schemes.keySet().stream().limit(SHOWN_SCHEMES).toList()
                    + ": those of each scheme are compared with each other only" + checking());
        }
    }

    private Optional<String> text() {
        PlainActionFuture<Optional<String>> found = new PlainActionFuture<>();
        String text = run.options().verify().field();
        var sought = new FingerprintPresence.SoughtPrints(place(), run.options().field(), Set.of(), text, Set.of());
        presence.explain(sought, found::onResponse);
        return found.actionGet();
    }

    private String checking() {
        return place().checking();
    }

    private FingerprintPresence.SearchedPlace place() {
        return FingerprintPresence.SearchedPlace.of(run.fields().indices());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.join.Cliques;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.search.ingest.DocumentValues;

/**
 * Reads sets of documents that appeared together, for example in search results, and links all documents of a set, for
 * verification. Fingerprints do not matter. Ids of other documents are ignored.
 */
final class CandidateSets {

    /** Documents of the log per page: some ten thousand ids. */
    private static final int PAGE = 50;

    private static final int IDS = 1_000;

    /** All documents of a set are compared with each other. */
    private static final int LARGEST = 1_000;

    private static final int BYTES = 120;

    private final JobRun run;
    private final Account memory;
    private final Cliques.Builder graph;
    private final Map<Long, Integer> cliques = new HashMap<>();
    private final Set<Long> linked = new HashSet<>();
    private boolean hasDocuments;
    private boolean hasSets;

    CandidateSets(JobRun run, Account memory) {
        this.run = run;
        this.memory = memory;
        this.graph = new Cliques.Builder(memory);
    }

    Cliques read(PointInTime log) {
        String field = run.options().candidates().field();
        SearchSourceBuilder source =
                new SearchSourceBuilder().query(QueryBuilders.matchAllQuery()).fetchSource(field, null);
        log.forEach(source, PAGE, hits -> {
            List<Set<String>> sets = new ArrayList<>();
            Set<String> ids = new TreeSet<>();
            for (SearchHit hit : hits) {
                Set<String> set = ids(hit, field);
                if (set.size() > 1) {
                    sets.add(set);
                    ids.addAll(set);
                }
            }
            Map<String, List<Long>> addresses = resolve(new ArrayList<>(ids));
            sets.forEach(set -> link(set, addresses));
            run.task().step(hits.length);
            hasDocuments = true;
        });
        if (hasDocuments && hasSets == false) {
            throw new IllegalArgumentException(
                    "[field] of [candidates] must be an array of ids or of objects with [id], but is none in any document of ["
                            + run.options().candidates().index() + "], got: " + field);
        }
        return graph.build();
    }

    private Set<String> ids(SearchHit hit, String field) {
        List<Object> entries = DocumentValues.at(field, hit.getSourceAsMap());
        hasSets |= entries.isEmpty() && XContentMapValues.extractValue(field, hit.getSourceAsMap()) != null;
        Set<String> ids = new TreeSet<>();
        for (Object entry : entries) {
            if (entry instanceof Map<?, ?> scored) {
                Double least = run.options().candidates().minScore();
                boolean isEnough =
                        least == null || (scored.get("score") instanceof Number score && score.doubleValue() >= least);
                hasSets |= scored.get("id") != null;
                if (scored.get("id") != null && isEnough) {
                    ids.add(scored.get("id").toString());
                }
            } else {
                hasSets = true;
                ids.add(entry.toString());
            }
        }
        requireIds(field, hit, entries, ids);
        if (ids.size() > LARGEST) {
            throw new IllegalArgumentException("[candidates] sets must have at most " + LARGEST + " ids, got: "
                    + ids.size() + " in document [" + hit.getId() + "]");
        }
        return ids;
    }

    /** Scores in an array of pairs, or between the ids, would be taken for ids. No document has an empty one. */
    private static void requireIds(String field, SearchHit hit, List<Object> entries, Set<String> ids) {
        int dot = field.lastIndexOf('.');
        Map<String, Object> source = hit.getSourceAsMap();
        List<Object> objects = dot < 0 ? List.of(source) : DocumentValues.at(field.substring(0, dot), source);
        boolean arePairs = objects.stream()
                .anyMatch(object -> object instanceof Map<?, ?> map
                        && map.get(field.substring(dot + 1)) instanceof List<?> list
                        && list.stream().anyMatch(List.class::isInstance));
        if (arePairs || ids.contains("") || entries.stream().anyMatch(entry -> entry instanceof Double)) {
            throw new IllegalArgumentException("[field] of [candidates] must be an array of ids"
                    + " or of objects with [id] and [score], got: "
                    + TypedNumber.shown(String.valueOf(XContentMapValues.extractValue(field, source)))
                    + " in document [" + hit.getId() + "]");
        }
    }

    private Map<String, List<Long>> resolve(List<String> ids) {
        Map<String, List<Long>> addresses = new HashMap<>();
        for (int from = 0; from < ids.size(); from += IDS) {
            List<String> page = ids.subList(from, Math.min(ids.size(), from + IDS));
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(new BoolQueryBuilder()
                            .filter(run.queries().documents())
                            .filter(QueryBuilders.idsQuery().addIds(page.toArray(String[]::new))))
                    .fetchSource(false);
            run.pointInTime().forEach(source, IDS, hits -> {
                for (SearchHit hit : hits) {
                    addresses
                            .computeIfAbsent(hit.getId(), id -> new ArrayList<>())
                            .add(run.pointInTime().address(hit));
                }
            });
        }
        return addresses;
    }

    private void link(Set<String> set, Map<String, List<Long>> addresses) {
        List<Long> documents = set.stream()
                .map(addresses::get)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .toList();
        for (int i = 0; i < documents.size(); i++) {
            run.task().ensureNotCancelled();
            for (int j = i + 1; j < documents.size(); j++) {
                int first = clique(documents.get(i));
                int second = clique(documents.get(j));
                long pair = ((long) Math.min(first, second) << Integer.SIZE) | Math.max(first, second);
                if (linked.add(pair)) {
                    memory.take(BYTES);
                    graph.link(first, second, -1);
                }
            }
        }
    }

    private int clique(long address) {
        return cliques.computeIfAbsent(address, a -> graph.addEqualTexts(new long[] {a}));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.jobs.apply.GroupDecision.GroupVersion;
import org.opensearch.simhash.jobs.apply.GroupDecision.Version;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.removal.RetriedGets;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.write.JobWrites.Consent;
import org.opensearch.simhash.jobs.write.TextPrints;

/** The documents of some groups in a point in time. Only unchanged documents have an address. One thread, which blocks. */
final class DecidedDocuments {

    private static final int IDS = 1_000;

    private final Map<Version, Long> addresses = new HashMap<>();

    private DecidedDocuments() {}

    /** @param prints tell whether a document that has moved is unchanged */
    static DecidedDocuments find(PointInTime sources, Collection<Version> wanted, TextPrints prints) {
        DecidedDocuments found = new DecidedDocuments();
        List<Version> list = List.copyOf(wanted);
        for (int from = 0; from < list.size(); from += IDS) {
            found.find(sources, list.subList(from, Math.min(list.size(), from + IDS)), prints);
        }
        return found;
    }

    private void find(PointInTime sources, List<Version> wanted, TextPrints prints) {
        TreeSet<String> indices = new TreeSet<>();
        TreeSet<String> ids = new TreeSet<>();
        Map<List<String>, List<Version>> asked = new HashMap<>();
        boolean isKept = false;
        for (Version document : wanted) {
            indices.add(document.index());
            ids.add(document.id());
            IndexMetadata there = prints.metadata().index(document.index());
            isKept |= there != null && document.isIn(there.getIndexUUID()) == false && prints.isKept(document.index());
            asked.computeIfAbsent(document.place(), any -> new ArrayList<>()).add(document);
        }
        BoolQueryBuilder query = new BoolQueryBuilder()
                .filter(QueryBuilders.idsQuery().addIds(ids.toArray(String[]::new)))
                .filter(QueryBuilders.termsQuery("_index", indices));
        SearchSourceBuilder source = prints.source(isKept).query(query);
        sources.forEach(source, IDS, hits -> {
            for (SearchHit hit : hits) {
                asked
                        .getOrDefault(Arrays.asList(hit.getIndex(), hit.getId(), DocumentTable.routing(hit)), List.of())
                        .stream()
                        .filter(document -> document.is(hit, prints))
                        .forEach(document -> addresses.put(document, sources.address(hit)));
            }
        });
    }

    boolean has(Version document) {
        return addresses.containsKey(document);
    }

    long address(Version document) {
        return addresses.get(document);
    }

    /** Ascending, without repeats. */
    long[] addresses(Collection<Version> documents) {
        return documents.stream()
                .filter(this::has)
                .mapToLong(this::address)
                .sorted()
                .distinct()
                .toArray();
    }

    List<Version> unchanged(List<Version> documents) {
        return documents.stream().filter(this::has).toList();
    }

    /** Looks at decisions again, right before they are carried out. A group that has changed in any way is left alone. Blocks. */
    static final class StandingDecisions implements Consent {

        private final RetriedGets gets;
        private final JobOutcome outcome;
        private final Map<Integer, GroupVersion> groups = new HashMap<>();
        private final Set<GroupVersion> changed = new HashSet<>();

        StandingDecisions(RetriedGets gets, JobOutcome outcome) {
            this.gets = gets;
            this.outcome = outcome;
        }

        /** @param document of the group, by rank */
        void add(int document, GroupVersion group) {
            groups.put(document, group);
        }

        boolean isLeftAlone(GroupVersion group) {
            return changed.contains(group);
        }

        @Override
        public IntPredicate to(IntStream documents) {
            List<GroupVersion> asked = documents
                    .mapToObj(groups::get)
                    .filter(group -> group != null && changed.contains(group) == false)
                    .distinct()
                    .toList();
            gets.get(asked, StandingDecisions::request, this::check, (group, reason, status) -> {
                outcome.fail(group.index(), group.id(), "not read again: " + reason.getMessage(), status);
                changed.add(group);
            });
            return document -> changed.contains(groups.get(document)) == false;
        }

        private static MultiGetRequest.Item request(GroupVersion group) {
            return new MultiGetRequest.Item(group.index(), group.id())
                    .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
        }

        private void check(GroupVersion group, GetResponse now) {
            boolean stands = now.isExists()
                    && now.getSeqNo() == group.sequenceNumber()
                    && now.getPrimaryTerm() == group.primaryTerm();
            if (stands == false) {
                outcome.warn("the group [" + group.id() + "] of [" + group.index()
                        + "] was changed while it was applied: what was not yet written of it is left as it is");
                changed.add(group);
            }
        }
    }
}

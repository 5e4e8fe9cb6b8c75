/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.StoredFieldsContext;
import org.opensearch.simhash.core.fingerprint.TagFields;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobRun;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.scan.GroupCounts;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.IndexMapping.WholeField;

/**
 * What a periodic run looks at: the new documents, the duplicates of survivors that were changed, and the groups that a document
 * has left. All other groups stay as they are. Blocks its one thread.
 */
final class NewDocuments {

    private static final int PAGE = 5_000;

    private static final int BYTES = 100;

    /** Ids per query. An index may limit a query to 65,536 terms. */
    private static final int IDS = 10_000;

    private final JobRun run;
    private long[] addresses = {};

    private NewDocuments(JobRun run) {
        this.run = run;
    }

    static NewDocuments read(JobRun run) {
        NewDocuments found = new NewDocuments(run);
        Set<String> ids = new HashSet<>();
        // Not kept: it is not accounted for once the addresses are distinct.
        LongStream.Builder read = LongStream.builder();
        found.read(run.queries().newSince(), read, ids::add);
        found.read(TagFields.DUPLICATE_OF, List.copyOf(ids), read);
        // Groups may have an id of the other side, where nobody is tagged.
        if (run.options().action() == DeduplicateOptions.Action.TAG
                && run.queries().against() == null) {
            found.read(TagFields.GROUP, new StaleGroups(run).read(), read);
        }
        found.addresses = read.build().sorted().distinct().toArray();
        return found;
    }

    private void read(String part, List<String> values, LongConsumer read) {
        for (int from = 0; from < values.size(); from += IDS) {
            List<String> some = values.subList(from, Math.min(values.size(), from + IDS));
            read(JobQuery.whole(run.options().field() + "." + part, some), read, id -> {});
        }
    }

    private void read(QueryBuilder which, LongConsumer read, Consumer<String> ids) {
        QueryBuilder query =
                new BoolQueryBuilder().filter(run.queries().documents()).filter(which);
        SearchSourceBuilder source = new SearchSourceBuilder().query(query).fetchSource(false);
        run.pointInTime().forEach(source, PAGE, hits -> {
            run.task().ensureNotCancelled();
            run.memory().take((long) hits.length * BYTES);
            for (SearchHit hit : hits) {
                ids.accept(hit.getId());
                read.accept(run.pointInTime().address(hit));
            }
        });
    }

    boolean contains(long address) {
        return Arrays.binarySearch(addresses, address) >= 0;
    }

    /** Addresses, ascending. */
    long[] addresses() {
        return addresses;
    }

    /**
     * The groups that a document has left, or was deleted from, as far as counts tell: those without a survivor, those of one document
     * that is to be in none, and those of another size than their survivor says. Blocks its one thread.
     */
    private record StaleGroups(JobRun run) {

        /** Documents with a group, in one search. */
        private static final int MOST = 1 << 22;

        /** Their ids; none if the mappings do not count groups. */
        List<String> read() {
            String field = field();
            if (field == null) {
                return List.of();
            }
            long[] documents = documents(field);
            List<String> groups = new ArrayList<>();
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .fetchSource(false)
                    .storedField(StoredFieldsContext._NONE_)
                    .docValueField(field);
            run.pointInTime()
                    .read(
                            documents,
                            source,
                            (address, hit) ->
                                    hit.field(field).getValues().forEach(group -> groups.add((String) group)));
            return groups;
        }

        /** The keyword of all indices; null if there is none. */
        private String field() {
            Set<String> names = new HashSet<>();
            Metadata metadata = run.services().state().metadata();
            for (String index : run.pointInTime().indices()) {
                IndexMetadata found = metadata.index(index);
                if (found != null) {
                    names.add(counted(new IndexMapping(found), run.options().field() + "." + TagFields.GROUP));
                }
            }
            names.remove("");
            return names.size() == 1 ? names.iterator().next() : null;
        }

        /** Addresses of one document of each. */
        private long[] documents(String field) {
            QueryBuilder grouped =
                    new BoolQueryBuilder().filter(run.queries().documents()).filter(JobQuery.exists(field));
            long documents = run.pointInTime().count(grouped);
            QueryBuilder survivors = new BoolQueryBuilder()
                    .filter(grouped)
                    .mustNot(JobQuery.exists(run.options().field() + "." + TagFields.DUPLICATE_OF));
            List<Long> stale = new ArrayList<>();
            int slices = (int) (documents / MOST) + 1;
            for (int slice = 0; slice < slices; slice++) {
                run.task().ensureNotCancelled();
                try (Account counted = new Account(run.memory())) {
                    counted.take(2 * GroupCounts.bytes(documents / slices));
                    GroupCounts all = GroupCounts.read(run.pointInTime(), grouped, field, null, slice, slices);
                    GroupCounts ofSurvivors = GroupCounts.read(
                            run.pointInTime(), survivors, field, run.options().sizeField(), slice, slices);
                    for (int group = 0; group < all.size(); group++) {
                        if (isStale(all, group, ofSurvivors)) {
                            stale.add(all.document(group));
                        }
                    }
                }
            }
            return stale.stream().mapToLong(Long::longValue).sorted().toArray();
        }

        private boolean isStale(GroupCounts all, int group, GroupCounts ofSurvivors) {
            DeduplicateOptions options = run.options();
            int survivor = ofSurvivors.indexOf(all.hash(group));
            boolean isAlone = all.count(group) == 1;
            if (survivor < 0 || (isAlone && options.groups() != DeduplicateOptions.Groups.ALL)) {
                return true;
            }
            if (options.sizeField() == null) {
                return false;
            }
            double size = ofSurvivors.size(survivor);
            return isAlone ? size >= 0 : size != all.count(group);
        }

        /** The keyword; an empty name if nothing is mapped; null for what has no values to count. */
        private static String counted(IndexMapping mapping, String path) {
            if (mapping.maps(path) == false) {
                return "";
            }
            WholeField found = mapping.whole(path);
            boolean hasValues =
                    found != null && "keyword".equals(found.definition().get("type")) && found.hasValues();
            return hasValues ? found.name() : null;
        }
    }
}

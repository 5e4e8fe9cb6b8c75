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
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
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
        found.read(FingerprintFields.DUPLICATE_OF, List.copyOf(ids), read);
        // Groups may have an id of the other side, where nobody is tagged.
        if (run.options().action() == DeduplicateOptions.Action.TAG
                && run.queries().against() == null) {
            found.read(FingerprintFields.GROUP, found.staleGroups(), read);
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

    /** The ids of groups that a document has left, or was deleted from; none if the mappings do not count groups. */
    private List<String> staleGroups() {
        String field = groupField();
        List<String> groups = new ArrayList<>();
        if (field == null) {
            return groups;
        }
        DeduplicateOptions options = run.options();
        long[] stale = GroupCounts.stale(
                run.pointInTime(),
                new BoolQueryBuilder().filter(run.queries().documents()).filter(JobQuery.exists(field)),
                new BoolQueryBuilder().mustNot(JobQuery.exists(options.field() + "." + FingerprintFields.DUPLICATE_OF)),
                field,
                options.sizeField(),
                options.groups() == DeduplicateOptions.Groups.ALL,
                run.memory());
        SearchSourceBuilder source = new SearchSourceBuilder()
                .fetchSource(false)
                .storedField(StoredFieldsContext._NONE_)
                .docValueField(field);
        run.pointInTime()
                .read(
                        stale,
                        source,
                        (address, hit) -> hit.field(field).getValues().forEach(group -> groups.add((String) group)));
        return groups;
    }

    /** The keyword of all indices; null if there is none. */
    private String groupField() {
        Set<String> names = new HashSet<>();
        Metadata metadata = run.services().state().metadata();
        for (String index : run.pointInTime().indices()) {
            IndexMetadata found = metadata.index(index);
            if (found != null) {
                names.add(counted(new IndexMapping(found), run.options().field() + "." + FingerprintFields.GROUP));
            }
        }
        names.remove("");
        return names.size() == 1 ? names.iterator().next() : null;
    }

    /** The keyword; an empty name if nothing is mapped; null for what has no values to count. */
    private static String counted(IndexMapping mapping, String path) {
        if (mapping.maps(path) == false) {
            return "";
        }
        WholeField found = mapping.whole(path);
        boolean hasValues = found != null && "keyword".equals(found.definition().get("type")) && found.hasValues();
        return hasValues ? found.name() : null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.common.util.CollectionUtils;
import org.opensearch.index.mapper.IndexFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.jobs.SourceCheck;
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
        for (List<String> some : CollectionUtils.eagerPartition(values, IDS)) {
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
        String field = keyword(FingerprintFields.GROUP);
        if (field == null) {
            return List.of();
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
        run.memory().take(2L * stale.length * BYTES);
        Map<String, String> survivors = new HashMap<>();
        String duplicateOf = keyword(FingerprintFields.DUPLICATE_OF);
        SearchSourceBuilder source = new SearchSourceBuilder().fetchSource(false);
        Stream.of(field, duplicateOf).filter(Objects::nonNull).forEach(source::docValueField);
        run.pointInTime().read(stale, source, (address, hit) -> {
            DocumentField named = duplicateOf == null ? null : hit.field(duplicateOf);
            String survivor = named == null || named.getValue() == null ? hit.getId() : named.getValue();
            hit.field(field).getValues().forEach(group -> survivors.put((String) group, survivor));
        });
        survivors.values().removeAll(untagged(List.copyOf(survivors.values()), field));
        return List.copyOf(survivors.keySet());
    }

    /** Of some survivors those that are there without a tag, because nothing is written into their index. */
    private Set<String> untagged(List<String> survivors, String group) {
        List<String> readOnly =
                SourceCheck.readOnly(run.services().state(), run.fields().indices());
        Set<String> untagged = new HashSet<>();
        for (List<String> some : CollectionUtils.eagerPartition(survivors, IDS)) {
            QueryBuilder there = new BoolQueryBuilder()
                    .filter(QueryBuilders.idsQuery().addIds(some.toArray(String[]::new)))
                    .filter(QueryBuilders.termsQuery(IndexFieldMapper.NAME, readOnly))
                    .mustNot(JobQuery.exists(group));
            read(there, address -> {}, untagged::add);
        }
        return untagged;
    }

    /** The keyword of all indices that map a part; null if there is none. */
    private String keyword(String part) {
        String path = run.options().field() + "." + part;
        List<String> names = Arrays.stream(run.pointInTime().indices())
                .map(run.services().state().metadata()::index)
                .filter(Objects::nonNull)
                .map(IndexMapping::new)
                .filter(mapping -> mapping.maps(path))
                .map(mapping -> counted(mapping.whole(path)))
                .distinct()
                .toList();
        return names.size() == 1 ? names.getFirst() : null;
    }

    /** Null for what has no values to count. */
    private static String counted(WholeField found) {
        boolean hasValues = found != null && "keyword".equals(found.definition().get("type")) && found.hasValues();
        return hasValues ? found.name() : null;
    }
}

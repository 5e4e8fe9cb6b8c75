/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.scan.WholeStringsQueryBuilder;
import org.opensearch.simhash.fingerprint.TagFields;

/**
 * The new documents of a periodic run, and the duplicates of survivors that are new, which were changed. Groups without
 * any of them stay as they are.
 */
final class NewDocuments {

    private static final int PAGE = 5_000;
    private static final int BYTES = 100;
    /** Ids per query. An index may limit a query to 65,536 terms. */
    private static final int IDS = 10_000;

    private final List<QueryBuilder> queries = new ArrayList<>();
    private long[] addresses = new long[1_024];
    private int size;
    private long taken;

    private NewDocuments() {}

    static NewDocuments read(JobRun run) {
        NewDocuments found = new NewDocuments();
        Set<String> ids = new HashSet<>();
        found.read(run, run.queries().newSince(), ids::add);
        String group = run.options().field() + "." + TagFields.GROUP;
        List<String> survivors = List.copyOf(ids);
        for (int from = 0; from < survivors.size(); from += IDS) {
            List<String> some = survivors.subList(from, Math.min(survivors.size(), from + IDS));
            found.read(run, new WholeStringsQueryBuilder(group, some), id -> {});
        }
        found.addresses = Arrays.stream(found.addresses, 0, found.size)
                .sorted()
                .distinct()
                .toArray();
        found.size = found.addresses.length;
        if (found.size > NewComponents.MOST) {
            // There are too many to look for, so the ids are useless.
            found.queries.clear();
            run.memory().give(found.taken - (long) found.size * Long.BYTES);
        }
        return found;
    }

    private void read(JobRun run, QueryBuilder which, Consumer<String> ids) {
        QueryBuilder query =
                new BoolQueryBuilder().filter(run.queries().documents()).filter(which);
        queries.add(query);
        SearchSourceBuilder source = new SearchSourceBuilder().query(query).fetchSource(false);
        run.pointInTime().forEach(source, PAGE, hits -> {
            run.task().ensureNotCancelled();
            run.memory().take((long) hits.length * BYTES);
            taken += (long) hits.length * BYTES;
            for (SearchHit hit : hits) {
                ids.accept(hit.getId());
                add(run.pointInTime().address(hit));
            }
        });
    }

    private void add(long address) {
        if (size == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * size);
        }
        addresses[size++] = address;
    }

    boolean contains(long address) {
        return Arrays.binarySearch(addresses, address) >= 0;
    }

    /** Addresses, ascending. */
    long[] addresses() {
        return addresses;
    }

    int size() {
        return size;
    }

    /** Queries that together match all of them. */
    List<QueryBuilder> queries() {
        return queries;
    }
}

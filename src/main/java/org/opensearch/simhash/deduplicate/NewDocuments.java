/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.join.Account;
import org.opensearch.simhash.deduplicate.scan.PointInTime;

/**
 * The documents that a periodic run is about: those that are new, and those that were tagged as duplicates of one that is new, which
 * was changed then. Groups without any of them are what they were.
 */
final class NewDocuments {

    private static final int PAGE = 5_000;
    private static final int BYTES = 100;

    private final Set<String> ids = new HashSet<>();
    private long[] addresses = new long[1_024];
    private int size;

    private NewDocuments() {}

    static NewDocuments read(
            DeduplicateOptions options, PointInTime pointInTime, Account memory, DeduplicateTask task) {
        NewDocuments found = new NewDocuments();
        SearchSourceBuilder added = new SearchSourceBuilder()
                .query(new BoolQueryBuilder().filter(options.query()).filter(options.newSince()))
                .fetchSource(false);
        pointInTime.forEach(added, PAGE, hits -> {
            task.ensureNotCancelled();
            memory.take((long) hits.length * BYTES);
            for (SearchHit hit : hits) {
                found.ids.add(hit.getId());
                found.add(pointInTime.address(hit));
            }
        });
        String group = options.field() + "." + DuplicateTags.GROUP;
        SearchSourceBuilder tagged = new SearchSourceBuilder()
                .query(new BoolQueryBuilder().filter(options.query()).filter(QueryBuilders.existsQuery(group)))
                .fetchSource(group, null);
        pointInTime.forEach(tagged, PAGE, hits -> {
            task.ensureNotCancelled();
            for (SearchHit hit : hits) {
                Map<String, Object> document = hit.getSourceAsMap();
                if (XContentMapValues.extractValue(group, document) instanceof String survivor
                        && found.ids.contains(survivor)) {
                    found.add(pointInTime.address(hit));
                }
            }
        });
        found.addresses = Arrays.copyOf(found.addresses, found.size);
        Arrays.sort(found.addresses);
        return found;
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
}

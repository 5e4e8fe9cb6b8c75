/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.match.IndexedFields;

/**
 * The fields of fingerprints that searches found in mappings, for as long as an index keeps its mapping: to find them takes some
 * twenty look-ups, for each shard of each search. Without those that were not found, which may be any name. Thread-safe; some
 * hundred bytes for each index and object.
 */
final class KnownFields {

    /** So many, and it begins anew: indices that were deleted are not told of. */
    static final int MOST = 1000;

    private record Place(String index, String object) {}

    private record Known(WeakReference<DocumentMapper> mapping, IndexedFields fields) {}

    private final Map<Place, Known> known = new ConcurrentHashMap<>();

    /** As {@link FingerprintMapping#fields} finds them. */
    Optional<IndexedFields> of(QueryShardContext shard, String object) {
        DocumentMapper mapping = shard.getMapperService().documentMapper();
        Place place = new Place(shard.getFullyQualifiedIndex().getUUID(), object);
        Known before = known.get(place);
        if (mapping != null && before != null && before.mapping().refersTo(mapping)) {
            return Optional.of(before.fields());
        }
        Optional<IndexedFields> fields = new FingerprintMapping(shard, object).fields();
        WeakReference<DocumentMapper> found = new WeakReference<>(mapping);
        // Of the mapping that was there before and still is, and not of one that came meanwhile.
        if (mapping != null
                && fields.isPresent()
                && found.refersTo(shard.getMapperService().documentMapper())) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(place, new Known(found, fields.get()));
        }
        return fields;
    }
}

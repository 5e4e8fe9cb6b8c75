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
 * Caches the fields of fingerprints per index, because finding them takes some twenty look-ups per shard and search. An entry is
 * valid until the mapping changes. Missing fields are not cached: their names are unlimited. Thread-safe. Takes some hundred
 * bytes per index and object.
 */
final class KnownFields {

    /** At this size the cache starts over. Nothing tells of deleted indices. */
    static final int MOST = 1000;

    private record Place(String index, String object) {}

    private record Known(WeakReference<DocumentMapper> mapping, IndexedFields fields) {}

    private final Map<Place, Known> known = new ConcurrentHashMap<>();

    Optional<IndexedFields> of(QueryShardContext shard, String object) {
        DocumentMapper mapping = shard.getMapperService().documentMapper();
        Place place = new Place(shard.getFullyQualifiedIndex().getUUID(), object);
        Known before = known.get(place);
        if (mapping != null && before != null && before.mapping().refersTo(mapping)) {
            return Optional.of(before.fields());
        }
        Optional<IndexedFields> fields = new FingerprintMapping(shard, object).fields();
        WeakReference<DocumentMapper> found = new WeakReference<>(mapping);
        // Caches only if the mapping did not change meanwhile.
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

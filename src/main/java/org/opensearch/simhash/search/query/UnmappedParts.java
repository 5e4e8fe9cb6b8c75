/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.Bits;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * Parts of a fingerprint that the mapping does not name. Usually no document has them. But if the mapping ignores unknown fields,
 * documents may have them, and no search finds them.
 *
 * <p>If the mapping names no part at all, the index may simply have no fingerprints. Then the source of a few new documents tells.
 */
record UnmappedParts(QueryShardContext shard, String object) {

    private static final int OF_LEAF = 16;

    private static final int OF_ALL = 64;

    /** Without these, a search finds nothing or not everything. */
    private static final List<String> NEEDED =
            List.of(FingerprintFields.BITS, FingerprintFields.DIGEST, FingerprintFields.SCHEME);

    /**
     * Checks all parts.
     *
     * @throws QueryShardException naming the part, if the mapping names the object and documents may have a part that is not mapped
     */
    void requireAll() {
        if (isKnown()) {
            requireParts(NEEDED);
        }
    }

    /**
     * Checks the parts of the prints. Fails as {@link #requireAll}, and also if some documents have the object. An archive leaves it
     * aside on purpose, and a pattern that meets one must not fail.
     */
    void require(List<? extends Print> prints) {
        List<String> parts = new ArrayList<>();
        prints.stream()
                .filter(Print::isWhole)
                .map(print -> FingerprintFields.bits(print instanceof Target target ? target.length() : Long.SIZE))
                .distinct()
                .forEach(parts::add);
        if (prints.stream().anyMatch(print -> print.digest() != null)) {
            parts.add(FingerprintFields.DIGEST);
        }
        if (prints.stream().anyMatch(print -> print.scheme() != null)) {
            parts.add(FingerprintFields.SCHEME);
        }
        requireParts(parts);
    }

    private void requireParts(List<String> parts) {
        Optional<String> unmapped =
                parts.stream().filter(part -> isMapped(part) == false).findFirst();
        unmapped.flatMap(any -> why()).ifPresent(reason -> {
            if (isKnown() || (shard.getObjectMapper(Archives.ORIGIN) == null && isInDocuments())) {
                throw error(unmapped.get(), reason);
            }
        });
    }

    private QueryShardException error(String part, String reason) {
        return error(shard, object, "[" + object + "." + part + "] must be mapped, but is not, and " + reason);
    }

    /** Why documents may have the object although the mapping does not; empty if they cannot. */
    Optional<String> whyLeftAside() {
        return isKnown() ? Optional.empty() : why();
    }

    /** Whether the source of a document has the object. */
    boolean isIn(Map<String, Object> source) {
        return Stream.of(FingerprintFields.BITS, FingerprintFields.HASH, FingerprintFields.DIGEST)
                .anyMatch(part -> DocumentValues.at(object + "." + part, source).isEmpty() == false);
    }

    /** By name, because a part that only matches a pattern of the mapping may be ignored. */
    private boolean isMapped(String part) {
        DocumentMapper mapper = mapper();
        return mapper != null && mapper.mappers().getMapper(object + "." + part) != null;
    }

    private boolean isKnown() {
        return shard.getObjectMapper(object) != null || NEEDED.stream().anyMatch(this::isMapped);
    }

    private DocumentMapper mapper() {
        return shard.getMapperService().documentMapper();
    }

    /**
     * Why documents may have a part although the mapping does not; empty if they cannot. A template may map a part when a
     * document brings it, and nobody knows that it will: with {@code false_allow_templates}, too, the parts must be mapped.
     */
    private Optional<String> why() {
        DocumentMapper mapper = mapper();
        if (mapper == null) {
            return Optional.empty(); // nothing is indexed yet
        }
        return IndexMapping.of(shard).leavesAside(object);
    }

    /**
     * Reads the newest documents, which went through the current pipeline: a millisecond or two, only where a mapping that ignores
     * unknown fields names no part. Nothing else tells such an index from one without fingerprints, and it would find nothing in silence.
     */
    private boolean isInDocuments() {
        IndexReader reader = shard.getIndexReader();
        if (reader == null) {
            return false;
        }
        SourceLookup source = new SourceLookup();
        int read = 0;
        for (int i = reader.leaves().size() - 1; i >= 0 && read < OF_ALL; i--) {
            LeafReaderContext leaf = reader.leaves().get(i);
            Bits live = leaf.reader().getLiveDocs();
            int end = Math.min(OF_ALL, read + OF_LEAF);
            for (int doc = leaf.reader().maxDoc() - 1; doc >= 0 && read < end; doc--) {
                if (live == null || live.get(doc)) {
                    source.setSegmentAndDocument(leaf, doc);
                    if (isIn(source.loadSourceIfNeeded())) {
                        return true;
                    }
                    read++;
                }
            }
        }
        return false;
    }

    static QueryShardException error(QueryShardContext context, String object, String message) {
        return new QueryShardException(
                context,
                "[simhash] " + message + "; map [" + object + "] as in the plugin's config/index-template.json");
    }
}

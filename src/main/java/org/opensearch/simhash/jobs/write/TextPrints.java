/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.index.Index;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.fingerprint.TagFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * Tells whether the text of a document is still the one that somebody decided about: by the digest of its text, else by its hash or
 * sketch, else by its version.
 *
 * @param field the fingerprint object
 */
record TextPrints(Metadata metadata, String field) {

    private static final int LONGEST = 128;

    private static final List<String> PARTS =
            List.of(FingerprintFields.DIGEST, FingerprintFields.HASH, SketchFields.SKETCH);

    /** Whether the index keeps them where they can be read. Filtering the source is an error where an index keeps none. */
    boolean isKept(String index) {
        IndexMetadata there = metadata.index(index);
        return there != null && new IndexMapping(there).keepsInSource(path(FingerprintFields.DIGEST));
    }

    /** A search that reads what {@link #of} and {@link #group} look at. */
    SearchSourceBuilder source(boolean isKept) {
        String[] paths = Stream.concat(PARTS.stream(), Stream.of(FingerprintFields.SCHEME, TagFields.GROUP))
                .map(this::path)
                .toArray(String[]::new);
        SearchSourceBuilder source = new SearchSourceBuilder().seqNoAndPrimaryTerm(true);
        return isKept ? source.fetchSource(paths, null) : source.fetchSource(false);
    }

    private String path(String part) {
        return field + "." + part;
    }

    String of(SearchHit hit) {
        for (String part : PARTS) {
            List<Object> values = values(hit, part);
            if (values.isEmpty() == false) {
                String print = part + ":"
                        + Stream.concat(
                                        // The digest of a text is the same in all schemes.
                                        part.equals(FingerprintFields.DIGEST)
                                                ? Stream.of()
                                                : values(hit, FingerprintFields.SCHEME).stream(),
                                        values.stream())
                                .map(Object::toString)
                                .collect(Collectors.joining("/"));
                return print.length() <= LONGEST
                        ? print
                        : part + "#"
                                + MessageDigests.toHexString(
                                        MessageDigests.sha256().digest(print.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return version(hit.getShard().getShardId().getIndex(), hit.getSeqNo(), hit.getPrimaryTerm());
    }

    /** Of a document that says nothing of its text. */
    static String version(Index index, long sequenceNumber, long primaryTerm) {
        return "version:" + index.getUUID() + "/" + primaryTerm + "/" + sequenceNumber;
    }

    /** The id of its group; empty without one. */
    List<Object> group(SearchHit hit) {
        return values(hit, TagFields.GROUP);
    }

    private List<Object> values(SearchHit hit, String part) {
        return hit.hasSource() ? DocumentValues.at(path(part), hit.getSourceAsMap()) : List.of();
    }
}

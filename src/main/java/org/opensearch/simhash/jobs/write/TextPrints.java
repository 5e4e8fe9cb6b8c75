/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.index.Index;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.query.IndexMapping;

/**
 * Tells whether the text of a document is still the one that somebody decided about: by the digest of its text, else by its hash or
 * sketch, else by its version.
 *
 * @param fields fingerprint objects; of several that say something of the text, the first one counts
 */
public record TextPrints(Metadata metadata, List<String> fields) {

    private static final int LONGEST = 128;

    private static final String VERSION = "version:";

    private static final List<String> PARTS =
            List.of(FingerprintFields.DIGEST, FingerprintFields.HASH, FingerprintFields.SKETCH);

    /** Whether the index keeps them where they can be read. Filtering the source is an error where an index keeps none. */
    public boolean isKept(String index) {
        IndexMetadata there = metadata.index(index);
        return there != null && paths(FingerprintFields.DIGEST).anyMatch(new IndexMapping(there)::keepsInSource);
    }

    /** A search that reads what {@link #of}, {@link #isStill} and {@link #group} look at. */
    public SearchSourceBuilder source(boolean isKept) {
        String[] paths = Stream.concat(PARTS.stream(), Stream.of(FingerprintFields.SCHEME, FingerprintFields.GROUP))
                .flatMap(this::paths)
                .toArray(String[]::new);
        SearchSourceBuilder source = new SearchSourceBuilder().seqNoAndPrimaryTerm(true);
        return isKept ? source.fetchSource(paths, null) : source.fetchSource(false);
    }

    Stream<String> paths(String part) {
        return fields.stream().map(field -> field + "." + part);
    }

    String of(SearchHit hit) {
        return PARTS.stream()
                .flatMap(part -> print(part, hit).stream())
                .findFirst()
                .orElseGet(() -> version(hit.getShard().getShardId().getIndex(), hit.getSeqNo(), hit.getPrimaryTerm()));
    }

    /** Whether a document has the text of a print; null if it says nothing that can be compared with it. */
    public Boolean isStill(String print, SearchHit hit) {
        String part = print.split("[:#]", 2)[0];
        if (PARTS.contains(part)) {
            return print(part, hit)
                    .filter(now -> scheme(now).equals(scheme(print)))
                    .map(print::equals)
                    .orElse(null);
        }
        Index index = hit.getShard().getShardId().getIndex();
        boolean isOfIndex = print.startsWith(VERSION + index.getUUID() + "/");
        return isOfIndex ? print.equals(version(index, hit.getSeqNo(), hit.getPrimaryTerm())) : null;
    }

    private Optional<String> print(String part, SearchHit hit) {
        return fields.stream()
                .flatMap(field -> print(field, part, hit).stream())
                .findFirst();
    }

    private static Optional<String> print(String field, String part, SearchHit hit) {
        List<Object> values = values(hit, field + "." + part);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        // The digest of a text is the same in all schemes.
        String scheme = part.equals(FingerprintFields.DIGEST)
                ? ""
                : joined(values(hit, field + "." + FingerprintFields.SCHEME), ",") + "/";
        String print = joined(values, "/");
        return Optional.of(
                part.length() + scheme.length() + print.length() < LONGEST
                        ? part + ":" + scheme + print
                        : part + "#" + scheme
                                + MessageDigests.toHexString(
                                        MessageDigests.sha256().digest(print.getBytes(StandardCharsets.UTF_8))));
    }

    private static String joined(List<Object> values, String by) {
        return values.stream().map(Object::toString).collect(Collectors.joining(by));
    }

    /** What is before the value: prints with another beginning are not those of other texts. */
    private static String scheme(String print) {
        return print.startsWith(FingerprintFields.DIGEST) ? "" : print.substring(0, print.indexOf('/') + 1);
    }

    /** Of a document that says nothing of its text. */
    static String version(Index index, long sequenceNumber, long primaryTerm) {
        return VERSION + index.getUUID() + "/" + primaryTerm + "/" + sequenceNumber;
    }

    /** The id of its group; empty without one. */
    List<Object> group(SearchHit hit) {
        return paths(FingerprintFields.GROUP)
                .flatMap(path -> values(hit, path).stream())
                .limit(1)
                .toList();
    }

    private static List<Object> values(SearchHit hit, String path) {
        return hit.hasSource() ? DocumentValues.at(path, hit.getSourceAsMap()) : List.of();
    }
}

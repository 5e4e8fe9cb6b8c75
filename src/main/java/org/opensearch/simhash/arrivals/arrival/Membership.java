/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.TagFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.TargetFields;

/**
 * What a document says of its group, in the fields that jobs write, too.
 *
 * @param group the id of the group
 * @param survivor the id of its survivor; null in the survivor itself
 */
public record Membership(String group, String survivor) {

    /** An id of OpenSearch is not longer. */
    private static final int LONGEST = 512;

    /** As many as in other new ids: 20 characters. */
    private static final int ID_BYTES = 15;

    private static final long OBJECT_BYTES = RamUsageEstimator.shallowSizeOfInstance(Membership.class);

    /** Null if the document says none. */
    public static Membership read(Map<String, Object> source, String field) {
        String group = text(source, field + "." + TagFields.GROUP);
        return group == null ? null : new Membership(group, text(source, field + "." + TagFields.DUPLICATE_OF));
    }

    private static String text(Map<String, Object> source, String path) {
        List<Object> values = DocumentValues.at(path, source);
        return values.size() == 1
                        && values.getFirst() instanceof String text
                        && text.isEmpty() == false
                        && text.length() <= LONGEST
                ? text
                : null;
    }

    /**
     * The id of the group of an original that was stored without one: equal on all nodes, for the same document with
     * the same fingerprint. A job gives the original this id, because its duplicates carry it.
     *
     * @param print null if unknown
     */
    public static String groupOf(DocumentName original, ArrivedPrint print) {
        String of = print == null ? "" : print.hasDigest() ? print.digest().toString() : ofParts(print);
        var hash = MessageDigests.sha256();
        for (String part : List.of(original.index(), original.id(), of)) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            hash.update(bytes);
        }
        return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(hash.digest(), ID_BYTES));
    }

    private static String ofParts(ArrivedPrint print) {
        return switch (print) {
            case ArrivedFingerprint fingerprint ->
                fingerprint.hash() == null
                        ? Long.toHexString(fingerprint.bits())
                        : fingerprint.hash().toHex();
            case ArrivedSketch sketch -> sketch.sketch().toBase64();
            case ArrivedPassages passages -> Arrays.toString(passages.terms());
        };
    }

    /** Writes the fields below the fingerprint object, and removes other values there. */
    public void write(IngestDocument document, String field) {
        write(document, field, TagFields.GROUP, group);
        write(document, field, TagFields.DUPLICATE_OF, survivor);
    }

    @SuppressWarnings("unchecked") // as parsed from JSON
    private static void write(IngestDocument document, String field, String part, String value) {
        String path = field + "." + part;
        TargetFields.remove(document, path);
        if (value == null) {
            return;
        }
        // The object may be the one element of an array.
        DocumentValues.at(field, document.getSourceAndMetadata()).stream()
                .filter(Map.class::isInstance)
                .findFirst()
                .ifPresentOrElse(
                        object -> ((Map<String, Object>) object).put(part, value),
                        () -> document.setFieldValue(path, value));
    }

    /** On the heap. */
    public long bytes() {
        return OBJECT_BYTES
                + RamUsageEstimator.sizeOf(group)
                + (survivor == null ? 0 : RamUsageEstimator.sizeOf(survivor));
    }
}

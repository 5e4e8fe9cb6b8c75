/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.DocumentValues.TargetFields;

/**
 * What a document says of its group, and of those that it is kept apart from, in the fields that jobs write, too. The window and the
 * answers of other nodes have it, so that it is known before a refresh.
 *
 * @param group the id of the group; null if it says only what it is kept apart from
 * @param survivor the id of its survivor; null in the survivor itself
 * @param apart the ids from which people keep it apart
 */
public record Membership(String group, String survivor, Set<String> apart) implements Writeable {

    /** An id of OpenSearch is not longer. */
    private static final int LONGEST = 512;

    /** As many as in other new ids: 20 characters. */
    private static final int ID_BYTES = 15;

    private static final long OBJECT_BYTES = RamUsageEstimator.shallowSizeOfInstance(Membership.class);

    /** Null if the document says none. */
    public static Membership read(Map<String, Object> source, String field) {
        String group = text(source, field + "." + FingerprintFields.GROUP);
        Set<String> apart = texts(source, field + "." + FingerprintFields.APART).collect(Collectors.toSet());
        return group == null && apart.isEmpty()
                ? null
                : new Membership(group, text(source, field + "." + FingerprintFields.DUPLICATE_OF), apart);
    }

    private static Stream<String> texts(Map<String, Object> source, String path) {
        return DocumentValues.at(path, source).stream()
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> text.isEmpty() == false && text.length() <= LONGEST);
    }

    /** Null if there is none, or several. */
    private static String text(Map<String, Object> source, String path) {
        List<String> values = texts(source, path).toList();
        return values.size() == 1 ? values.getFirst() : null;
    }

    public Membership(StreamInput in) throws IOException {
        this(in.readOptionalString(), in.readOptionalString(), in.readSet(StreamInput::readString));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeOptionalString(group);
        out.writeOptionalString(survivor);
        out.writeStringCollection(apart);
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
        write(document, field, FingerprintFields.GROUP, group);
        write(document, field, FingerprintFields.DUPLICATE_OF, survivor);
        write(document, field, FingerprintFields.APART, apart.isEmpty() ? null : List.copyOf(apart));
    }

    @SuppressWarnings("unchecked") // as parsed from JSON
    private static void write(IngestDocument document, String field, String part, Object value) {
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

    public long bytes() {
        return OBJECT_BYTES
                + (group == null ? 0 : RamUsageEstimator.sizeOf(group))
                + (survivor == null ? 0 : RamUsageEstimator.sizeOf(survivor))
                + apart.stream().mapToLong(RamUsageEstimator::sizeOf).sum();
    }
}

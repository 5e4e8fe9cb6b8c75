/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.ProcessorOptions;

/**
 * The ingest processor {@code simhash} with {@code hash_field}: writes a given 64-bit hash, such as an image's, as a
 * fingerprint. Thread-safe.
 */
final class GivenHashProcessor extends FingerprintProcessor {

    private final GivenHash hash;

    private GivenHashProcessor(String tag, String description, Target target, GivenHash hash) {
        super(tag, description, target, List.of(hash.path()));
        this.hash = hash;
    }

    static GivenHashProcessor read(String tag, String description, ProcessorOptions options, FingerprintCounts counts) {
        Target target = Target.read(options, counts);
        GivenHash hash = GivenHash.read(options);
        target.requireApart(hash.path());
        return new GivenHashProcessor(tag, description, target, hash);
    }

    @Override
    public String getType() {
        return SimHashProcessor.TYPE;
    }

    @Override
    public String scheme() {
        return hash.scheme();
    }

    @Override
    Optional<Map<String, Object>> fingerprint(Map<String, Object> document) {
        Object value = DocumentValues.asItStands(hash.path(), document);
        return value == null
                ? Optional.empty()
                : Optional.of(FingerprintFields.ofBits(
                        hash.format().bits(hash.path(), value), hash.scheme(), hash.segments()));
    }

    /**
     * Unsigned numbers become strings, each of them, so that a dynamic mapping takes all of them: one above 2^63 does not fit into
     * the {@code long} that a smaller one would make of it.
     */
    @Override
    void written(IngestDocument document) {
        if (hash.format() == HashFormat.UNSIGNED
                && document.getFieldValue(hash.path(), Object.class, true) instanceof Number number) {
            document.setFieldValue(hash.path(), number.toString());
        }
    }

    @Override
    String missing() {
        return "document has no field [" + hash.path() + "], the [hash_field] of the processor [simhash]";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.LongHash.HashFormat;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.ingest.FingerprintProcessor.Target;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * The location and format of a given hash: the options of {@code simhash} with {@code hash_field}. Immutable.
 *
 * @param length of the hash in bits: 64 or 256
 * @param scheme {@code given-} and the value of {@code hash_scheme}; only hashes of one scheme are comparable
 * @param segments how the hash is cut for the index
 */
record GivenHash(String path, HashFormat format, int length, String scheme, SegmentLayout segments) {

    static final String HASH_FIELD = "hash_field";

    private static final String HASH_FORMAT = "hash_format";
    private static final String HASH_SCHEME = "hash_scheme";

    /** Also an option of {@code image_hash}. */
    static final String HASH_BITS = "hash_bits";

    static final Set<String> OPTIONS = Set.of(HASH_FIELD, HASH_FORMAT, HASH_BITS, HASH_SCHEME);

    static final String PREFIX = "given-";

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z0-9._-]{1,58}");

    static FingerprintProcessor processor(
            String tag, String description, ProcessorOptions options, FingerprintCounts counts) {
        Target target = Target.read(options, counts);
        GivenHash hash = read(options);
        target.requireApart(hash.path);
        return new GivenHashProcessor(tag, description, target, hash);
    }

    private static GivenHash read(ProcessorOptions options) {
        String path = options.field(HASH_FIELD, null);
        for (String option : RecipeParser.OPTIONS) {
            refuse(options, option, "goes with [field] or [fields], not with [" + HASH_FIELD + "]");
        }
        HashFormat format = options.choice(HASH_FORMAT, HashFormat.class, HashFormat.HEX);
        String scheme = options.string(HASH_SCHEME, null);
        if (scheme == null || SCHEME.matcher(scheme).matches() == false) {
            throw new IllegalArgumentException("[" + HASH_SCHEME
                    + "] must say what made the hashes of [" + HASH_FIELD
                    + "], in 1 to 58 letters, digits, dots, hyphens and underscores, got: "
                    + (scheme == null ? "none" : TypedNumber.shown(scheme)));
        }
        int length = length(options, Long.SIZE);
        return new GivenHash(path, format, length, PREFIX + scheme, segments(options, length));
    }

    /** @param usual bits where no option says them */
    static int length(ProcessorOptions options, int usual) {
        return LongHash.requireLength(options.wholeNumber(HASH_BITS, usual));
    }

    /** The option {@code segments} of a hash of some length in bits. */
    static SegmentLayout segments(ProcessorOptions options, int length) {
        int words = length / Long.SIZE;
        return new SegmentLayout(options.wholeNumber("segments", SegmentLayout.USUAL * words), words);
    }

    static Map<String, Object> fields(long[] words, String scheme, SegmentLayout segments) {
        return words.length == 1
                ? FingerprintFields.ofBits(words[0], scheme, segments)
                : FingerprintFields.ofHash(new LongHash(words), scheme, segments);
    }

    /** Refuses these options without {@code hash_field}. */
    static void refuseOptions(ProcessorOptions options) {
        refuse(options, HASH_FORMAT, "needs [" + HASH_FIELD + "]");
        refuse(options, HASH_BITS, "needs [" + HASH_FIELD + "]");
        refuse(options, HASH_SCHEME, "needs [" + HASH_FIELD + "]");
    }

    private static void refuse(ProcessorOptions options, String option, String rule) {
        Object value = options.any(option);
        if (value != null) {
            throw new IllegalArgumentException(
                    "[" + option + "] " + rule + ", got: " + TypedNumber.shown(value.toString()));
        }
    }

    /**
     * The ingest processor {@code simhash} with {@code hash_field}: writes a given hash of 64 or 256 bits, such as an image's, as a
     * fingerprint. Thread-safe.
     */
    private static final class GivenHashProcessor extends FingerprintProcessor {

        private final GivenHash hash;

        private GivenHashProcessor(String tag, String description, Target target, GivenHash hash) {
            super(tag, description, target, List.of(hash.path()));
            this.hash = hash;
        }

        @Override
        public String getType() {
            return SketchKind.SIMHASH.toString();
        }

        @Override
        public String scheme() {
            return hash.scheme();
        }

        @Override
        Optional<Made> fingerprint(Map<String, Object> document) {
            Object value = DocumentValues.asItStands(hash.path(), document);
            if (value == null) {
                return Optional.empty();
            }
            long[] words = hash.format().words(hash.path(), value, hash.length());
            return Optional.of(made(GivenHash.fields(words, hash.scheme(), hash.segments())));
        }

        /**
         * Numbers that may be above 2^63 become strings, each of them, so that a dynamic mapping takes all of them: such a one does not
         * fit into the {@code long} that a smaller one would make of it.
         */
        @Override
        void written(IngestDocument document) {
            if (hash.format().isWide(hash.length()) == false) {
                return;
            }
            Object value = document.getFieldValue(hash.path(), Object.class, true);
            List<?> parts = HashFormat.parts(value);
            if (value instanceof Number number) {
                document.setFieldValue(hash.path(), number.toString());
            } else if (parts != null) {
                document.setFieldValue(
                        hash.path(),
                        parts.stream().map(String::valueOf).collect(Collectors.toCollection(ArrayList::new)));
            }
        }

        @Override
        String missing() {
            return "document has no field [" + hash.path() + "], the [hash_field] of the processor [simhash]";
        }
    }
}

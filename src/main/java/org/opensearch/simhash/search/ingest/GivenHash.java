/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.HashFormat;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * The location and format of a given hash: the options of {@code simhash} with {@code hash_field}. Immutable.
 *
 * @param path of the field
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

    /** Distinct from all schemes of texts. */
    static final String PREFIX = "given-";

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z0-9._-]{1,58}");

    /** @throws IllegalArgumentException naming the option, the rule and the value */
    static GivenHash read(ProcessorOptions options) {
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

    /** The fields to store for a hash. */
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
}

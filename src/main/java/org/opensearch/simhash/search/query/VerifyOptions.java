/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.StrictCharacters;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.options.RequestOptions;

/** The options of {@code verify}, in requests and between nodes. */
public final class VerifyOptions {

    static final String NAME = "verify";

    private static final String FIELD = "field";
    private static final String MEASURE = "measure";
    private static final String SHINGLE_SIZE = "shingle_size";
    public static final String MIN_SIMILARITY = "min_similarity";
    private static final String STRICT_CHARACTERS = "strict_characters";
    private static final String STRIP = "strip";

    private static final ConstructingObjectParser<Verification, Void> PARSER = new ConstructingObjectParser<>(
            NAME,
            options -> stripping(
                    Verification.of(
                            (String) options[0], // checked there: the message of OpenSearch does not name the option
                            (String) options[1],
                            (Integer) options[2],
                            (Double) options[3],
                            (String) options[4]),
                    (List<?>) options[5]));

    static {
        declare(RequestOptions.string("[field] of [verify] must be a string"), FIELD);
        declare(RequestOptions.string("[measure] must be one of " + Measure.NAMES), MEASURE);
        declare(RequestOptions.integer("shingle_size"), SHINGLE_SIZE);
        declare(RequestOptions.number("[min_similarity] must be a number between 0 and 1"), MIN_SIMILARITY);
        declare(RequestOptions.text("strict_characters"), STRICT_CHARACTERS);
        declare(RequestOptions.strings("[strip] must be a list of digests of [blocks]"), STRIP);
    }

    private static <T> void declare(CheckedFunction<XContentParser, T, IOException> reader, String name) {
        RequestOptions.declare(PARSER, name, ConstructingObjectParser.optionalConstructorArg(), reader);
    }

    private VerifyOptions() {}

    /** @param digests may be null */
    private static Verification stripping(Verification verification, List<?> digests) {
        return digests == null
                ? verification
                : verification.withStrip(digests.stream().map(String::valueOf).toList());
    }

    /** @throws IllegalArgumentException also without a field */
    public static Verification fromXContent(XContentParser parser) throws IOException {
        return withOptionalField(parser).requireField();
    }

    /** Without a field, what the fingerprints are made of is compared. */
    public static Verification withOptionalField(XContentParser parser) throws IOException {
        return RequestOptions.parse(PARSER, parser);
    }

    /**
     * The options of a processor: an object, {@code true} for the defaults, {@code false} for no verification.
     *
     * @param typed null if it is not given
     * @return null for no verification
     */
    @SuppressWarnings("unchecked") // from JSON
    public static Map<String, Object> typed(Object typed, boolean byDefault) {
        if (typed instanceof Map<?, ?> options) {
            return (Map<String, Object>) options;
        }
        return switch (typed == null ? String.valueOf(byDefault) : typed.toString()) {
            case "true" -> Map.of();
            case "false" -> null;
            default -> throw new IllegalArgumentException("[verify] must be an object, true or false, got: " + typed);
        };
    }

    /** As {@link #withOptionalField}; also what {@link #asMap} has written. */
    public static Verification fromTyped(Map<String, Object> options) {
        try (XContentBuilder json = JsonXContent.contentBuilder().map(options);
                XContentParser parser = JsonXContent.jsonXContent.createParser(
                        NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.toString())) {
            return withOptionalField(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void toXContent(XContentBuilder builder, Verification verification) throws IOException {
        builder.field(NAME, asMap(verification));
    }

    /** As in a request. */
    public static Map<String, Object> asMap(Verification verification) {
        Map<String, Object> options = new LinkedHashMap<>();
        if (verification.field() != null) {
            options.put(FIELD, verification.field());
        }
        options.put(MEASURE, verification.measure().toString());
        options.put(SHINGLE_SIZE, verification.shingleSize());
        options.put(MIN_SIMILARITY, verification.minSimilarity());
        if (verification.strictCharacters() != null) {
            options.put(STRICT_CHARACTERS, verification.strictCharacters().toString());
        }
        if (verification.strip().isEmpty() == false) {
            options.put(STRIP, verification.strip().digests());
        }
        return options;
    }

    public static Verification read(StreamInput in) throws IOException {
        Verification verification = Verification.of(
                in.readOptionalString(), in.readString(), in.readVInt(), in.readDouble(), in.readOptionalString());
        return verification.withStrip(in.readStringList());
    }

    public static void write(StreamOutput out, Verification verification) throws IOException {
        StrictCharacters strict = verification.strictCharacters();
        out.writeOptionalString(verification.field());
        out.writeString(verification.measure().toString());
        out.writeVInt(verification.shingleSize());
        out.writeDouble(verification.minSimilarity());
        out.writeOptionalString(strict == null ? null : strict.toString());
        out.writeStringCollection(verification.strip().digests());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.StrictCharacters;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** The options of {@code verify}, in requests and between nodes. */
public final class VerifyOptions {

    static final String NAME = "verify";

    private static final String FIELD = "field";
    private static final String MEASURE = "measure";
    private static final String SHINGLE_SIZE = "shingle_size";
    public static final String MIN_SIMILARITY = "min_similarity";
    private static final String STRICT_CHARACTERS = "strict_characters";
    private static final String STRIP = "strip";

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser(NAME);

    static {
        declare(PARSER, FIELD, RequestOptions.string("[field] of [verify] must be a string"));
        declare(PARSER, MEASURE, RequestOptions.string("[measure] must be one of " + Measure.NAMES));
        option(PARSER, SHINGLE_SIZE, RequestOptions::integer);
        option(PARSER, MIN_SIMILARITY, RequestOptions::share);
        option(PARSER, STRICT_CHARACTERS, RequestOptions::text);
        declare(PARSER, STRIP, RequestOptions.strings("[strip] must be a list of digests of [blocks]"));
    }

    private VerifyOptions() {}

    /** @throws IllegalArgumentException also without a field */
    public static Verification fromXContent(XContentParser parser) throws IOException {
        return withOptionalField(parser).requireField();
    }

    /** Without a field, what the fingerprints are made of is compared. */
    public static Verification withOptionalField(XContentParser parser) throws IOException {
        Given given = RequestOptions.parse(PARSER, parser);
        Verification verification = Verification.of(
                given.get(FIELD, null),
                given.get(MEASURE, null),
                given.get(SHINGLE_SIZE, null),
                given.get(MIN_SIMILARITY, null),
                given.get(STRICT_CHARACTERS, null));
        return given.has(STRIP) ? verification.withStrip(given.get(STRIP, List.of())) : verification;
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

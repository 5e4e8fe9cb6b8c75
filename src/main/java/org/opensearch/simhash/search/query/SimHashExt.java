/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/**
 * The {@code ext} section {@code simhash}: what a search asks for, or in its answer what was done. OpenSearch has one reader and one parser
 * of a name for both.
 */
public final class SimHashExt extends SearchExtBuilder {

    public static final String NAME = "simhash";
    /** In a search: the options of a page without near-duplicates. In an answer: a number. */
    public static final String DISTINCT = "distinct";

    public static final String WINDOW = "window";
    /** In a search: each hit says why it matches. */
    private static final String EVIDENCE = "evidence";

    private static final List<String> COUNTS = List.of(WINDOW, "hits", DISTINCT, "hidden", "kept_apart");
    private static final String DISTINCT_RULE = "[" + DISTINCT + "] must be an object";
    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser(NAME);

    static {
        RequestOptions.option(PARSER, EVIDENCE, RequestOptions::flag);
        RequestOptions.option(PARSER, "window_exhausted", RequestOptions::flag);
        for (String count : COUNTS) {
            RequestOptions.declare(
                    PARSER, count, count.equals(DISTINCT) ? SimHashExt::distinct : XContentParser::intValue);
        }
        PARSER.declareExclusiveFieldSet(EVIDENCE, WINDOW);
    }

    private final Map<String, Object> parts;

    /** @param parts in order */
    public SimHashExt(Map<String, Object> parts) {
        this.parts = parts;
    }

    @SuppressWarnings("unchecked") // as written
    public SimHashExt(StreamInput in) throws IOException {
        this((Map<String, Object>) MessageForm.read(in).readGenericValue());
    }

    public static SimHashExt evidence() {
        return new SimHashExt(Map.of(EVIDENCE, true));
    }

    public static SimHashExt fromXContent(XContentParser parser) throws IOException {
        Given given = RequestOptions.parse(PARSER, parser);
        if (given.get(DISTINCT, null) instanceof Integer number && given.has(WINDOW) == false) {
            throw new IllegalArgumentException(DISTINCT_RULE + ", got: " + number);
        }
        return new SimHashExt(given.all());
    }

    /** The options of a request, or the count of an answer. */
    private static Object distinct(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> parser.map();
            case VALUE_NUMBER -> parser.intValue();
            default -> throw RequestOptions.wrong(DISTINCT_RULE, parser);
        };
    }

    /** Of a search, the options of a page without near-duplicates, as typed; null if it does not ask for one. */
    public static Map<String, Object> distinct(SearchRequest search) {
        return search.source() == null
                ? null
                : search.source().ext().stream()
                        .map(ext -> ext instanceof SimHashExt request ? request.distinct() : null)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    public static boolean isEvidenceWanted(SearchExtBuilder ext) {
        return ext instanceof SimHashExt request && Boolean.TRUE.equals(request.parts.get(EVIDENCE));
    }

    /** The options of a page without near-duplicates; null if it is not asked for. */
    @SuppressWarnings("unchecked") // from JSON
    public Map<String, Object> distinct() {
        return parts.get(DISTINCT) instanceof Map<?, ?> options ? (Map<String, Object>) options : null;
    }

    /** What shards and other clusters see of a section. */
    public static Stream<SearchExtBuilder> withoutDistinct(SearchExtBuilder ext) {
        boolean isEvidence = ext instanceof SimHashExt == false || isEvidenceWanted(ext);
        return isEvidence ? Stream.of(ext instanceof SimHashExt ? evidence() : ext) : Stream.empty();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        MessageForm.write(out);
        out.writeGenericValue(parts);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.field(NAME, parts);
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SimHashExt ext && parts.equals(ext.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        return parts.toString();
    }
}

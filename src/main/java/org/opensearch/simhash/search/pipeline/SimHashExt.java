/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.query.EvidenceRequest;

/**
 * The {@code ext} section {@code simhash} of a search: {@link EvidenceRequest} or {@link DistinctRequest} in requests,
 * {@link CollapseCounts} in responses. OpenSearch has one reader and parser per name for both.
 */
public final class SimHashExt {

    public static final String NAME = EvidenceRequest.NAME;

    private static final String DISTINCT_RULE = "[" + DistinctRequest.NAME + "] must be an object";

    private static final ConstructingObjectParser<SearchExtBuilder, Void> PARSER =
            new ConstructingObjectParser<>(NAME, SimHashExt::of);

    static {
        PARSER.declareField(
                ConstructingObjectParser.optionalConstructorArg(),
                RequestOptions.flag(EvidenceRequest.EVIDENCE.getPreferredName()),
                EvidenceRequest.EVIDENCE,
                ObjectParser.ValueType.BOOLEAN);
        PARSER.declareInt(ConstructingObjectParser.optionalConstructorArg(), CollapseCounts.WINDOW);
        PARSER.declareInt(ConstructingObjectParser.optionalConstructorArg(), CollapseCounts.HITS);
        PARSER.declareField(
                ConstructingObjectParser.optionalConstructorArg(),
                (parser, c) -> distinct(parser),
                CollapseCounts.DISTINCT,
                RequestOptions.ANY);
        PARSER.declareInt(ConstructingObjectParser.optionalConstructorArg(), CollapseCounts.HIDDEN);
        PARSER.declareBoolean(ConstructingObjectParser.optionalConstructorArg(), CollapseCounts.WINDOW_EXHAUSTED);
        PARSER.declareInt(ConstructingObjectParser.optionalConstructorArg(), CollapseCounts.KEPT_APART);
        PARSER.declareExclusiveFieldSet(
                EvidenceRequest.EVIDENCE.getPreferredName(), CollapseCounts.WINDOW.getPreferredName());
    }

    private SimHashExt() {}

    public static SearchExtBuilder read(StreamInput in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case EvidenceRequest.KIND -> new EvidenceRequest(in);
            case CollapseCounts.KIND -> new CollapseCounts(in);
            case DistinctRequest.KIND -> new DistinctRequest(in);
            default -> throw MessageForm.unknown(kind);
        };
    }

    public static SearchExtBuilder fromXContent(XContentParser parser) throws IOException {
        return RequestOptions.parse(PARSER, parser);
    }

    /** The options of a request, or the count of a response. */
    private static Object distinct(XContentParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> parser.map();
            case VALUE_NUMBER -> parser.intValue();
            default -> throw RequestOptions.wrong(DISTINCT_RULE, parser);
        };
    }

    @SuppressWarnings("unchecked") // from JSON
    private static SearchExtBuilder of(Object[] arguments) {
        boolean evidence = Boolean.TRUE.equals(arguments[0]);
        if (arguments[3] instanceof Map<?, ?> options) {
            return new DistinctRequest((Map<String, Object>) options, evidence);
        }
        if (arguments[1] == null) {
            if (arguments[3] != null) {
                throw new IllegalArgumentException(DISTINCT_RULE + ", got: " + arguments[3]);
            }
            return new EvidenceRequest(evidence);
        }
        return new CollapseCounts(
                (Integer) arguments[1],
                count(arguments[2]),
                count(arguments[3]),
                count(arguments[4]),
                count(arguments[6]),
                Boolean.TRUE.equals(arguments[5]));
    }

    private static int count(Object value) {
        return value == null ? 0 : (Integer) value;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A document in a report.
 *
 * @param error why it could not be read, or null
 * @param source null if the document does not exist
 */
record ReportedDocument(
        String index,
        String id,
        String routing,
        String error,
        long sequenceNumber,
        long primaryTerm,
        Map<String, Object> source,
        long length)
        implements ToXContentObject {

    static final int MOST_CHARACTERS = 100_000;
    private static final long LEAST_LENGTH = 200;

    static ReportedDocument of(MultiGetItemResponse answer, String routing) {
        if (answer.isFailed()) {
            String error = answer.getFailure().getFailure().getMessage();
            return new ReportedDocument(
                    answer.getIndex(),
                    answer.getId(),
                    routing,
                    whole(String.valueOf(error)),
                    -1,
                    0,
                    null,
                    LEAST_LENGTH);
        }
        GetResponse found = answer.getResponse();
        boolean hasSource = found.isExists() && found.isSourceEmpty() == false;
        Map<String, Object> source = hasSource ? object(found.getSourceAsMap()) : found.isExists() ? Map.of() : null;
        long length = LEAST_LENGTH + (hasSource ? found.getSourceAsBytesRef().length() : 0);
        return new ReportedDocument(
                answer.getIndex(),
                answer.getId(),
                routing,
                null,
                found.getSeqNo(),
                found.getPrimaryTerm(),
                source,
                length);
    }

    private static Map<String, Object> object(Map<?, ?> object) {
        Map<String, Object> whole = new LinkedHashMap<>();
        object.forEach((key, value) -> whole.put(whole(String.valueOf(key)), value(value)));
        return whole;
    }

    private static Object value(Object value) {
        return switch (value) {
            case Map<?, ?> object -> object(object);
            case List<?> list -> {
                List<Object> whole = new ArrayList<>();
                list.forEach(each -> whole.add(value(each)));
                yield whole;
            }
            case String text -> text(text);
            case null -> null;
            default -> value;
        };
    }

    private static String text(String text) {
        return text.length() > MOST_CHARACTERS ? whole(text.substring(0, MOST_CHARACTERS)) + " … (cut)" : whole(text);
    }

    /** Replaces half surrogate pairs, which a file cannot hold. */
    private static String whole(String text) {
        StringBuilder whole = null;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean isPair = Character.isHighSurrogate(unit)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            if (isPair) {
                i++;
            } else if (Character.isSurrogate(unit)) {
                whole = whole == null ? new StringBuilder(text) : whole;
                whole.setCharAt(i, '\ufffd');
            }
        }
        return whole == null ? text : whole.toString();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject().field("index", index).field("id", id);
        if (routing != null) {
            builder.field("routing", routing);
        }
        if (error != null) {
            builder.startObject("error").field("reason", error).endObject();
        }
        builder.field("found", source != null);
        builder.field("_seq_no", sequenceNumber).field("_primary_term", primaryTerm);
        if (source != null) {
            builder.field("_source", source);
        }
        return builder.endObject();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.search.sort.SortOrder;

/**
 * By what survivors are chosen.
 *
 * @param field {@code _id}, or a field with doc values
 * @param order which end of its values survives
 */
public record SurvivorField(String field, SortOrder order) implements Writeable {

    static final String ID = "_id";

    static final ConstructingObjectParser<SurvivorField, Void> PARSER = new ConstructingObjectParser<>(
            "survivor", options -> new SurvivorField((String) options[0], order((String) options[1])));

    static {
        PARSER.declareString(ConstructingObjectParser.constructorArg(), new ParseField("field"));
        PARSER.declareString(ConstructingObjectParser.optionalConstructorArg(), new ParseField("order"));
    }

    SurvivorField(StreamInput in) throws IOException {
        this(in.readString(), SortOrder.readFromStream(in));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(field);
        order.writeTo(out);
    }

    /** The whole order in words: equal for orders that are. */
    static String describe(List<SurvivorField> fields) {
        return fields.stream()
                .map(field -> field.field + " " + field.order)
                .collect(Collectors.joining(", ", "[", "]"));
    }

    boolean isId() {
        return field.equals(ID);
    }

    private static SortOrder order(String name) {
        return switch (name) {
            case null -> SortOrder.ASC;
            case "asc" -> SortOrder.ASC;
            case "desc" -> SortOrder.DESC;
            default -> throw new IllegalArgumentException("[order] must be one of [asc, desc], got: " + name);
        };
    }
}

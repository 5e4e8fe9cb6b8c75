/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;

/**
 * A field that chooses survivors.
 *
 * @param field {@code _id}, or a field with doc values
 * @param order of its values; the first one survives
 */
public record SurvivorField(String field, SortOrder order) {

    static final String ID = "_id";

    static final ConstructingObjectParser<SurvivorField, Void> PARSER = new ConstructingObjectParser<>(
            "survivor",
            options -> new SurvivorField(
                    (String) options[0], options[1] == null ? SortOrder.ASC : (SortOrder) options[1]));

    static {
        declare(
                PARSER,
                "field",
                ConstructingObjectParser.constructorArg(),
                RequestOptions.string("[field] of [survivor] must be a string"));
        declare(
                PARSER,
                "order",
                ConstructingObjectParser.optionalConstructorArg(),
                Choice.reader("order", SortOrder.class));
    }

    public SurvivorField {
        ProcessorOptions.requirePath("[field] of [survivor] must name a field", field);
    }

    /** The order in words. Equal orders have equal words. */
    public static String describe(List<SurvivorField> fields) {
        return fields.stream()
                .map(field -> field.field + " " + field.order)
                .collect(Collectors.joining(", ", "[", "]"));
    }

    public boolean isId() {
        return field.equals(ID);
    }

    /**
     * Compares two documents. Missing values come last in either order.
     *
     * @param a the raw sort value of a search; null if it is missing
     * @param b the same of the other document; may be another type of number
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public int compare(Object a, Object b) {
        if (a == null || b == null) {
            return Boolean.compare(a == null, b == null);
        }
        if (a.getClass() == b.getClass()) {
            return ordered(((Comparable) withoutNegativeZero(a)).compareTo(withoutNegativeZero(b)));
        }
        return ordered(new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())));
    }

    /** Negative zero equals 0 only in some comparisons. Mixing these makes an inconsistent order. */
    private static Object withoutNegativeZero(Object value) {
        return switch (value) {
            case Double number -> number + 0.0;
            case Float number -> number + 0.0f;
            default -> value;
        };
    }

    public int ordered(int ascending) {
        return order == SortOrder.ASC ? ascending : -ascending;
    }
}

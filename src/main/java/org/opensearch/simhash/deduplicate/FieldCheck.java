/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.SurvivorField;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.transport.client.Client;

/** Refuses fields that do not tell what a job wants of them, before anything is read or written. */
final class FieldCheck {

    private static final String UNMAPPED = "unmapped";

    /** Their raw sort values are the numbers themselves. Those of unsigned_long can be sorted with no others. */
    private static final Set<String> NUMBERS =
            Set.of("byte", "short", "integer", "long", "token_count", "half_float", "float", "double", "scaled_float");

    private static final Set<String> STRINGS = Set.of("keyword", "constant_keyword", "wildcard", "text");

    private final DeduplicateOptions options;
    private final List<String> indices;

    /** @param indices names of the indices themselves */
    FieldCheck(DeduplicateOptions options, String[] indices) {
        this.options = options;
        this.indices = Arrays.asList(indices);
    }

    /** Looks at the fields, by the caller's permissions; waits for the answer. */
    void check(Client client) {
        List<String> names = new ArrayList<>(options.same());
        options.survivor().stream().filter(field -> field.isId() == false).forEach(field -> names.add(field.field()));
        String bits = options.field() + "." + FingerprintFields.BITS;
        String digest = options.field() + "." + FingerprintFields.DIGEST;
        names.add(bits);
        names.add(digest);
        FieldCapabilitiesRequest request = new FieldCapabilitiesRequest()
                .indices(indices.toArray(String[]::new))
                .fields(names.toArray(String[]::new))
                .includeUnmapped(true);
        FieldCapabilitiesResponse fields = client.fieldCaps(request).actionGet();
        Set<String> without = unmappedIn(fields, bits);
        without.retainAll(unmappedIn(fields, digest));
        if (without.isEmpty() == false && options.candidates() == null) {
            throw new IllegalArgumentException("[field] must be the object that the [simhash] processor writes, but ["
                    + bits + "] is not mapped in " + without);
        }
        options.same().forEach(field -> requireValues("same", field, fields));
        for (SurvivorField field : options.survivor()) {
            if (field.isId() == false) {
                requireValues("survivor", field.field(), fields);
                requireComparable(field.field(), fields.getField(field.field()));
            }
        }
    }

    private Set<String> unmappedIn(FieldCapabilitiesResponse fields, String name) {
        Map<String, FieldCapabilities> byType = fields.getField(name);
        if (byType == null) {
            return new TreeSet<>(indices);
        }
        FieldCapabilities unmapped = byType.get(UNMAPPED);
        return unmapped == null ? new TreeSet<>() : indicesOf(unmapped);
    }

    private Set<String> indicesOf(FieldCapabilities type) {
        return new TreeSet<>(type.indices() == null ? indices : Arrays.asList(type.indices()));
    }

    private void requireValues(String option, String name, FieldCapabilitiesResponse fields) {
        Set<String> unmapped = unmappedIn(fields, name);
        if (unmapped.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[" + option + "] must name mapped fields, but [" + name + "] is not mapped in " + unmapped);
        }
        fields.getField(name).forEach((type, capabilities) -> {
            if (capabilities.isAggregatable() == false) {
                throw new IllegalArgumentException("[" + option + "] must name fields with doc values, but [" + name
                        + "] is of type [" + type + "]");
            }
        });
    }

    /** The stored values are compared: a date is in milliseconds, a date_nanos in nanoseconds. */
    private void requireComparable(String name, Map<String, FieldCapabilities> byType) {
        if (byType.size() > 1
                && NUMBERS.containsAll(byType.keySet()) == false
                && STRINGS.containsAll(byType.keySet()) == false) {
            String types = new TreeMap<>(byType)
                    .entrySet().stream()
                            .map(type -> type.getKey() + " in " + indicesOf(type.getValue()))
                            .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    "[survivor] must name fields of one type, but [" + name + "] is " + types);
        }
    }
}

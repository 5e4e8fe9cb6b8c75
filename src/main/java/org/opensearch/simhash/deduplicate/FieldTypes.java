/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.query.ValuesField;
import org.opensearch.transport.client.Client;

/** How indices map some fields and their {@code keyword} sub-fields. */
final class FieldTypes {

    private static final String UNMAPPED = "unmapped";

    private final List<String> indices;
    private final FieldCapabilitiesResponse fields;

    /**
     * @param name of the field or of its sub-field with values
     * @param type of the field with that name
     * @param hasValues whether documents can be compared by it
     */
    record FieldType(String name, String type, boolean hasValues) {}

    /**
     * Asks with the caller's permissions. Blocks its thread.
     *
     * @param retries ask again if an index is too busy to answer
     */
    FieldTypes(Client client, Retries retries, List<String> indices, Collection<String> names) {
        this.indices = indices;
        FieldCapabilitiesRequest request = new FieldCapabilitiesRequest()
                .indices(indices.toArray(String[]::new))
                .fields(names.stream()
                        // With what is below, an object is in the answer, too.
                        .flatMap(name -> Stream.of(name, name + ".*"))
                        .toArray(String[]::new))
                .includeUnmapped(true);
        this.fields = retries.call(() -> ofAll(client.fieldCaps(request).actionGet()));
    }

    /** Fails if an index does not answer. It would look like an index without the fields. */
    private FieldCapabilitiesResponse ofAll(FieldCapabilitiesResponse answer) {
        Set<String> silent = new TreeSet<>(indices);
        silent.removeAll(Arrays.asList(answer.getIndices()));
        if (silent.isEmpty() == false) {
            throw new OpenSearchStatusException(
                    "the fields of " + silent + " cannot be read at present", RestStatus.TOO_MANY_REQUESTS);
        }
        return answer;
    }

    /** By index, ascending; without indices that do not map the field. */
    Map<String, FieldType> byIndex(String name) {
        Map<String, FieldType> types = itself(name);
        itself(name + ValuesField.SUB_FIELD).forEach((index, below) -> {
            FieldType above = types.get(index);
            if (above != null && ValuesField.isBelow(above.type, below.type, below.hasValues)) {
                types.put(index, below);
            }
        });
        return types;
    }

    /** The nested path around a field in one of some indices; null if there is none. */
    String nestedAround(String name, Collection<String> some) {
        for (int dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
            Map<String, FieldCapabilities> byType = fields.getField(name.substring(0, dot));
            FieldCapabilities nested = byType == null ? null : byType.get(ObjectMapper.NESTED_CONTENT_TYPE);
            if (nested != null && indicesOf(nested).stream().anyMatch(some::contains)) {
                return name.substring(0, dot);
            }
        }
        return null;
    }

    private Map<String, FieldType> itself(String name) {
        Map<String, FieldType> types = new TreeMap<>();
        Map<String, FieldCapabilities> byType = fields.getField(name);
        if (byType != null) {
            byType.forEach((type, capabilities) -> {
                if (type.equals(UNMAPPED) == false) {
                    for (String index : indicesOf(capabilities)) {
                        types.put(index, new FieldType(name, type, hasValues(capabilities, index)));
                    }
                }
            });
        }
        return types;
    }

    private List<String> indicesOf(FieldCapabilities capabilities) {
        return capabilities.indices() == null ? indices : Arrays.asList(capabilities.indices());
    }

    /** The answer lists indices only if some have values and others do not. */
    private static boolean hasValues(FieldCapabilities capabilities, String index) {
        String[] without = capabilities.nonAggregatableIndices();
        return without == null
                ? capabilities.isAggregatable()
                : Arrays.asList(without).contains(index) == false;
    }
}

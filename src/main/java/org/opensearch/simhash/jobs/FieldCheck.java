/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.fieldcaps.FieldCapabilities;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.fieldcaps.FieldCapabilitiesResponse;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.mapper.ObjectMapper;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.jobs.job.JobRun.JobFields;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.SurvivorField;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.scan.SurvivorSortBuilder;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.PairField;
import org.opensearch.transport.client.Client;

/**
 * Refuses fields that a job cannot use, before it reads or writes. Indices without fingerprints need not map the fields, because
 * nothing in them is compared.
 */
public record FieldCheck(DeduplicateOptions options, List<String> indices) {

    private static final Set<String> STRINGS = Set.of("keyword", "constant_keyword", "wildcard", "text");

    /** OpenSearch computes what is derived for searches only. */
    private static final Set<String> WITHOUT_ORDER =
            Set.of("geo_point", "geo_shape", "xy_point", "xy_shape", "binary", "derived");

    /** Asks with the caller's permissions. Blocks its thread. */
    public JobFields check(Client client, Retries retries) {
        PairConditions conditions = options.conditions();
        List<String> names = new ArrayList<>(conditions.fields());
        options.survivor().stream().filter(field -> field.isId() == false).forEach(field -> names.add(field.field()));
        SketchKind kind = options.kind();
        String bits = options.field() + "." + kind.part();
        String digest = options.field() + "." + FingerprintFields.DIGEST;
        String longer = options.field() + "." + FingerprintFields.BITS_256;
        names.addAll(List.of(bits, digest, longer));
        FieldTypes types = new FieldTypes(client, retries, indices, names);
        Set<String> read = new TreeSet<>(indices);
        if (options.candidates() == null) {
            read.clear();
            read.addAll(types.byIndex(bits).keySet());
            read.addAll(types.byIndex(digest).keySet());
        }
        boolean areLongHashes = options.comparesFingerprints() && areLongHashes(types, client, retries);
        if (areLongHashes) {
            read.addAll(types.byIndex(longer).keySet());
        } else if (options.comparesFingerprints() && options.maxDistance() > DeduplicateOptions.MAX_DISTANCE) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and " + DeduplicateOptions.MAX_DISTANCE
                    + " for fingerprints of 64 bits, got: " + options.maxDistance());
        }
        Set<String> others = new TreeSet<>(indices);
        others.removeAll(read);
        requireNoneLeftAside(client, retries, others);
        if (read.isEmpty()) {
            throw PipelineRecipes.notMapped(kind, bits, indices);
        }
        boolean arePassages = kind == SketchKind.PASSAGES;
        if (arePassages) {
            requireKeywords(bits, types.byIndex(bits));
        }
        List<SortBuilder<?>> survivor = new ArrayList<>();
        for (SurvivorField field : options.survivor()) {
            if (field.isId() == false) {
                Map<String, FieldType> found = values("survivor", field.field(), read, types);
                requireOrdered(field.field(), found);
                requireComparable(field.field(), found);
                boolean isRead = options.comparesFingerprints() && areLongHashes == false;
                survivor.addAll(sorts(field, found.values().iterator().next().type(), isRead ? options.field() : null));
            }
        }
        PairConditions onLinks = arePassages || options.candidates() != null ? conditions : conditions.withoutClasses();
        conditions.fields().forEach(field -> requireComparable(conditions, field, read, types));
        return new JobFields(List.copyOf(read), survivor, onLinks, areLongHashes);
    }

    private static void requireKeywords(String terms, Map<String, FieldType> found) {
        found.forEach((index, field) -> {
            boolean isText = field.name().equals(terms) == false; // with a keyword below
            if (isText || field.type().equals("keyword") == false) {
                throw PipelineRecipes.notTerms(terms, isText ? "text" : field.type(), index);
            }
        });
    }

    /** Of pairs that no job has compared: these are to meet all conditions. */
    public JobFields checkPairs(Client client, Retries retries) {
        PairConditions conditions = options.conditions();
        FieldTypes types = new FieldTypes(client, retries, indices, conditions.fields());
        Set<String> read = new TreeSet<>(indices);
        conditions.fields().forEach(field -> requireComparable(conditions, field, read, types));
        return new JobFields(indices, List.of(), conditions, false);
    }

    /**
     * Documents may have fingerprints that the mapping ignores. A query fails with that reason, and else finds nothing. It is sent as a
     * user types it, and its error is known by its words: a plugin's own exceptions do not travel between nodes.
     */
    private void requireNoneLeftAside(Client client, Retries retries, Set<String> others) {
        String query = "{\"simhash\":{\"field\":\"" + options.field().replace("\"", "\\\"")
                + "\",\"hash\":\"0000000000000000\",\"max_distance\":0}}";
        for (String index : others) {
            try {
                retries.call(() -> JobQuery.matchesAny(client, QueryBuilders.wrapperQuery(query), index));
            } catch (SearchPhaseExecutionException e) {
                Throwable cause = ExceptionsHelper.unwrap(e, QueryShardException.class);
                // Another message only says that the index forbids unmapped fields.
                if (cause != null && cause.getMessage().startsWith("[simhash]")) {
                    throw new IllegalArgumentException("[" + index + "]: " + cause.getMessage(), e);
                }
            }
        }
    }

    /** Whether a document of the job has a hash of 256 bits. */
    private boolean areLongHashes(FieldTypes types, Client client, Retries retries) {
        String path = options.field() + "." + FingerprintFields.BITS_256;
        Map<String, FieldType> found = types.byIndex(path);
        String short64 = options.field() + "." + FingerprintFields.BITS;
        Set<String> ofShort = types.byIndex(short64).keySet();
        boolean haveShort =
                found.isEmpty() == false && ofShort.isEmpty() == false && hasAny(short64, ofShort, client, retries);
        // Without doc values, no search tells whether any document has one.
        boolean isUnreadable = haveShort == false && found.values().stream().noneMatch(FieldType::hasValues);
        if (found.isEmpty() || (isUnreadable == false && hasAny(path, found.keySet(), client, retries) == false)) {
            return false;
        }
        String longer = nameOfValues(path, found);
        if (haveShort) {
            throw new IllegalArgumentException(
                    "[field] must hold hashes of 64 bits, or longer ones, in the documents of a"
                            + " job: select some by [query], got: both, in [" + short64 + "] and in [" + longer + "]");
        }
        return true;
    }

    private boolean hasAny(String path, Set<String> mapping, Client client, Retries retries) {
        QueryBuilder any = QueryBuilders.boolQuery().filter(options.query()).filter(QueryBuilders.existsQuery(path));
        return retries.call(() -> JobQuery.matchesAny(client, any, mapping.toArray(String[]::new)));
    }

    /** The one name under which all indices have the doc values of long hashes. */
    private static String nameOfValues(String path, Map<String, FieldType> found) {
        Set<String> names = found.values().stream()
                .map(type -> type.hasValues() ? type.name() : path + " without doc values")
                .collect(Collectors.toCollection(TreeSet::new));
        String name = names.iterator().next();
        if (names.size() > 1 || name.contains(" ")) {
            throw new IllegalArgumentException(
                    "[" + path + "] must have doc values under one name in all indices of a job"
                            + " over hashes of more than 64 bits, got: " + names);
        }
        return name;
    }

    /** By index. Every index maps the field. */
    private static Map<String, FieldType> values(String option, String name, Set<String> read, FieldTypes types) {
        Map<String, FieldType> found = types.byIndex(name);
        found.keySet().retainAll(read);
        Set<String> unmapped = new TreeSet<>(read);
        unmapped.removeAll(found.keySet());
        if (unmapped.isEmpty() == false) {
            throw PairField.unmapped(option, name, unmapped);
        }
        String nested = types.nestedAround(name, read);
        if (nested != null) {
            throw PairField.nested(option, name, nested);
        }
        return found;
    }

    private static void requireComparable(PairConditions conditions, String name, Set<String> read, FieldTypes types) {
        values(conditions.optionOf(name), name, read, types)
                .values()
                .forEach(field -> PairField.requireComparable(conditions, name, field.type(), field.hasValues()));
    }

    /** Sorts by each field twice, because a missing value has a different stand-in each time. */
    private static List<SortBuilder<?>> sorts(SurvivorField field, String type, String object) {
        String plain = STRINGS.contains(type) ? "keyword" : isSortedAsNumber(type) ? "long" : type;
        return List.of(
                new SurvivorSortBuilder(field.field(), field.order(), "_first", plain, object),
                new SurvivorSortBuilder(field.field(), field.order(), "_last", plain, object));
    }

    /** An unsigned_long cannot be sorted together with other numbers. */
    private static boolean isSortedAsNumber(String type) {
        return PairField.isNumber(type) && type.equals("unsigned_long") == false;
    }

    /** OpenSearch cannot sort by places or bytes. It sorts ranges by their encoding. */
    private static void requireOrdered(String name, Map<String, FieldType> found) {
        for (FieldType field : found.values()) {
            if (field.hasValues() == false) {
                throw new IllegalArgumentException("[survivor] must name fields with doc values, but [" + name
                        + "] is of type [" + field.type() + "]");
            }
        }
        found.values().stream()
                .map(FieldType::type)
                .filter(type -> WITHOUT_ORDER.contains(type) || type.endsWith("_range"))
                .findFirst()
                .ifPresent(type -> {
                    throw new IllegalArgumentException("[survivor] must name fields whose values have an order, but ["
                            + name + "] is of type [" + type + "]");
                });
    }

    /** A date has milliseconds, a date_nanos has nanoseconds. */
    private static void requireComparable(String name, Map<String, FieldType> found) {
        Map<String, Set<String>> byType = new TreeMap<>();
        found.forEach((index, field) ->
                byType.computeIfAbsent(field.type(), type -> new TreeSet<>()).add(index));
        if (byType.size() > 1
                && byType.keySet().stream().allMatch(FieldCheck::isSortedAsNumber) == false
                && STRINGS.containsAll(byType.keySet()) == false) {
            String types = byType.entrySet().stream()
                    .map(type -> type.getKey() + " in " + type.getValue())
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    "[survivor] must name fields of one type, but [" + name + "] is " + types);
        }
    }

    /** How indices map some fields and their {@code keyword} sub-fields. */
    private static final class FieldTypes {

        private static final String UNMAPPED = "unmapped";

        private final List<String> indices;
        private final FieldCapabilitiesResponse fields;

        /** Asks with the caller's permissions. Blocks its thread. */
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
            itself(name + IndexMapping.SUB_FIELD).forEach((index, below) -> {
                FieldType above = types.get(index);
                if (above != null && below.hasValues && IndexMapping.isBelow(above.type, below.type)) {
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

    private record FieldType(String name, String type, boolean hasValues) {}
}

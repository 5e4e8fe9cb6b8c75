/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.IgnoredFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MatchNoneQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.pair.PairConditions.PairValues;
import org.opensearch.simhash.search.pair.PairConditions.Same;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.PairField;

/**
 * Reads what decides {@link PairConditions} from sources, arriving or stored, and finds stored documents by it. Parses each mapping
 * once. One thread.
 */
public final class PairFields {

    /** The index cuts fractions off. */
    private static final Set<String> WHOLE_NUMBERS = Set.of("byte", "short", "integer", "long", "unsigned_long");

    /** Whole numbers of a double are exact up to here. */
    private static final double FARTHEST = 1e15;

    private static final String MILLISECONDS = "epoch_millis";

    private final PairConditions conditions;
    private final Function<String, IndexMetadata> indices;
    private final Map<CompressedXContent, Map<String, PairField>> byMapping = new HashMap<>();
    private final Map<String, Map<String, PairField>> byIndex = new HashMap<>();
    private Set<String> read = Set.of();

    /** @param indices in one cluster state, null for those that do not exist */
    public PairFields(PairConditions conditions, Function<String, IndexMetadata> indices) {
        this.conditions = conditions;
        this.indices = indices;
    }

    public FetchSourceContext wanted() {
        return conditions.isEmpty()
                ? FetchSourceContext.DO_NOT_FETCH_SOURCE
                : new FetchSourceContext(true, paths().toArray(String[]::new), new String[0]);
    }

    /** In sources, as far as mappings are read. */
    public Set<String> paths() {
        Set<String> paths = new LinkedHashSet<>(conditions.fields());
        byIndex.values().forEach(fields -> fields.values().forEach(field -> paths.add(field.path())));
        return paths;
    }

    /** @param compared indices whose mappings are read: a field may be elsewhere in their sources */
    public Pairing of(Map<String, Object> document, String index, Set<String> compared) {
        if (conditions.isEmpty() == false && compared.equals(read) == false) {
            read = compared;
            for (String other : compared) {
                try {
                    fields(other);
                } catch (IllegalArgumentException e) {
                    // A document near one of this index fails for it.
                }
            }
        }
        return conditions.isEmpty() ? Pairing.NONE : pairing(document, index, true);
    }

    /** Of a stored document. What cannot be read is missing. */
    public Pairing ofStored(Map<String, Object> source, String index) {
        return conditions.isEmpty() ? Pairing.NONE : pairing(source == null ? Map.of() : source, index, false);
    }

    private Pairing pairing(Map<String, Object> document, String index, boolean isStrict) {
        Map<String, PairField> fields = fields(index);
        if (isStrict) {
            fields.values().forEach(field -> requireIndexed(field, document, index));
        }
        return new Pairing(
                conditions,
                PairValues.of(
                        conditions,
                        name -> fields.get(name).values(document),
                        name -> fields.get(name).places(document, isStrict)),
                null);
    }

    /** A job or a search could not compare what the index ignores. */
    private void requireIndexed(PairField field, Map<String, Object> arriving, String index) {
        String tooLong = field.tooLongIn(arriving, Set.of(field.path()));
        IndexMetadata metadata = indices.apply(index);
        String ignored = tooLong != null || metadata == null
                ? tooLong
                : field.malformedIn(arriving, FieldMapper.IGNORE_MALFORMED_SETTING.get(metadata.getSettings()));
        if (ignored != null) {
            throw field.ignored("the document", ignored);
        }
    }

    /** Refuses conditions that an index cannot decide. */
    public void require(String index) {
        fields(index);
    }

    /** Refuses a field that neither the mapping nor the arriving document knows, once the index has documents to compare with. */
    public void requireMapped(String index, Map<String, Object> arriving) {
        fields(index).forEach((name, field) -> {
            if (field.type() == null && field.values(arriving).isEmpty()) {
                throw PairField.unmapped(field.option(), name, Set.of(index));
            }
        });
    }

    private Map<String, PairField> fields(String index) {
        return byIndex.computeIfAbsent(index, any -> {
            IndexMetadata metadata = indices.apply(index);
            if (metadata == null || metadata.mapping() == null) {
                return fields(index, null);
            }
            return byMapping.computeIfAbsent(
                    metadata.mapping().source(), source -> fields(index, new IndexMapping(metadata)));
        });
    }

    private Map<String, PairField> fields(String index, IndexMapping mapping) {
        Map<String, PairField> fields = new HashMap<>();
        for (String name : conditions.fields()) {
            PairField field = PairField.of(conditions, name, index, mapping);
            field.requireInSource(index);
            fields.put(name, field);
        }
        return fields;
    }

    /** A query that finds at least the stored documents that meet the conditions. Without it those that do not could fill the pages of a search. */
    public QueryBuilder filter(Map<String, Object> document, String index, LookupScope scope) {
        BoolQueryBuilder filter = QueryBuilders.boolQuery();
        Map<String, PairField> own = fields(index);
        for (Same same : conditions.same()) {
            PairField found = inAll(same.field(), scope);
            if (found != null) {
                same(filter, same, found, new HashSet<>(own.get(same.field()).values(document)));
            }
        }
        for (String name : conditions.differ()) {
            PairField found = inAll(name, scope);
            if (found != null) {
                differ(filter, found, new HashSet<>(own.get(name).values(document)));
            }
        }
        if (conditions.within() != null) {
            PairField found = inAll(conditions.within().field(), scope);
            PairField here = own.get(conditions.within().field());
            double[] places = here.places(document, false);
            if (places.length == 0) {
                // If the field is not mapped, documents are searched all the same: any that is found shows that its
                // name is mistyped.
                if (here.type() != null) {
                    filter.filter(new MatchNoneQueryBuilder());
                }
            } else if (found != null) {
                within(filter, found, places);
            }
        }
        return filter;
    }

    /** Null if the indices map it differently: one query would not find it in all of them. */
    private PairField inAll(String name, LookupScope scope) {
        PairField first = null;
        for (String index : scope.indices()) {
            if (indices.apply(index) != null) {
                PairField field = fields(index).get(name);
                if (first != null && isFoundAs(field, first) == false) {
                    return null;
                }
                first = field;
            }
        }
        return first == null || first.isAsTyped() == false ? null : first;
    }

    private static boolean isFoundAs(PairField field, PairField other) {
        return field.isAsTyped()
                && field.valued().equals(other.valued())
                && field.type().equals(other.type());
    }

    private static void same(BoolQueryBuilder filter, Same same, PairField field, Set<Object> values) {
        BoolQueryBuilder equal = QueryBuilders.boolQuery();
        if (values.isEmpty()) {
            if (same.missingEqualsAll() == false && field.constant() == null) {
                filter.mustNot(QueryBuilders.existsQuery(field.valued()));
            }
            return;
        }
        for (Object value : values) {
            if (isIndexed(field, value) == false) {
                return;
            }
            equal.filter(is(field, value));
        }
        filter.filter(
                same.missingEqualsAll()
                        ? QueryBuilders.boolQuery()
                                .should(equal)
                                .should(QueryBuilders.boolQuery().mustNot(QueryBuilders.existsQuery(field.valued())))
                        : equal);
    }

    /** Documents with another value, also if they have the same one, too. With several values, no document can be left out. */
    private static void differ(BoolQueryBuilder filter, PairField field, Set<Object> values) {
        if (field.type().equals("keyword") == false) {
            return; // equal numbers in the index may differ in the sources
        }
        if (values.isEmpty()) {
            filter.filter(QueryBuilders.boolQuery()
                    .should(QueryBuilders.existsQuery(field.valued()))
                    .should(QueryBuilders.termQuery(IgnoredFieldMapper.NAME, field.valued())));
        } else if (values.size() == 1) {
            Object value = values.iterator().next();
            if (isIndexed(field, value)) {
                filter.filter(QueryBuilders.boolQuery()
                        .should(QueryBuilders.boolQuery().mustNot(is(field, value)))
                        .should(QueryBuilders.termQuery(IgnoredFieldMapper.NAME, field.valued()))
                        .should(QueryBuilders.rangeQuery(field.valued()).lt(plain(value)))
                        .should(QueryBuilders.rangeQuery(field.valued()).gt(plain(value))));
            }
        }
    }

    /** Whether a search for the value finds all documents that have it in their sources. */
    private static boolean isIndexed(PairField field, Object value) {
        if (WHOLE_NUMBERS.contains(field.type())) {
            return value instanceof Integer || value instanceof Long; // the index cuts fractions off
        }
        if (field.formats() != null || field.isNumber()) {
            return value instanceof Number;
        }
        return value instanceof Boolean || (value instanceof String text && text.length() <= field.longest());
    }

    private static QueryBuilder is(PairField field, Object value) {
        return field.formats() == null
                ? QueryBuilders.termQuery(field.valued(), plain(value))
                : range(field, ((Number) value).longValue(), ((Number) value).longValue() + 1);
    }

    /** A query takes no numbers of arbitrary precision. */
    private static Object plain(Object value) {
        return value instanceof BigDecimal || value instanceof BigInteger ? value.toString() : value;
    }

    private void within(BoolQueryBuilder filter, PairField field, double[] places) {
        double from =
                Arrays.stream(places).min().getAsDouble() - conditions.within().maxDifference();
        double to =
                Arrays.stream(places).max().getAsDouble() + conditions.within().maxDifference();
        if (Math.abs(from) > FARTHEST || Math.abs(to) > FARTHEST) {
            return;
        }
        if (field.formats() != null) {
            filter.filter(range(field, (long) Math.floor(from), (long) Math.ceil(to)));
        } else if (WHOLE_NUMBERS.contains(field.type())) {
            filter.filter(QueryBuilders.rangeQuery(field.valued())
                    .gte((long) Math.floor(from) - 1)
                    .lte((long) Math.ceil(to) + 1));
        } else if (field.type().equals("double")) {
            filter.filter(QueryBuilders.rangeQuery(field.valued())
                    .gte(Math.nextDown(from))
                    .lte(Math.nextUp(to)));
        }
    }

    private static RangeQueryBuilder range(PairField field, long from, long to) {
        return QueryBuilders.rangeQuery(field.valued()).gte(from).lte(to).format(MILLISECONDS);
    }
}

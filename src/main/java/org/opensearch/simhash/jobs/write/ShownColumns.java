/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.query.IndexMapping;

/** Short values of documents by which people find their groups: of fields with whole values, and of titles. */
final class ShownColumns {

    private static final int MOST_FIELDS = 10;
    private static final int MOST_VALUES = 200;
    private static final int MOST_OF_DOCUMENT = 20;
    private static final int LONGEST = 256;
    private static final int BYTES = 64;
    private static final Set<String> SHORT = Set.of("boolean", "byte", "short", "integer", "long", "ip");
    private static final Set<String> TITLES = Set.of("title", "name", "subject", "headline");

    /** The field that has the values of a path: itself, or the keyword below it. */
    private final Map<String, String> fields = new TreeMap<>();

    private final Map<Integer, List<String>> byRank = new HashMap<>();

    ShownColumns(Collection<IndexMapping> mappings) {
        for (IndexMapping mapping : mappings) {
            mapping.paths().stream().sorted().forEach(path -> add(mapping, path));
        }
    }

    private void add(IndexMapping mapping, String path) {
        String object = path.substring(0, Math.max(0, path.indexOf('.')));
        IndexMapping.WholeField whole = mapping.whole(path);
        boolean isShort = whole == null
                ? SHORT.contains(IndexMapping.type(mapping.definition(path)))
                        || (mapping.isText(path) && TITLES.contains(path.substring(path.lastIndexOf('.') + 1)))
                : whole.hasValues();
        boolean isPrint = mapping.maps(object + "." + FingerprintFields.SCHEME);
        if (isShort && isPrint == false && fields.size() < MOST_FIELDS) {
            fields.put(path, whole == null ? path : whole.name());
        }
    }

    /** Makes a search read them, too. */
    SearchSourceBuilder in(SearchSourceBuilder source) {
        fields.values().forEach(source::fetchField);
        return source;
    }

    /** Returns how many bytes it keeps. */
    long read(int rank, SearchHit hit) {
        List<String> values = fields.keySet().stream()
                .filter(path -> hit.field(fields.get(path)) != null)
                .flatMap(path -> hit.field(fields.get(path)).getValues().stream()
                        .map(value -> path + ":" + Strings.cleanTruncate(String.valueOf(value), LONGEST)))
                .limit(MOST_OF_DOCUMENT)
                .toList();
        byRank.put(rank, values);
        long characters = values.stream().mapToLong(String::length).sum();
        return BYTES * (1L + values.size()) + 2 * characters;
    }

    /** Of the documents of a group. */
    void write(XContentBuilder builder, IntStream ranks) throws IOException {
        List<String> all = ranks.mapToObj(byRank::get)
                .flatMap(values -> values == null ? Stream.of() : values.stream())
                .distinct()
                .limit(MOST_VALUES)
                .toList();
        builder.field(GroupMapping.COLUMNS, all);
        builder.field(
                GroupMapping.WORDS,
                all.stream()
                        .map(value -> value.substring(value.indexOf(':') + 1))
                        .toList());
    }
}

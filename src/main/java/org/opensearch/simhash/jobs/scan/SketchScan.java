/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Reads sketches of a point in time, as Base64; may do so several times, and equal strata keep their numbers. One thread, which waits for the pages.
 */
public final class SketchScan {

    private static final int PAGE = 10_000;

    private final PointInTime pointInTime;
    private final String field;
    private final String scheme;
    private final Map<List<Object>, Integer> strata = new HashMap<>();
    private Map<String, Long> schemes = new TreeMap<>();

    /**
     * What is read.
     *
     * @param field with the doc values of sketches
     * @param scheme the field with the doc values of the scheme
     */
    public SketchScan(PointInTime pointInTime, String field, String scheme) {
        this.pointInTime = pointInTime;
        this.field = field;
        this.scheme = scheme;
    }

    /** Takes what is read. */
    public interface Sink {
        void add(long address, String value, int stratum);
    }

    /** Reads the values of documents, page by page. Those of one document follow each other. */
    public void read(QueryBuilder documents, Sink sink, LongConsumer documentsRead) {
        schemes = new TreeMap<>();
        pointInTime.forEach(source().query(documents), PAGE, hits -> {
            for (SearchHit hit : hits) {
                add(hit, pointInTime.address(hit), sink);
            }
            documentsRead.accept(hits.length);
        });
    }

    /** Reads the values of some documents. What has none is left out. */
    public void read(long[] addresses, ReadSlices slices, Sink sink) {
        for (int from = 0; from < addresses.length; ) {
            try (ReadSlices.Slice slice = slices.next()) {
                slice.read(
                        pointInTime,
                        Arrays.copyOfRange(addresses, from, addresses.length),
                        this::source,
                        (address, hit) -> add(hit, address, sink),
                        (hit, rejection) -> {
                            throw rejection;
                        });
                from += slice.size();
            }
        }
    }

    private SearchSourceBuilder source() {
        return new SearchSourceBuilder().fetchSource(false).docValueField(field).docValueField(scheme);
    }

    private void add(SearchHit hit, long address, Sink sink) {
        List<Object> values = values(hit, field);
        int stratum = values.isEmpty() ? 0 : stratum(hit);
        values.forEach(value -> sink.add(address, value.toString(), stratum));
    }

    private int stratum(SearchHit hit) {
        List<Object> names = values(hit, scheme);
        names.forEach(name -> schemes.merge(name.toString(), 1L, Long::sum));
        return strata.computeIfAbsent(names, k -> strata.size());
    }

    private static List<Object> values(SearchHit hit, String name) {
        DocumentField found = hit.field(name);
        return found == null ? List.of() : found.getValues();
    }

    /** Documents by scheme since the last reading of all began. */
    public Map<String, Long> schemes() {
        return schemes;
    }
}

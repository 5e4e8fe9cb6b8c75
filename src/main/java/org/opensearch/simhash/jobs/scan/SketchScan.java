/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchFields;
import org.opensearch.simhash.core.sketch.Sketch;

/**
 * Reads sketches, or hashes of more than 64 bits, of a point in time, page by page; may do so several times, and equal strata keep their
 * numbers. One thread, which waits for the pages.
 */
public final class SketchScan {

    private static final int PAGE = 10_000;

    private final PointInTime pointInTime;
    private final String field;
    private final String scheme;
    private final List<FieldAndFormat> same;
    private final Map<List<Object>, Integer> strata = new HashMap<>();
    private Map<String, Long> schemes = new TreeMap<>();

    /**
     * What is read.
     *
     * @param field the object with the sketch
     * @param scheme the field with the doc values of the scheme
     * @param same fields whose values decide, together with the scheme, what may be compared
     */
    public SketchScan(PointInTime pointInTime, String field, String scheme, List<FieldAndFormat> same) {
        this.pointInTime = pointInTime;
        this.field = field;
        this.scheme = scheme;
        this.same = same;
    }

    /**
     * Takes what is read.
     *
     * @param <T> a sketch, a hash or a digest
     */
    public interface Sink<T> {
        void add(long address, T value, int stratum);
    }

    /** Reads the sketches of documents. Those of one document follow each other. */
    public void readSketches(QueryBuilder documents, Sink<Sketch> sink, LongConsumer documentsRead) {
        schemes = new TreeMap<>();
        read(ofSketches().query(with(documents)), documentsRead, (hit, address) -> add(hit, address, sink));
    }

    /** Reads the sketches of some documents. What has none is left out. */
    public void readSketches(long[] addresses, ReadSlices slices, Sink<Sketch> sink) {
        for (int from = 0; from < addresses.length; ) {
            try (ReadSlices.Slice slice = slices.next()) {
                slice.read(
                        pointInTime,
                        Arrays.copyOfRange(addresses, from, addresses.length),
                        this::ofSketches,
                        (address, hit) -> add(hit, address, sink),
                        (hit, rejection) -> {
                            throw rejection;
                        });
                from += slice.size();
            }
        }
    }

    private SearchSourceBuilder ofSketches() {
        return new SearchSourceBuilder()
                .fetchSource(false)
                .docValueField(part(SketchFields.SKETCH))
                .docValueField(scheme);
    }

    private void add(SearchHit hit, long address, Sink<Sketch> sink) {
        int stratum = stratum(hit, "");
        for (Object value : values(hit, part(SketchFields.SKETCH))) {
            sink.add(address, Sketch.fromBase64(value.toString()), stratum);
        }
    }

    /**
     * Reads the hashes of documents; those of another length are in another stratum. What is no hash is left out.
     *
     * @param lengths the field with the doc values of hashes, by their length in bits
     */
    public void readHashes(
            QueryBuilder documents, Map<Integer, String> lengths, Sink<LongHash> sink, LongConsumer documentsRead) {
        schemes = new TreeMap<>();
        SearchSourceBuilder search =
                new SearchSourceBuilder().query(documents).fetchSource(false).docValueField(scheme);
        lengths.values().forEach(search::docValueField);
        read(
                search,
                documentsRead,
                (hit, address) -> lengths.forEach((length, name) -> {
                    List<Object> values = values(hit, name);
                    int stratum = values.isEmpty() ? 0 : stratum(hit, length);
                    for (Object value : values) {
                        LongHash.ofBase64(value.toString(), length).ifPresent(hash -> sink.add(address, hash, stratum));
                    }
                }));
    }

    private QueryBuilder with(QueryBuilder documents) {
        return new BoolQueryBuilder().filter(documents).filter(JobQuery.exists(part(SketchFields.SKETCH)));
    }

    private void read(SearchSourceBuilder search, LongConsumer documentsRead, ObjLongConsumer<SearchHit> reader) {
        for (FieldAndFormat field : same) {
            search.docValueField(field.field, field.format);
        }
        pointInTime.forEach(search, PAGE, hits -> {
            for (SearchHit hit : hits) {
                reader.accept(hit, pointInTime.address(hit));
            }
            documentsRead.accept(hits.length);
        });
    }

    /** Scheme, kind and what must be equal besides. */
    private int stratum(SearchHit hit, Object kind) {
        List<Object> key = new ArrayList<>();
        List<Object> names = values(hit, scheme);
        names.forEach(name -> schemes.merge(name.toString(), 1L, Long::sum));
        key.add(names);
        key.add(kind);
        same.forEach(field -> key.add(values(hit, field.field)));
        return strata.computeIfAbsent(key, k -> strata.size());
    }

    private static List<Object> values(SearchHit hit, String name) {
        DocumentField found = hit.field(name);
        return found == null ? List.of() : found.getValues();
    }

    private String part(String name) {
        return field + "." + name;
    }

    /** Documents by scheme since the last reading of sketches began. */
    public Map<String, Long> schemes() {
        return schemes;
    }
}

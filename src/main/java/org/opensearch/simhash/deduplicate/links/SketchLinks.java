/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SketchJoin;
import org.opensearch.simhash.deduplicate.scan.MappedExistsQueryBuilder;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.sketch.Sketch;

/**
 * Finds the links of sketches: reads all sketches to this node, page by page, and joins them. Texts too short for a
 * sketch link by equal digests. Blocks its one thread.
 */
final class SketchLinks {

    private static final int PAGE = 10_000;

    private final JobRun run;
    private final String field;
    private final SketchJoin join;
    private final Map<List<Object>, Integer> strata = new HashMap<>();
    private final Map<String, Long> schemes = new TreeMap<>();
    private long sketched;

    /** @param memory pays for the links */
    SketchLinks(JobRun run, Account memory) {
        this.run = run;
        this.field = run.options().field();
        this.join = new SketchJoin(run.options().minSimilarity(), memory, run.task()::compared);
    }

    NearJoin.Found find() {
        read(with(SketchFields.SKETCH, null), null, this::addSketch);
        read(with(SketchFields.DIGEST, SketchFields.SKETCH), part(SketchFields.DIGEST), this::addText);
        run.times().end("scan");
        NearJoin.Found found = join.join();
        run.times().end("join");
        return found;
    }

    PassCounts counts(long documents) {
        return new PassCounts(documents, sketched, join.compared(), schemes, 0, 0);
    }

    private interface HitReader {
        void read(SearchHit hit, long address);
    }

    private void read(QueryBuilder query, String source, HitReader reader) {
        SearchSourceBuilder search = new SearchSourceBuilder().query(query).docValueField(part(SketchFields.SCHEME));
        if (source == null) {
            search.fetchSource(false).docValueField(part(SketchFields.SKETCH));
        } else {
            search.fetchSource(source, null);
        }
        for (FieldAndFormat same : run.fields().same()) {
            search.docValueField(same.field, same.format);
        }
        run.pointInTime().forEach(search, PAGE, hits -> {
            run.task().ensureNotCancelled();
            for (SearchHit hit : hits) {
                reader.read(hit, run.pointInTime().address(hit));
            }
            run.task().step(hits.length);
        });
    }

    private QueryBuilder with(String part, String without) {
        BoolQueryBuilder query = new BoolQueryBuilder()
                .filter(run.queries().documents())
                .filter(new MappedExistsQueryBuilder(part(part)));
        return without == null ? query : query.mustNot(new MappedExistsQueryBuilder(part(without)));
    }

    private void addSketch(SearchHit hit, long address) {
        sketched++;
        int stratum = stratum(hit);
        for (Object value : values(hit, part(SketchFields.SKETCH))) {
            join.add(address, Sketch.fromBase64(value.toString()), stratum);
        }
    }

    private void addText(SearchHit hit, long address) {
        int stratum = stratum(hit);
        for (Object digest : DocumentValues.at(part(SketchFields.DIGEST), hit.getSourceAsMap())) {
            join.addText(address, List.of(digest, stratum));
        }
    }

    /** The scheme and the values of {@code same}. */
    private int stratum(SearchHit hit) {
        List<Object> key = new ArrayList<>();
        List<Object> scheme = values(hit, part(SketchFields.SCHEME));
        scheme.forEach(name -> schemes.merge(name.toString(), 1L, Long::sum));
        key.add(scheme);
        run.fields().same().forEach(same -> key.add(values(hit, same.field)));
        return strata.computeIfAbsent(key, k -> strata.size());
    }

    private static List<Object> values(SearchHit hit, String name) {
        DocumentField found = hit.field(name);
        return found == null ? List.of() : found.getValues();
    }

    private String part(String name) {
        return field + "." + name;
    }
}

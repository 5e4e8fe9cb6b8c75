/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * What the fingerprint fields take on disk. OpenSearch has no disk-usage API per field, so the same documents are indexed
 * twice, with the fields and with the object {@code simhash} not mapped (in {@code _source} of both): the difference of the
 * store sizes is the fields' alone.
 */
final class IndexCost {

    private static final double LIMIT = 60;
    /** Field by field is told for this many documents only. */
    private static final int SAMPLE = 50_000;

    private final RestClient client;
    private final Report report;

    IndexCost(RestClient client, Report report) {
        this.client = client;
        this.report = report;
    }

    void run(FingerprintIndex index, Corpus corpus) {
        report.part("Index, " + corpus.spread());
        report.table("index", "bytes", "bytes per document", "bulk (s)", "merge (s)");
        var plain = FingerprintIndex.buildWithoutFields(client, index.name() + "-without-fields", corpus);
        row("with the fingerprint fields", index, corpus.size());
        row("the fingerprint in _source only", plain, corpus.size());
        client.must("DELETE", "/" + plain.name(), null);
        double bytes = (double) (index.bytes() - plain.bytes()) / corpus.size();
        report.line("| the fields | %d | %.1f | | |", index.bytes() - plain.bytes(), bytes);
        fields(index.name() + "-one-field", corpus.first(SAMPLE));
        report.bar(
                bytes <= LIMIT,
                corpus.spread() + ", fingerprint fields <= 60 bytes per document",
                "%.1f bytes",
                bytes);
    }

    /** Each field alone against none, so that it shows where the bytes are. */
    private void fields(String name, Corpus corpus) {
        report.line("");
        report.table("field alone, " + corpus.size() + " documents", "bytes per document");
        var none = FingerprintIndex.buildWithoutFields(client, name, corpus);
        Object template = Json.parse(new SampleIndex().config("index-template"));
        Map<String, Map<String, Object>> fields = new LinkedHashMap<>();
        Map<?, ?> properties = (Map<?, ?>) Json.at(template, "template.mappings.properties.simhash.properties");
        properties.forEach((field, type) -> fields.put((String) field, mapping(type)));
        List<?> dynamic = (List<?>) Json.at(template, "template.mappings.dynamic_templates");
        fields.put("segment_0", mapping(Json.at(dynamic.getFirst(), "simhash_segments.mapping")));
        fields.forEach((field, type) -> {
            var one = FingerprintIndex.buildWithField(client, name, corpus, field, type);
            report.line("| %s | %.1f |", field, (double) (one.bytes() - none.bytes()) / corpus.size());
        });
        client.must("DELETE", "/" + name, null);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> mapping(Object json) {
        return (Map<String, Object>) json;
    }

    private void row(String name, FingerprintIndex index, int documents) {
        report.line(
                "| %s | %d | %.1f | %.1f | %.1f |",
                name, index.bytes(), (double) index.bytes() / documents, index.bulkSeconds(), index.mergeSeconds());
    }
}

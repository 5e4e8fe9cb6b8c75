/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import org.opensearch.simhash.node.RestClient;

/**
 * What the fingerprint fields take on disk. OpenSearch has no disk-usage API per field, so the same documents are indexed
 * twice, with the fields and with the object {@code simhash} not mapped (in {@code _source} of both): the difference of the
 * store sizes is the fields' alone.
 */
final class IndexCost {

    private static final double LIMIT = 60;

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
        report.bar(
                bytes <= LIMIT,
                corpus.spread() + ", fingerprint fields <= 60 bytes per document",
                "%.1f bytes (difference of the store sizes with and without the fields)",
                bytes);
    }

    private void row(String name, FingerprintIndex index, int documents) {
        report.line(
                "| %s | %d | %.1f | %.1f | %.1f |",
                name, index.bytes(), (double) index.bytes() / documents, index.bulkSeconds(), index.mergeSeconds());
    }
}

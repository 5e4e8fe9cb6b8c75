/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.setup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.opensearch.action.ingest.SimulateDocumentBaseResult;
import org.opensearch.action.ingest.SimulateDocumentResult;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.compress.CompressorRegistry;
import org.opensearch.simhash.desk.check.PipelineSteps;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.transport.client.Client;

/** Simulates a pipeline: whether it may be put, and what it costs. Bounded in bytes. One thread, which blocks. */
final class TrialRun {

    private static final int MOST_DOCUMENTS = 100;
    private static final long MOST_BYTES = 4L << 20;

    /** What a rewritten document takes beside the processor: 312,340 documents of 321 bytes took 42 s. */
    private static final double SECONDS_OF_A_WRITE = 110e-6;

    private static final double SECONDS_OF_A_BYTE = 20e-9;

    /** The fields of a fingerprint in the index, beside the document itself. */
    private static final double INDEXED_BYTES = 58;

    private static final Cost UNKNOWN = new Cost(SECONDS_OF_A_WRITE, 190, 0, 0);

    private final Client client;
    private final List<Map<String, Object>> documents = new ArrayList<>();
    private long bytes;

    TrialRun(Client client) {
        this.client = client;
    }

    /** Of one document: its update, and what it grows by; how many got a fingerprint, and are too short to be compared. */
    record Cost(double seconds, double bytes, int made, int tooShort) {}

    void add(String index, Map<String, Object> source, int length) {
        if (documents.size() < MOST_DOCUMENTS && bytes + length <= MOST_BYTES) {
            documents.add(Map.of("_index", index, "_id", "" + documents.size(), "_source", source));
            bytes += length;
        }
    }

    /** Fails as putting the pipeline would. */
    void require(Map<String, Object> pipeline) {
        PipelineSteps.simulated(
                client, pipeline, List.of(Map.of("_index", "none", "_id", "none", "_source", Map.of())));
    }

    Cost cost(Map<String, Object> pipeline, String fingerprint, String value) {
        if (documents.isEmpty()) {
            return UNKNOWN;
        }
        PipelineSteps.simulated(client, pipeline, documents); // The first run loads analyzers.
        long start = System.nanoTime();
        List<SimulateDocumentResult> results = PipelineSteps.simulated(client, pipeline, documents);
        double seconds = (System.nanoTime() - start) / 1e9 / documents.size();
        StringBuilder written = new StringBuilder();
        int made = 0;
        int tooShort = 0;
        for (SimulateDocumentResult result : results) {
            if (result instanceof SimulateDocumentBaseResult one && one.getIngestDocument() != null) {
                for (Object object : DocumentValues.objectsAt(
                        fingerprint, one.getIngestDocument().getSourceAndMetadata())) {
                    written.append(object);
                    made++;
                    tooShort += object instanceof Map<?, ?> parts && parts.containsKey(value) ? 0 : 1;
                }
            }
        }
        double stored = made == 0 ? 0 : (double) compressed(written.toString()) / made;
        return new Cost(
                seconds + SECONDS_OF_A_WRITE + SECONDS_OF_A_BYTE * bytes / documents.size(),
                INDEXED_BYTES + stored,
                made,
                tooShort);
    }

    private static int compressed(String text) {
        try {
            return CompressorRegistry.defaultCompressor()
                    .compress(new BytesArray(text))
                    .length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

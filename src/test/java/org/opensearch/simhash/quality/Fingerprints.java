/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.TextProcessor;

/**
 * What the processor writes into the documents of a data set. As in the query, documents are near by their bits, and those of
 * equal digests at distance 0.
 */
public final class Fingerprints implements Distances {

    private final long[] bits;
    /** Whether the document has bits. */
    private final boolean[] present;

    private final String[] digests;
    /** Numbers of distinct features. */
    private final int[] features;

    private Fingerprints(long[] bits, boolean[] present, String[] digests, int[] features) {
        this.bits = bits;
        this.present = present;
        this.digests = digests;
        this.features = features;
    }

    /** Runs the documents through the processor, on all cores. */
    static Fingerprints of(DataSet set, TextProcessor processor) {
        int size = set.documents().size();
        Fingerprints fingerprints =
                new Fingerprints(new long[size], new boolean[size], new String[size], new int[size]);
        IntStream.range(0, size).parallel().forEach(i -> fingerprints.put(i, set, processor));
        return fingerprints;
    }

    private void put(int i, DataSet set, TextProcessor processor) {
        Map<String, Object> fields = process(set.documents().get(i).text(), set.language(), processor);
        if (fields.get(FingerprintFields.BITS) instanceof Long value) {
            bits[i] = value;
            present[i] = true;
        }
        digests[i] = (String) fields.get(FingerprintFields.DIGEST);
        features[i] = (Integer) fields.get(FingerprintFields.FEATURES);
    }

    /** The fields that the processor writes for one text. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> process(String text, String language, TextProcessor processor) {
        Map<String, Object> source = new HashMap<>();
        source.put(NodeProcessors.TEXT, text);
        source.put(NodeProcessors.LANGUAGE, language);
        IngestDocument document = new IngestDocument("quality", "1", null, null, VersionType.INTERNAL, source);
        processor.execute(document);
        return (Map<String, Object>) document.getSourceAndMetadata().get(processor.targetField());
    }

    /** The same documents with other bits, where they have bits. */
    Fingerprints withBits(long[] others) {
        return new Fingerprints(others, present, digests, features);
    }

    /** Whether all documents that have bits have the same as in others. */
    boolean sameBits(Fingerprints others) {
        return IntStream.range(0, bits.length).allMatch(i -> present[i] == false || bits[i] == others.bits[i]);
    }

    int size() {
        return bits.length;
    }

    /** Whether a document has enough features for bits. */
    boolean isPresent(int document) {
        return present[document];
    }

    /** The bits of a document that has them. */
    long bits(int document) {
        return bits[document];
    }

    String digest(int document) {
        return digests[document];
    }

    int features(int document) {
        return features[document];
    }

    @Override
    public int largest() {
        return Long.SIZE;
    }

    @Override
    public int of(int a, int b) {
        if (present[a] && present[b]) {
            return Fingerprint.distance(bits[a], bits[b]);
        }
        return digests[a].equals(digests[b]) ? 0 : Long.SIZE + 1;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.window;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.ingest.DocumentTexts;

/**
 * Texts of documents accepted lately, for verification: they may not be stored yet. Bounded by bytes on the circuit
 * breaker. Thread-safe.
 */
public final class RecentTexts {

    /** Bytes of a document without its texts, roughly. */
    private static final long BYTES = 256;

    private record Text(Map<String, Object> fields, long bytes) {}

    private final Map<Long, Text> texts = new LinkedHashMap<>();
    private final WindowMemory memory;
    private final long limit;
    private long bytes;

    public RecentTexts(LongConsumer breaker, long limit) {
        this.limit = limit;
        this.memory = new WindowMemory(breaker, () -> limit);
    }

    /**
     * Keeps fields as strings, because the document may still change.
     *
     * @param paths of the fields
     * @throws IllegalArgumentException if a field holds no text
     */
    public void put(long number, Map<String, Object> document, Iterable<String> paths) {
        Map<String, Object> fields = new HashMap<>();
        long size = BYTES;
        for (String path : paths) {
            List<String> values = DocumentTexts.values(path, document);
            if (values.isEmpty() == false) {
                fields.put(path, values.size() == 1 ? values.getFirst() : values);
                size += RamUsageEstimator.sizeOfCollection(values);
            }
        }
        put(number, new Text(fields, size));
    }

    private synchronized void put(long number, Text text) {
        if (text.bytes() > limit) {
            return;
        }
        while (memory.fits(bytes + text.bytes()) == false) {
            if (texts.isEmpty()) {
                return;
            }
            forgetOldest();
        }
        bytes += text.bytes();
        texts.put(number, text);
    }

    /** Null if unknown. */
    public synchronized Map<String, Object> get(long number) {
        Text text = texts.get(number);
        return text == null ? null : text.fields();
    }

    public synchronized void forgetBefore(long number) {
        while (texts.isEmpty() == false && texts.keySet().iterator().next() < number) {
            forgetOldest();
        }
        memory.shrinkTo(bytes);
    }

    private void forgetOldest() {
        var oldest = texts.values().iterator();
        bytes -= oldest.next().bytes();
        oldest.remove();
    }
}

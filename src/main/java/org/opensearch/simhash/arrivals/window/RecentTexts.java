/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.common.Randomness;
import org.opensearch.simhash.search.ingest.DocumentTexts;

/**
 * Texts of documents accepted lately, for verification: they may not be stored yet. Equal ones are kept once. Bounded by
 * bytes on the circuit breaker. Thread-safe.
 */
public final class RecentTexts {

    /** Bytes of a text without its characters, roughly. */
    private static final long BYTES_OF_TEXT = 256;

    /** Bytes of a document with a text that is kept already, roughly. */
    private static final long BYTES_OF_DOCUMENT = 64;

    /** A text of one or more documents. Only an equal one has the same hash here, since clients do not know the secret. */
    private static final class Text {
        private final long hash;
        private final Map<String, Object> fields;
        private final long bytes;
        private int documents;

        Text(long hash, Map<String, Object> fields, long bytes) {
            this.hash = hash;
            this.fields = fields;
            this.bytes = bytes;
        }
    }

    private final Hasher64 hasher;
    private final Map<Long, Text> texts = new LinkedHashMap<>();
    /** Texts by hash: a bulk may hold thousands of copies. */
    private final Map<Long, Text> equal = new HashMap<>();

    private final WindowMemory memory;
    private final long limit;
    private long bytes;

    public RecentTexts(LongConsumer breaker, long limit) {
        SecureRandom secret = Randomness.createSecure();
        this.hasher = Hashing.polymurHash2_0(secret.nextLong(), secret.nextLong(), secret.nextLong());
        this.limit = limit;
        this.memory = new WindowMemory(breaker, () -> limit);
    }

    /**
     * Keeps fields as strings, because the document may still change.
     *
     * @throws IllegalArgumentException if a field holds no text
     */
    public void put(long number, Map<String, Object> document, Iterable<String> paths) {
        Map<String, Object> fields = new HashMap<>();
        HashStream64 hash = hasher.hashStream();
        long size = BYTES_OF_TEXT;
        for (String path : paths) {
            List<String> values = DocumentTexts.values(path, document);
            if (values.isEmpty() == false) {
                fields.put(path, values.size() == 1 ? values.getFirst() : values);
                size += RamUsageEstimator.sizeOfCollection(values);
                hash.putString(path).putOrderedIterable(values, (value, sink) -> sink.putString(value));
            }
        }
        put(number, new Text(hash.getAsLong(), fields, size));
    }

    private synchronized void put(long number, Text given) {
        Text text = equal.getOrDefault(given.hash, given);
        long added = BYTES_OF_DOCUMENT + (text.documents == 0 ? text.bytes : 0);
        if (added > limit) {
            return;
        }
        while (memory.fits(bytes + added) == false) {
            if (texts.isEmpty()) {
                return;
            }
            forgetOldest();
            added = BYTES_OF_DOCUMENT + (text.documents == 0 ? text.bytes : 0);
        }
        bytes += added;
        text.documents++;
        equal.put(text.hash, text);
        texts.put(number, text);
    }

    /** Null if unknown. */
    public synchronized Map<String, Object> get(long number) {
        Text text = texts.get(number);
        return text == null ? null : text.fields;
    }

    public synchronized void forgetBefore(long number) {
        while (texts.isEmpty() == false && texts.keySet().iterator().next() < number) {
            forgetOldest();
        }
        memory.shrinkTo(bytes);
    }

    private void forgetOldest() {
        var oldest = texts.values().iterator();
        Text text = oldest.next();
        oldest.remove();
        bytes -= BYTES_OF_DOCUMENT;
        if (--text.documents == 0) {
            equal.remove(text.hash);
            bytes -= text.bytes;
        }
    }

    synchronized long bytes() {
        return memory.reserved();
    }
}

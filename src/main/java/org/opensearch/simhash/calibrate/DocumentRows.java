/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.Arrays;
import java.util.function.Consumer;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.deduplicate.join.RowSink;

/** Joins the rows of a scan into documents. The rows of a document follow each other. One thread. */
final class DocumentRows implements RowSink {

    private static final int CHECKED = 1_024;

    private final Consumer<Document> documents;
    private final Runnable check;
    private long address;
    private long[] bits = new long[4];
    private int[] strata = new int[4];
    private int length;
    private int size;
    private long count;

    /** @param check runs now and then; if it throws, the scan ends */
    DocumentRows(Consumer<Document> documents, Runnable check) {
        this.documents = documents;
        this.check = check;
    }

    @Override
    public void stratum(int stratum, int guard, long key) {}

    @Override
    public void add(long ofDocument, long fingerprint, long digest, int stratum) {
        reserve(ofDocument, 1);
        bits[size] = fingerprint;
        strata[size++] = stratum;
    }

    /** Leaves out a value that is not as long as the document's first one. */
    void add(long ofDocument, int stratum, long[] value) {
        if (reserve(ofDocument, value.length)) {
            System.arraycopy(value, 0, bits, size * length, length);
            strata[size++] = stratum;
        }
    }

    private boolean reserve(long ofDocument, int longs) {
        if (size > 0 && address != ofDocument) {
            flush();
        }
        address = ofDocument;
        if (size == 0) {
            length = longs;
        }
        if (size == strata.length) {
            strata = Arrays.copyOf(strata, 2 * size);
        }
        if ((size + 1) * length > bits.length) {
            bits = Arrays.copyOf(bits, 2 * (size + 1) * length);
        }
        return length == longs;
    }

    /** A document without bits has no distance to others. */
    @Override
    public void addWithoutBits(long ofDocument, long digest, int stratum) {}

    /** Call it after the last row. Returns the number of documents. */
    long end() {
        flush();
        return count;
    }

    private void flush() {
        if (size == 0) {
            return;
        }
        documents.accept(new Document(address, Arrays.copyOf(bits, size * length), Arrays.copyOf(strata, size)));
        size = 0;
        if (++count % CHECKED == 0) {
            check.run();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.Arrays;
import java.util.function.Consumer;
import org.opensearch.simhash.calibrate.sample.Document;
import org.opensearch.simhash.deduplicate.join.RowSink;

/** Makes documents of the rows of a scan, which has the rows of a document beside one another. One thread. */
final class DocumentRows implements RowSink {

    private static final int CHECKED = 1_024;

    private final Consumer<Document> documents;
    private final Runnable check;
    private long address;
    private long[] bits = new long[4];
    private int[] strata = new int[4];
    private int size;
    private long count;

    /** @param check is run now and then; what it throws ends the scan */
    DocumentRows(Consumer<Document> documents, Runnable check) {
        this.documents = documents;
        this.check = check;
    }

    @Override
    public void stratum(int stratum, int guard, long key) {}

    @Override
    public void add(long ofDocument, long fingerprint, long digest, int stratum) {
        if (size > 0 && address != ofDocument) {
            end();
        }
        address = ofDocument;
        if (size == bits.length) {
            bits = Arrays.copyOf(bits, 2 * size);
            strata = Arrays.copyOf(strata, 2 * size);
        }
        bits[size] = fingerprint;
        strata[size++] = stratum;
    }

    /** Too short for a fingerprint: it has no distance to others. */
    @Override
    public void addWithoutBits(long ofDocument, long digest, int stratum) {}

    /** All rows were added. */
    void end() {
        if (size == 0) {
            return;
        }
        documents.accept(new Document(address, Arrays.copyOf(bits, size), Arrays.copyOf(strata, size)));
        size = 0;
        if (++count % CHECKED == 0) {
            check.run();
        }
    }

    /** How many documents there were. */
    long count() {
        return count;
    }
}

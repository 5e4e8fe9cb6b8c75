/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import org.apache.lucene.index.SortedSetDocValues;

/** Digests that have doc values, by their ordinals: looked up in their order, each block of terms is unpacked once. */
final class DigestValues implements ColumnsBuilder.Digests {

    private final SortedSetDocValues values;

    DigestValues(SortedSetDocValues values) {
        this.values = values;
    }

    @Override
    public long[] hashes(long[] ordinals) throws IOException {
        long[] hashes = new long[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            hashes[i] = LeafColumns.hash(values.lookupOrd(ordinals[i]));
        }
        return hashes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.io.IOException;
import java.io.Reader;
import org.apache.lucene.analysis.CharFilter;

/** Counts the characters that come out of a part of an analyzer. Offsets stay. */
final class BoundedReader extends CharFilter {

    /** Receives the number of new characters, and of all before. */
    interface Count {
        void add(int characters, long all);
    }

    private final TextBudget budget;
    private final Count count;
    private long all;

    BoundedReader(Reader input, TextBudget budget, Count count) {
        super(input);
        this.budget = budget;
        this.count = count;
    }

    TextBudget budget() {
        return budget;
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        int characters = input.read(buffer, offset, length);
        if (characters > 0) {
            all += characters;
            count.add(characters, all);
        }
        return characters;
    }

    @Override
    protected int correct(int offset) {
        return offset;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A class of a regular expression as a set of code points. The JDK asks what stands in a class one after the other: 8 us for a class
 * of 990 characters. Here each code point is asked of it once, and looked up from then on, whatever the class.
 *
 * <p>Memory: one byte for each code point of a block of {@value #BLOCK} of which one was asked, 1.1 MB for all of Unicode. Safe for
 * threads: two that ask of the same code point find out the same.
 */
final class CharacterClass {

    private static final int BLOCK = 256;

    private static final byte MEMBER = 1;
    private static final byte OTHER = 2;

    private final Pattern pattern;
    private final AtomicReferenceArray<byte[]> blocks =
            new AtomicReferenceArray<>((Character.MAX_CODE_POINT + 1) / BLOCK);

    /** @param pattern matches single code points only */
    CharacterClass(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Asks for one thread. */
    Members members() {
        return new Members(pattern.matcher(""));
    }

    /** What one thread asks the class. */
    final class Members {

        private final Matcher matcher;
        private int blockNumber = -1;
        private byte[] block;

        private Members(Matcher matcher) {
            this.matcher = matcher;
        }

        boolean contains(int codePoint) {
            if (codePoint / BLOCK != blockNumber) {
                blockNumber = codePoint / BLOCK;
                block = block(blockNumber);
            }
            byte known = block[codePoint % BLOCK];
            if (known == 0) {
                known = matcher.reset(Character.toString(codePoint)).matches() ? MEMBER : OTHER;
                block[codePoint % BLOCK] = known;
            }
            return known == MEMBER;
        }
    }

    private byte[] block(int number) {
        byte[] block = blocks.get(number);
        if (block == null) {
            blocks.compareAndSet(number, null, new byte[BLOCK]);
            block = blocks.get(number);
        }
        return block;
    }
}

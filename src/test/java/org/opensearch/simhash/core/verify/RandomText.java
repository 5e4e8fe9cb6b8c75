/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import java.util.Random;

/** Random texts of code points of two to four bytes, none of them white space, and random edits of them. */
final class RandomText {

    private static final int[] FIRST = {'Ā', 'α', '一', 0x20000};

    private RandomText() {}

    static String random(Random random, int length, int alphabet) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(codePoint(random.nextInt(alphabet)));
        }
        return text.toString();
    }

    /** {@code edits} random insertions, deletions and replacements. */
    static String edit(Random random, String text, int edits) {
        StringBuilder edited = new StringBuilder(text);
        for (int i = 0; i < edits; i++) {
            int length = edited.codePointCount(0, edited.length());
            int at = edited.offsetByCodePoints(0, random.nextInt(length + 1));
            if (at < edited.length() && random.nextInt(3) > 0) {
                edited.delete(at, at + Character.charCount(edited.codePointAt(at)));
            }
            if (random.nextBoolean()) {
                edited.insert(at, Character.toString(codePoint(random.nextInt(40))));
            }
        }
        return edited.toString();
    }

    private static int codePoint(int symbol) {
        return FIRST[symbol % FIRST.length] + symbol / FIRST.length;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

/**
 * Overlapping runs of a few characters of one script, in place of words. They serve scripts without spaces (Thai, Lao,
 * Khmer, Burmese: class SA of Unicode's line breaking) and Hangul, whose spacing varies. A run crosses white space and
 * punctuation and ends at a word of another script. "abcd" by three gives "abc", "bcd"; "ab" gives "ab". A mark counts
 * as a character (docs/figures/decisions.md). Not thread-safe.
 */
final class ScriptGrams {

    enum Script {
        COMPLEX_CONTEXT(3),
        HANGUL(2);

        /** Characters in a run. */
        private final int size;

        Script(int size) {
            this.size = size;
        }
    }

    private static final int MAX_SIZE = 3;

    private Script script;
    /** The next run, and the character that follows it. */
    private final char[] chars = new char[2 * (MAX_SIZE + 1)];
    /** In UTF-16 units. */
    private int length;

    private int count;

    private final char[] gram = new char[2 * MAX_SIZE];
    private int gramLength;

    /** Whether characters are left to take. */
    boolean isOpen() {
        return count > 0;
    }

    boolean isOf(Script other) {
        return script == other;
    }

    /** @return where the next one begins */
    int add(Script itsScript, char[] text, int from, int limit) {
        script = itsScript;
        int c = Character.codePointAt(text, from, limit);
        length += Character.toChars(c, chars, length);
        count++;
        return from + Character.charCount(c);
    }

    /** Whether there is one character more than a run needs. */
    boolean isFull() {
        return count > script.size;
    }

    /** Takes the first run. The rest begins with its second character. */
    void take() {
        int last = Character.charCount(Character.codePointBefore(chars, length));
        take(length - last);
        int first = Character.charCount(Character.codePointAt(chars, 0));
        length -= first;
        count--;
        System.arraycopy(chars, first, chars, 0, length);
    }

    void takeLast() {
        take(length);
        clear();
    }

    private void take(int taken) {
        gramLength = taken;
        System.arraycopy(chars, 0, gram, 0, taken);
    }

    void clear() {
        count = 0;
        length = 0;
    }

    /** The run that was taken last. */
    char[] gram() {
        return gram;
    }

    int length() {
        return gramLength;
    }
}

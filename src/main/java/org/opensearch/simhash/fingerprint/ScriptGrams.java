/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.Arrays;

/**
 * Overlapping runs of a few characters of one script, each character with its marks: what stands for words where these are not
 * written apart (Thai, Lao, Khmer, Burmese and other scripts of Unicode's line break class SA), or are by some and not by others
 * (Hangul). A run goes across white space and punctuation, up to a word of another script: so spaces and zero-width spaces do not
 * matter. "abcd" by three gives "abc", "bcd"; "ab" gives "ab". Not thread-safe.
 */
final class ScriptGrams {

    /** A script. */
    enum Script {
        COMPLEX_CONTEXT(3),
        HANGUL(2);

        /** Characters of a run. */
        private final int size;

        Script(int size) {
            this.size = size;
        }
    }

    private static final int MAX_SIZE = 3;
    /** Of a character with its marks, of which a normalised text has no more. */
    private static final int MAX_CHARACTER = NormalForm.MAX_COMBINING_MARKS + 2;

    private final char[] chars = new char[(MAX_SIZE + 1) * MAX_CHARACTER];
    /** Where each character of the run begins, and the next one will. */
    private final int[] begins = new int[MAX_SIZE + 2];

    private int count;
    private Script script;

    private final char[] gram = new char[chars.length];
    private int length;

    /** Whether there is more to come of the characters so far. */
    boolean isOpen() {
        return count > 0;
    }

    boolean isOf(Script other) {
        return script == other;
    }

    /**
     * Adds the character at a place, with its marks.
     *
     * @return where the next one begins
     */
    int add(Script itsScript, char[] text, int from, int limit) {
        script = itsScript;
        int first = Character.codePointAt(text, from, limit);
        if (isOpen() == false || NormalForm.isCountedInRun(first) == false) {
            count++;
            begins[count] = begins[count - 1];
        }
        int i = from;
        int c = first;
        do {
            int units = Character.charCount(c);
            if (begins[count] + units - begins[count - 1] <= MAX_CHARACTER) {
                begins[count] += Character.toChars(c, chars, begins[count]);
            }
            i += units;
            c = i < limit ? Character.codePointAt(text, i, limit) : 0;
        } while (i < limit && NormalForm.isCountedInRun(c));
        return i;
    }

    /** Whether there is a run that nothing can be added to: one character more is there already. */
    boolean isFull() {
        return count > script.size;
    }

    /** Takes the first run that is full. */
    void take() {
        take(script.size);
        int begin = begins[1];
        System.arraycopy(chars, begin, chars, 0, begins[count] - begin);
        for (int i = 0; i < count; i++) {
            begins[i] = begins[i + 1] - begin;
        }
        count--;
    }

    /** Takes what is left, and ends. */
    void takeLast() {
        take(count);
        clear();
    }

    private void take(int characters) {
        length = begins[characters];
        System.arraycopy(chars, 0, gram, 0, length);
    }

    void clear() {
        count = 0;
        Arrays.fill(begins, 0);
    }

    /** The run that was taken. */
    char[] gram() {
        return gram;
    }

    int length() {
        return length;
    }
}

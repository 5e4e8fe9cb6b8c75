/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

/**
 * Text without an inner block boundary, not blank, with white space collapsed, and its length in letters and digits,
 * of which an ideograph, kana or Hangul syllable counts 2.
 */
record TextRun(String text, int length, int linkLength) implements Content {

    /** About one line: shorter texts are labels, names, dates. */
    static final int SHORTEST_PROSE = 60;

    /** Letters of prose: those outside links, or 0 for a short or mostly linked run. */
    int prose() {
        int plain = length - linkLength;
        return plain >= SHORTEST_PROSE && linkLength <= length / 4 ? plain : 0;
    }

    /** See {@link #length}. */
    static int weight(int codePoint) {
        if (codePoint < 0x80) {
            return Character.isLetterOrDigit(codePoint) ? 1 : 0;
        }
        if (Character.isLetterOrDigit(codePoint) == false) {
            return 0;
        }
        boolean kana = codePoint >= 0x3040 && codePoint <= 0x30FF;
        boolean hangul = codePoint >= 0xAC00 && codePoint <= 0xD7A3;
        return kana || hangul || Character.isIdeographic(codePoint) ? 2 : 1;
    }
}

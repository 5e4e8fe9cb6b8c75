/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/**
 * Text without a block boundary inside, with its length in letters: what the densities are computed from.
 *
 * @param text white space collapsed, not blank
 * @param length letters and digits; an ideograph, kana or Hangul syllable, which says as much as several letters, counts 2
 * @param linkLength the part of {@code length} inside links
 */
record TextRun(String text, int length, int linkLength) implements Content {

    /** About one line of text: shorter ones are labels, names, dates. */
    static final int SHORTEST_PROSE = 60;

    /** Letters of running text in this run: all that are outside links, or 0 when it is short or linked over and over. */
    int prose() {
        int plain = length - linkLength;
        return plain >= SHORTEST_PROSE && linkLength <= length / 4 ? plain : 0;
    }

    /** How much a character adds to {@link #length}. */
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

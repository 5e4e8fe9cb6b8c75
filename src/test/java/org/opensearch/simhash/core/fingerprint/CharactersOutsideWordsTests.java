/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.junit.jupiter.api.Test;

class CharactersOutsideWordsTests {

    /** Half-width sound marks of kana, which are marks once they are normalised. */
    private static final Set<Integer> NO_LETTERS = Set.of(0xFF9E, 0xFF9F);

    /** What this JDK does not know is no letter for it. */
    @Test
    void testTheyAreWhatTheTokenizerLeavesOut() throws IOException {
        List<Integer> letters = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        List<Integer> places = new ArrayList<>();
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            boolean isMark = isMark(c);
            boolean isLetter = Character.isLetterOrDigit(c) || Character.getType(c) == Character.LETTER_NUMBER;
            if ((isLetter || isMark) && NO_LETTERS.contains(c) == false) {
                letters.add(c);
                lines.append(isMark ? "a" : "");
                places.add(lines.length());
                lines.appendCodePoint(c).append('\n');
            }
        }
        Set<Integer> inWords = new HashSet<>();
        try (var tokenizer = new StandardTokenizer()) {
            OffsetAttribute offset = tokenizer.addAttribute(OffsetAttribute.class);
            tokenizer.setReader(new StringReader(lines.toString()));
            tokenizer.reset();
            while (tokenizer.incrementToken()) {
                IntStream.range(offset.startOffset(), offset.endOffset()).forEach(inWords::add);
            }
        }
        for (int i = 0; i < letters.size(); i++) {
            assertEquals(
                    inWords.contains(places.get(i)) == false,
                    SymbolClass.isOutsideWords(letters.get(i)),
                    "U+" + Integer.toHexString(letters.get(i)));
        }
    }

    private static boolean isMark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class QuotationMarksTests {

    /** Brackets of editions, which mark words that were changed, are no quotation marks to Unicode. */
    private static final String OF_EDITIONS =
            "\u2E02\u2E03\u2E04\u2E05\u2E09\u2E0A\u2E0C\u2E0D\u2E1C\u2E1D\u2E20\u2E21";

    @Test
    void testWhatUnicodeCallsAQuoteOrNamesOneIsOne() {
        int forms = 0;
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int type = Character.getType(c);
            String name = Character.getName(c) == null ? "" : Character.getName(c);
            boolean isQuote = (type == Character.INITIAL_QUOTE_PUNCTUATION || type == Character.FINAL_QUOTE_PUNCTUATION)
                    && OF_EDITIONS.indexOf(c) < 0;
            boolean isNamed = name.contains("QUOTATION MARK") || name.contains("APOSTROPHE") || name.contains("QUOTE");
            boolean isOther = name.startsWith("APL")
                    || name.startsWith("NKO")
                    || name.startsWith("TAG")
                    || name.startsWith("SQUARED")
                    || name.contains("LETTER N PRECEDED");
            if (isQuote || (isNamed && isOther == false)) {
                forms++;
                String plain = TextNormalizer.normalize(Character.toString(c));
                assertTrue(plain.matches("['\"]+"), name + " becomes " + plain);
            }
        }
        assertTrue(forms > 30, "found " + forms);
    }

    @Test
    void testFormsThatStandForAnApostrophe() {
        for (String apostrophe :
                "\u2018 \u2019 \u201B \u2032 \u00B4 ` \u02BC \u02BB \u02B9 \u055A \u05F3 \uFF07 \u1FBD \uA78C"
                        .split(" ", -1)) {
            assertEquals("don't", TextNormalizer.normalize("don" + apostrophe + "t"), apostrophe);
        }
        for (String mark :
                "\u201C \u201D \u201E \u00AB \u00BB \u2039 \u300C \u300F \u2033 \u02BA \u05F4 \uFF02 \u301D \u2034"
                        .split(" ", -1)) {
            assertEquals("say \"", TextNormalizer.normalize("say " + mark), mark);
        }
    }

    @Test
    void testToneMarksStay() {
        assertEquals("\u3107\u311A\u02CA", TextNormalizer.normalize("\u3107\u311A\u02CA"));
        assertEquals("\u3107\u311A\u02CB", TextNormalizer.normalize("\u3107\u311A\u00AD\u02CB"));
        assertEquals("don't \u00E9'", TextNormalizer.normalize("don\u02CAt e\u0301\u02CB"));
    }
}

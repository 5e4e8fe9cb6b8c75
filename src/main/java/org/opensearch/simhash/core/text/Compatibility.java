/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

import java.text.Normalizer;
import java.util.Map;

/**
 * Unicode NFKC (UAX #15), except that superscripts, subscripts and fractions stay: {@code 2³} is not {@code 23}. A
 * squared unit keeps its superscript.
 */
final class Compatibility {

    /** Decompositions {@code <super>}, {@code <sub>}, {@code <fraction>} in Unicode 16; closed ranges, ascending. */
    private static final int[] KEPT = {
        0x00AA, 0x00AA, 0x00B2, 0x00B3, 0x00B9, 0x00BA, 0x00BC, 0x00BE, 0x02B0, 0x02B8, 0x02E0, 0x02E4, 0x10FC, 0x10FC,
        0x1D2C, 0x1D2E, 0x1D30, 0x1D3A, 0x1D3C, 0x1D4D, 0x1D4F, 0x1D6A, 0x1D78, 0x1D78, 0x1D9B, 0x1DBF, 0x2070, 0x2071,
        0x2074, 0x208E, 0x2090, 0x209C, 0x2120, 0x2120, 0x2122, 0x2122, 0x2150, 0x215F, 0x2189, 0x2189, 0x2C7C, 0x2C7D,
        0x2D6F, 0x2D6F, 0x3192, 0x319F, 0xA69C, 0xA69D, 0xA770, 0xA770, 0xA7F2, 0xA7F4, 0xA7F8, 0xA7F9, 0xAB5C, 0xAB5F,
        0xAB69, 0xAB69, 0x10781, 0x10785, 0x10787, 0x107B0, 0x107B2, 0x107BA, 0x1E030, 0x1E06D, 0x1F16A, 0x1F16C,
    };

    private static final Map<Integer, String> SQUARED_UNITS = Map.ofEntries(
            Map.entry(0x3378, "dm\u00B2"),
            Map.entry(0x3379, "dm\u00B3"),
            Map.entry(0x339F, "mm\u00B2"),
            Map.entry(0x33A0, "cm\u00B2"),
            Map.entry(0x33A1, "m\u00B2"),
            Map.entry(0x33A2, "km\u00B2"),
            Map.entry(0x33A3, "mm\u00B3"),
            Map.entry(0x33A4, "cm\u00B3"),
            Map.entry(0x33A5, "m\u00B3"),
            Map.entry(0x33A6, "km\u00B3"),
            Map.entry(0x33A8, "m\u2215s\u00B2"),
            Map.entry(0x33AF, "rad\u2215s\u00B2"));

    private Compatibility() {}

    /** The text in this form; the same instance if nothing changes. */
    static String compose(String text) {
        if (Normalizer.isNormalized(text, Normalizer.Form.NFKC)) {
            return text;
        }
        StringBuilder composed = null;
        int done = 0;
        for (int i = 0, c; i < text.length(); i += Character.charCount(c)) {
            c = text.codePointAt(i);
            String own = c < 0xAA ? null : ownForm(c);
            if (own != null) {
                if (composed == null) {
                    composed = new StringBuilder(text.length());
                }
                // Characters that stay compose with nothing.
                composed.append(nfkc(text.substring(done, i))).append(own);
                done = i + Character.charCount(c);
            }
        }
        return composed == null
                ? nfkc(text)
                : composed.append(nfkc(text.substring(done))).toString();
    }

    /** The form of a character where it differs from NFKC; else null. */
    private static String ownForm(int c) {
        if (c >= 0x3378 && c <= 0x33AF) {
            return SQUARED_UNITS.get(c);
        }
        return NormalForm.isIn(KEPT, c) ? Character.toString(c) : null;
    }

    private static String nfkc(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC);
    }
}

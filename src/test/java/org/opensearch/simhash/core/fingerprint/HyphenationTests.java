/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.TextNormalizer;

class HyphenationTests {

    @Test
    void testWordsThatALineBreakCutsBecomeWhole() {
        for (String lineBreak : List.of("\n", "\r\n", "\r", " \n", "\n\t ", "\u2028", "\u0085", "\f", "\u00A0\n")) {
            assertEquals("document", TextNormalizer.normalize("docu-" + lineBreak + "ment"), lineBreak);
            assertEquals("document", TextNormalizer.normalize("docu\u2010" + lineBreak + "ment"), lineBreak);
            assertEquals("document", TextNormalizer.normalize("docu\u00AD" + lineBreak + "ment"), lineBreak);
            assertEquals("docuMent", TextNormalizer.normalize("docu\u00AD" + lineBreak + "Ment"), lineBreak);
            assertEquals("document", TextNormalizer.normalize("docu-\u00AD" + lineBreak + "ment"), lineBreak);
            assertEquals("caf\u00E9s", TextNormalizer.normalize("cafe\u0301-" + lineBreak + "s"), lineBreak);
        }
        assertEquals("one two three", TextNormalizer.normalize("o-\nne t\u00AD\nwo thr-\nee"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a-\nB",
                "a -\nb",
                "1-\nb",
                "a-\n1",
                "a-\n\nb",
                "a- b",
                "-\nb",
                "a-\n",
                "a-\n-b",
                "a\nb",
                "\u4E16-\n\u754C"
            })
    void testOthersStay(String text) {
        assertSame(text, TextNormalizer.normalize(text));
    }

    @Test
    void testASoftHyphenElsewhereGoes() {
        assertEquals("a\n\nb", TextNormalizer.normalize("a\u00AD\n\nb"));
        assertEquals("a \nb", TextNormalizer.normalize("a \u00AD\nb"));
        assertEquals("ab\n1", TextNormalizer.normalize("a\u00ADb\u00AD\n1"));
    }

    @Test
    void testJoiningTwiceChangesNothingAndTheWindowDoesTheSame() {
        Random random = new Random(3);
        String some = "ab-\n\r \u00AD\u2010\t1B\u0301\u2028";
        Fingerprinter standard = new RecipeBuilder().minFeatures(1).standard();
        for (int i = 0; i < Rounds.of(20_000, 500_000); i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(12); length > 0; length--) {
                text.append(some.charAt(random.nextInt(some.length())));
            }
            String once = TextNormalizer.normalize(text.toString());
            assertEquals(once, TextNormalizer.normalize(once), text.toString());
            assertEquals(
                    standard.fingerprint(SourceTexts.of(once), bytes -> {}),
                    standard.fingerprint(SourceTexts.of(text.toString()), bytes -> {}));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\u00AD", "-\n", "- ", "a\u00AD ", "\u00AD\n", " \n", "a-\n", "-\u00AD\n\u00AD", "\r", "-\r"})
    void testTimeIsLinear(String repeated) {
        String text = "a" + repeated.repeat(2_000_000);
        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> TextNormalizer.normalize(text));
    }

    /** Texts of one window are looked at by other code. */
    @ParameterizedTest
    @ValueSource(strings = {"\n", " \n", "-\n"})
    void testTimeIsLinearInAWindow(String repeated) {
        String lines = repeated.repeat(8_000 / repeated.length());
        Fingerprinter standard = new RecipeBuilder().minFeatures(1).standard();
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            for (int i = 0; i < 5_000; i++) {
                standard.fingerprint(SourceTexts.of(i + lines), bytes -> {});
            }
        });
    }
}

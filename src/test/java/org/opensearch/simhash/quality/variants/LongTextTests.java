/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.quality.NodeProcessors;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** What is the same text is the same anywhere in a long one, and long texts of one odd character take no longer than others. */
class LongTextTests {

    /** By which texts are read at a time, in characters. */
    private static final int WINDOW = 8192;

    private static final String[][] SAME = {
        {"don't stop", "don’t stop"},
        {"don't stop", "don´t stop"},
        {"\"quoted\" word", "« quoted » word"},
        {"extraordinary", "extra-\nordinary"},
        {"extraordinary", "extra\u00ad\r\nordinary"},
        {"extraordinary", "extra\u00adordi\u2060nary"},
        {"twowords", "two\u200bwords"},
        {"two words", "two \n\t\u00a0 words"},
        {"\u1ec7 \u00e9t\u00e9", "e\u0302\u0323 e\u0301te\u0301"},
        {"\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"},
        {"ガラス", "ｶﾞﾗｽ"},
        {"Große Straße", "GROSSE STRASSE"},
        {"ｆｕｌｌ　ｗｉｄｔｈ", "full width"},
        {"at -80 degrees", "at −80 degrees"},
        {"3 + 4 = 7", "3+4=7"},
        {"น้ำใจ", "น้ํ\u0e32ใจ"},
        {"ef 𝕏 x", "ef X x"}
    };

    private static final String[][] OTHER = {
        {"C++ now", "C# now"},
        {"C++ now", "C now"},
        {"at -80 degrees", "at 80 degrees"},
        {"a 👍 b", "a 👎 b"},
        {"2³ x", "23 x"},
        {"が x", "か x"},
        {"été", "ete"},
        {"extra-\nOrdinary", "extraOrdinary"}
    };

    @TempDir
    static Path home;

    private static NodeProcessors node;
    private static TextProcessor processor;

    @BeforeAll
    static void startNode() throws IOException {
        node = new NodeProcessors(home);
        processor = node.create(Map.of());
    }

    @AfterAll
    static void stopNode() throws IOException {
        node.close();
    }

    @Test
    void testTheSameAroundTheEndOfAWindow() {
        assertHold(SAME, Claim.SAME_TEXT);
    }

    @Test
    void testOthersAroundTheEndOfAWindow() {
        assertHold(OTHER, Claim.OTHER_DIGEST);
    }

    private static void assertHold(String[][] pairs, Claim claim) {
        String words = "plain words of ASCII, ".repeat(WINDOW / 10);
        List<String> broken = new ArrayList<>();
        for (String[] pair : pairs) {
            for (int before = WINDOW - 22; before <= WINDOW + 2; before++) {
                String start = words.substring(0, before - 1) + " ";
                for (String end : List.of(" end.", " the end is in é and 世界.")) {
                    Variant variant = new Variant(
                            "en", "long text", before + end, start + pair[0] + end, start + pair[1] + end, claim);
                    Outcome.of(variant, processor).broken().ifPresent(broken::add);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void testLongTextsOfOneOddPieceTakeNoLongerThanOthers() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (String piece : List.of(
                "'",
                "\"",
                "´",
                "-\n",
                "a-\n",
                "a\u00ad\n",
                "\u00ad",
                "\u200b",
                "\u0301",
                "a\u0301",
                "ß",
                "ﷺ",
                "½",
                "²",
                "+",
                "-1",
                "-",
                "ก",
                "ก\u200b",
                "ก้",
                "က္",
                "가",
                "ᄀ",
                "世",
                "👍",
                "👍🏽",
                "\u200d👩",
                "\ud800",
                "\udc00",
                "🇫🇷",
                "à",
                "ﬃ",
                "٪",
                "_",
                "1.",
                "a.",
                "א'",
                "\u0e33",
                "\u0e4d\u0e32",
                "\u1100\u1161",
                "\u034f",
                "\u202e",
                "=\u0338")) {
            String text = piece.repeat(150_000 / piece.length());
            long start = threads.getCurrentThreadCpuTime();
            Outcome.of(new Variant("en", "odd", piece, text, text + " x", Claim.NONE), processor);
            // Not the clock, which other tests of a busy machine take.
            long seconds = (threads.getCurrentThreadCpuTime() - start) / TimeUnit.SECONDS.toNanos(1);
            assertTrue(seconds < 5 || Rounds.NIGHT == false, piece + " takes " + seconds + " s");
        }
    }
}

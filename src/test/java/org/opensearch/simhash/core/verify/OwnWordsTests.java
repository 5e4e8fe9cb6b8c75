/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

/** The longest run of words that another text lacks. */
class OwnWordsTests {

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final Random random = new Random(seed.value());

    @Test
    void testCountsARunExactlyWhereverItStands() {
        List<String> shared = words("s", 300);
        for (int own = 0; own <= 40; own++) {
            for (int at : List.of(0, 3, 150, 297, 300)) {
                List<String> text = new ArrayList<>(shared);
                text.addAll(at, words("own" + at, own));
                assertEquals(own, run(text, shared), own + " at " + at);
            }
        }
    }

    @Test
    void testAnEqualTextHasNoneAndAForeignOneOnlyOwn() {
        List<String> text = words("s", 50);
        assertEquals(0, run(text, text));
        assertEquals(50, run(text, words("o", 50)));
        assertEquals(50, run(text, List.of()));
        assertEquals(0, run(List.of(), text));
        assertEquals(0, run("Straße, Äpfel und Öl!", "strasse äpfel: UND öl"));
    }

    @Test
    void testMovedAndRepeatedPartsAreShared() {
        List<String> text = words("s", 400);
        List<String> moved = new ArrayList<>(text);
        Collections.rotate(moved, 170);
        assertEquals(0, run(moved, text));
        List<String> repeated = new ArrayList<>();
        Collections.nCopies(500, text.subList(0, 9)).forEach(repeated::addAll);
        assertEquals(0, run(repeated, text));
        repeated.addAll(252, words("own", 30));
        assertEquals(30, run(repeated, text));
    }

    @Test
    void testEditsOfSingleWordsAreNoRun() {
        List<String> text = words("s", 2000);
        for (int every : List.of(30, 10, 6)) {
            List<String> edited = new ArrayList<>(text);
            for (int i = 0; i < edited.size(); i += every) {
                edited.set(i, "edit" + i);
            }
            assertTrue(run(edited, text) <= 2, "every " + every);
        }
        List<String> edited = new ArrayList<>(text);
        edited.replaceAll(word -> random.nextInt(20) == 0 ? "edit" + random.nextInt() : word);
        assertTrue(run(edited, text) <= OwnWords.DEFAULT_MOST);
    }

    /** Forty words of one's own, in pieces of eight between phrases that the other text has as well. */
    @Test
    void testSharedWordsAndPhrasesDoNotBreakARun() {
        List<String> text = words("s", 2000);
        for (int phrase = 0; phrase <= 8; phrase++) {
            List<String> reply = new ArrayList<>();
            for (int piece = 0; piece < 5; piece++) {
                int from = random.nextInt(1900);
                reply.addAll(words("own" + piece, 8));
                reply.addAll(text.subList(from, from + phrase));
            }
            reply.addAll(text);
            int run = run(reply, text);
            assertTrue(run > OwnWords.DEFAULT_MOST, run + " with phrases of " + phrase);
        }
    }

    /** Such a text has no three words in a row. */
    @Test
    void testAShortTextIsSharedAsAWhole() {
        assertEquals(0, run("Hello World", "hello world"));
        assertEquals(0, run("hello", "hello"));
        assertEquals(0, run("hello world", "they say hello world every day"));
        assertEquals(1, run("hello world again", "hello world"));
        assertEquals(2, run("hello moon", "hello world"));
        assertEquals(2, run("world hello", "hello world"));
        assertEquals(0, run("", "hello world"));
        assertEquals(2, run("hello world", ""));
        assertEquals(0, run("物业管理", "物业管理"));
        assertEquals(0, run("物业管理", "我国物业管理条例"));
        assertEquals(2, run("物业管好", "物业管理"));
    }

    @Test
    void testACharacterOfAScriptWithoutSpacesIsHalfAWord() {
        String shared = "物业管理条例已经二〇〇三年五月二十八日国务院第九次常务会议通过现予公布自九月一日起施行";
        assertEquals(10, run("关于春天里遥远的河流与青山白雪寒梅之歌" + "曲\n" + shared, shared));
        assertEquals(0, run(shared, shared));
        String thai = "ประเทศไทยเป็นประเทศในเอเชียตะวันออกเฉียงใต้มีกรุงเทพมหานครเป็นเมืองหลวง";
        assertEquals(0, run(thai, thai));
        int own = run("แมวของฉันชอบนอนบนเก้าอี้ตัวเก่าทุกเช้าวันอาทิตย์ " + thai, thai);
        assertTrue(own > OwnWords.DEFAULT_MOST, "got " + own);
    }

    @Test
    void testGivesBackItsMemoryAndCanBeCancelled() {
        AtomicLong memory = new AtomicLong();
        String text = String.join(" ", words("s", 20_000));
        try (OwnWords words = new OwnWords(text, memory::addAndGet, () -> {})) {
            assertTrue(memory.get() > 16 * 20_000, "got " + memory);
            long kept = memory.get();
            assertEquals(0, words.longestRunOf(text, () -> {}));
            assertEquals(kept, memory.get());
            assertThrows(CancellationException.class, () -> words.longestRunOf(text, OwnWordsTests::cancel));
            assertEquals(kept, memory.get());
        }
        assertThrows(CancellationException.class, () -> new OwnWords(text, memory::addAndGet, OwnWordsTests::cancel));
        assertEquals(0, memory.get());
    }

    private static void cancel() {
        throw new CancellationException();
    }

    private static List<String> words(String prefix, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(prefix + "x" + i);
        }
        return words;
    }

    private static int run(List<String> text, List<String> other) {
        return run(String.join(" ", text), String.join(" ", other));
    }

    private static int run(String text, String other) {
        return OwnWords.longestRun(text, other, bytes -> {}, () -> {});
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.desk.inspect.SharedFeatures.SharedFeature;

class SharedFeaturesTests {

    private final Fingerprinter words = new RecipeBuilder().shingles(1, 1).standard();
    private final AtomicLong taken = new AtomicLong();

    @Test
    void testProposesWhatMoreThanTheAllowedShareOfDocumentsHas() {
        try (var shared = new SharedFeatures(0.5, taken::addAndGet)) {
            for (String text : List.of("menu a a a", "menu b home", "menu c home", "menu d home", "e")) {
                shared.add(words, SourceTexts.of(text));
            }
            assertEquals(
                    List.of(new SharedFeature("menu", 0.8, 0.32), new SharedFeature("home", 0.6, 0.74)),
                    shared.propose());
        }
        assertEquals(0, taken.get());
    }

    @Test
    void testOneDocumentSharesNothing() {
        try (var shared = new SharedFeatures(0.2, taken::addAndGet)) {
            shared.add(words, SourceTexts.of("some words of one document, and words again"));
            assertEquals(List.of(), shared.propose());
        }
    }

    @Test
    void testAllThatIsKeptIsAccounted() {
        String text = "w".repeat(200) + " x y z";
        try (var shared = new SharedFeatures(0.00001, taken::addAndGet)) {
            shared.add(words, SourceTexts.of(text));
            long once = taken.get();
            shared.add(words, SourceTexts.of(text));
            assertEquals(4, shared.propose().size());
            assertTrue(taken.get() >= once + 200, "the texts of what is shared");
        }
        assertEquals(0, taken.get());
    }

    /** Its first words were counted, and those of the next text taken for them. */
    @Test
    void testATextThatCannotBeReadLeavesNoTrace() {
        Fingerprinter choosy = new RecipeBuilder().shingles(1, 1).with(failingAt("broken"));
        try (var shared = new SharedFeatures(0.5, taken::addAndGet)) {
            for (String text : List.of("menu x broken", "menu home y", "home once broken", "menu once", "z broken")) {
                add(shared, choosy, text);
            }
            assertEquals(2, shared.documents());
            assertEquals(List.of(new SharedFeature("menu", 1, 0)), shared.propose());
            long withBroken = taken.get();
            try (var readable = new SharedFeatures(0.5, taken::addAndGet)) {
                add(readable, choosy, "menu home y");
                add(readable, choosy, "menu once");
                assertEquals(withBroken, taken.get() - withBroken, "what it took is given back");
            }
        }
        assertEquals(0, taken.get());
    }

    private static void add(SharedFeatures shared, Fingerprinter words, String text) {
        if (text.endsWith("broken")) {
            assertThrows(UnreadableTextException.class, () -> shared.add(words, SourceTexts.of(text)));
        } else {
            shared.add(words, SourceTexts.of(text));
        }
    }

    private static Analyzer failingAt(String word) {
        return new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field) {
                Tokenizer tokenizer = new WhitespaceTokenizer();
                return new TokenStreamComponents(tokenizer, new TokenFilter(tokenizer) {
                    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

                    @Override
                    public boolean incrementToken() throws IOException {
                        if (input.incrementToken() == false) {
                            return false;
                        }
                        if (term.toString().equals(word)) {
                            throw new UnreadableTextException(word, null);
                        }
                        return true;
                    }
                });
            }
        };
    }

    @Test
    void testRefusedMemoryIsGivenBack() {
        try (var shared = new SharedFeatures(0.2, bytes -> {
            if (taken.get() + bytes > 10_000) {
                throw new IllegalStateException("too much");
            }
            taken.addAndGet(bytes);
        })) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                text.append("word").append(i).append(' ');
            }
            assertThrows(IllegalStateException.class, () -> shared.add(words, SourceTexts.of(text.toString())));
        }
        assertEquals(0, taken.get());
    }
}

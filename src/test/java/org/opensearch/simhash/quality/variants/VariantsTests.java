/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.quality.NodeProcessors;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** A text and its variants: distance 0 where only the writing differs, and digests as the text says or its spelling. */
class VariantsTests {

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
    void testQuotes() {
        assertHold(Quotes::of, Set.of("apostrophes", "gershayim", "quotation marks"));
    }

    @Test
    void testNormalFormsCaseMarksAndSpellings() {
        assertHold(Writings::of, Set.of("normal forms", "case", "marks", "spelling"));
    }

    @Test
    void testSpacesUnseenCharactersAndHyphens() {
        assertHold(
                Spaces::of,
                Set.of(
                        "white space",
                        "unseen characters",
                        "hyphenated lines",
                        "lines wrapped",
                        "U+200B between words"));
    }

    private static void assertHold(Function<VariantText, Stream<Variant>> variants, Set<String> kinds) {
        List<Variant> all = VariantText.all().stream()
                .flatMap(variants)
                .filter(Variant::isAnotherText)
                .toList();
        Set<String> tried = all.stream().map(Variant::kind).collect(Collectors.toSet());
        assertTrue(tried.containsAll(kinds), "tried only " + tried);
        assertEquals(
                List.of(),
                all.stream()
                        .map(variant -> Outcome.of(variant, processor).broken())
                        .flatMap(Optional::stream)
                        .toList());
    }
}

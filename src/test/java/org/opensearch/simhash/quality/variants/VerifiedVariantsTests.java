/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.quality.NodeProcessors;

/** {@code verify} calls the same text the same, too: its similarity is 1 where the distance is 0. */
class VerifiedVariantsTests {

    private static final Set<Claim> SAME_FEATURES = Set.of(Claim.SAME_TEXT, Claim.OTHER_SPELLING, Claim.SAME_FEATURES);

    @TempDir
    static Path home;

    private static NodeProcessors node;
    private static Fingerprinter fingerprinter;

    @BeforeAll
    static void startNode() throws IOException {
        node = new NodeProcessors(home);
        fingerprinter = node.create(Map.of()).fingerprinter();
    }

    @AfterAll
    static void stopNode() throws IOException {
        node.close();
    }

    @Test
    void testShinglesOfTheSameFeaturesAreTheSame() {
        List<String> different = variants()
                .filter(variant -> SAME_FEATURES.contains(variant.claim()))
                .filter(variant -> similarity(variant, Measure.JACCARD) < 1)
                .map(VerifiedVariantsTests::name)
                .toList();
        assertEquals(List.of(), different);
    }

    @Test
    void testCaseDoesNotCountForAnyMeasure() {
        List<Variant> cases =
                variants().filter(variant -> variant.kind().equals("case")).toList();
        assertTrue(cases.size() > 20, "only " + cases.size());
        for (Measure measure : Measure.values()) {
            assertEquals(
                    List.of(),
                    cases.stream()
                            .filter(variant -> similarity(variant, measure) < 1)
                            .map(VerifiedVariantsTests::name)
                            .toList(),
                    measure.toString());
        }
    }

    private static Stream<Variant> variants() {
        return VariantText.all().stream().flatMap(VariantReport::variants);
    }

    private static String name(Variant variant) {
        return variant.language() + " " + variant.kind() + " " + variant.form();
    }

    private static double similarity(Variant variant, Measure measure) {
        Verification verification = Verification.of("text", measure.toString(), null, 0.0, null);
        String text = fingerprinter.prepare(variant.text(), bytes -> {});
        var comparison = new TextComparison(
                verification,
                fingerprinter.analyzer(variant.language(), text),
                TokenWeights.EQUAL,
                text,
                bytes -> {},
                () -> {});
        return comparison
                .compare(fingerprinter.prepare(variant.variant(), bytes -> {}), bytes -> {}, () -> {})
                .similarity();
    }
}

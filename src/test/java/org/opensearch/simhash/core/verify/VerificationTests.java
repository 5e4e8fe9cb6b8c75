/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class VerificationTests {

    @Test
    void testDefaults() {
        Verification verification = Verification.of("content", null, null, null, null);
        assertEquals(new Verification("content", Measure.JACCARD, 3, 0.8, null), verification);
        assertNull(verification.strictCharacters());
    }

    @Test
    void testTakesItsOptions() {
        assertEquals(
                new Verification("content", Measure.LCS, 1, 0.5, new StrictCharacters("[0-9]")),
                Verification.of("content", "lcs", 1, 0.5, "[0-9]"));
        for (Measure measure : Measure.values()) {
            assertEquals(
                    measure,
                    Verification.of("content", measure.toString(), null, null, null)
                            .measure());
        }
    }

    @Test
    void testNamesTheOptionTheRuleAndTheValue() {
        assertRefused("[min_similarity] must be between 0.0 and 1.0, got: 1.5", "content", "jaccard", 3, 1.5);
        assertRefused("[min_similarity] must be between 0.0 and 1.0, got: -0.1", "content", "jaccard", 3, -0.1);
        assertRefused("[min_similarity] must be between 0.0 and 1.0, got: NaN", "content", "jaccard", 3, Double.NaN);
        assertRefused("[shingle_size] must be between 1 and 8, got: 0", "content", "jaccard", 0, 0.8);
        assertRefused("[shingle_size] must be between 1 and 8, got: 9", "content", "jaccard", 9, 0.8);
        assertRefused(
                "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: angle",
                "content",
                "angle",
                3,
                0.8);
        assertRefused(
                "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts], got: LCS",
                "content",
                "LCS",
                3,
                0.8);
        assertRefused("[field] must name the text to verify, got: ", "", "jaccard", 3, 0.8);
    }

    @Test
    void testWhatNeedsAFieldSaysSo() {
        Verification verification = Verification.of(null, null, null, null, null);
        Exception e = assertThrows(IllegalArgumentException.class, verification::requireField);
        assertEquals("[verify] must name the [field] of the text to compare, got: nothing", e.getMessage());
        assertEquals("verify[measure=jaccard, shingle_size=3, min_similarity=0.8]", verification.toString());
    }

    /** To follow a path of a hundred thousand parts would end the node. */
    @Test
    void testAPathIsShort() {
        String path = "a.".repeat(50_000) + "a";
        Exception e = assertThrows(IllegalArgumentException.class, () -> Verification.of(path, null, null, null, null));
        assertEquals("[field] of [verify] must have at most 1000 characters, got: 100001", e.getMessage());
    }

    @Test
    void testEqualOptionsAreEqualRequests() {
        assertEquals(
                Verification.of("content", "lcs", 3, -0.0, "[a]"), Verification.of("content", "lcs", 3, 0.0, "[a]"));
    }

    private static void assertRefused(
            String message, String field, String measure, int shingleSize, double minSimilarity) {
        var e = assertThrows(
                IllegalArgumentException.class,
                () -> Verification.of(field, measure, shingleSize, minSimilarity, null));
        assertEquals(message, e.getMessage());
    }
}

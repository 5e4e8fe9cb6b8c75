/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Map;
import org.opensearch.test.OpenSearchTestCase;

public class PartSizesTests extends OpenSearchTestCase {

    public void testBuffersAndTablesAreBounded() {
        assertRefused(Map.of("type", "path_hierarchy", "buffer_size", 1_900_000_000), "buffer_size=1900000000");
        assertRefused(Map.of("type", "path_hierarchy", "buffer_size", "1900000000"), "buffer_size=1900000000");
        assertRefused(Map.of("type", "edge_ngram", "min_gram", 1, "max_gram", 100_001), "max_gram=100001");
        // 100 hashes, each with 2,000 buckets.
        Map<String, Object> manyTables = Map.of("type", "min_hash", "hash_count", 100, "bucket_count", 2_000);
        assertRefused(manyTables, "bucket_count=2000");
        assertRefused(Map.of("type", "x", "inner", List.of(Map.of("size", "1".repeat(400)))), "size=1111");
    }

    public void testAutomataAreBounded() {
        assertRefused(Map.of("type", "simple_pattern", "pattern", "((a{100}){1,100}){100}"), "simple_pattern");
        assertRefused(Map.of("type", "simple_pattern_split", "pattern", "a{100001,}"), "a{100001,}");
        PartSizes.refuse(analyzer(Map.of("type", "simple_pattern", "pattern", "[0-9]{4}(-[0-9]{2}){1,2}x{3,}")));
        // Counts of java.util.regex stay counts.
        PartSizes.refuse(analyzer(Map.of("type", "pattern", "pattern", "((a{1000}){1000}){1000}")));
    }

    public void testUsualPartsPass() {
        PartSizes.refuse(Map.of());
        PartSizes.refuse(Map.of("analyzer", "standard", "analyzers", Map.of("de", "german", "zh", "smartcn")));
        PartSizes.refuse(analyzer(Map.of("type", "path_hierarchy", "buffer_size", PartSizes.MOST, "skip", 0)));
        PartSizes.refuse(analyzer(Map.of("type", "shingle", "min_shingle_size", 2, "max_shingle_size", "4")));
        PartSizes.refuse(analyzer(Map.of("type", "stop", "stopwords", List.of("1999", "2000", "2001", "2002"))));
    }

    private static void assertRefused(Map<String, Object> part, String shown) {
        var e = expectThrows(IllegalArgumentException.class, () -> PartSizes.refuse(analyzer(part)));
        String rule = "[analyzer] of [config] must not have a part whose numbers multiply to more than 100000"
                + " (put it into a pipeline, and name that as [pipeline]), got: {";
        assertTrue(e.getMessage(), e.getMessage().startsWith(rule));
        assertTrue(e.getMessage(), e.getMessage().contains(shown));
        var ofLanguage = expectThrows(
                IllegalArgumentException.class,
                () -> PartSizes.refuse(
                        Map.of("analyzers", Map.of("de", analyzer(part).get("analyzer")))));
        assertEquals(e.getMessage().replace("[analyzer]", "[analyzers]"), ofLanguage.getMessage());
    }

    private static Map<String, Object> analyzer(Map<String, Object> part) {
        return Map.of("analyzer", Map.of("tokenizer", part, "filter", List.of("lowercase")));
    }
}

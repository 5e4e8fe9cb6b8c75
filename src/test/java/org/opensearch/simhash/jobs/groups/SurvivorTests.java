/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.io.PathUtils;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;

/** The document that stays is the first by the survivor order, whatever types an order's field has in the indices of a job. */
public class SurvivorTests extends DeletingTestCase {

    private void fill(String index, String type, Object published) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setMapping("published", "type=" + type)
                .get());
        Map<String, Object> document = new HashMap<>();
        document.put("simhash", Map.of("bits", 7, "scheme", "v1-a"));
        document.put("published", published);
        client().prepareIndex(index).setId(index).setSource(document).get();
        client().admin().indices().prepareRefresh(index).get();
    }

    private JobResponse report(String order, String... indices) throws IOException {
        return run(
                "{\"survivor\":[{\"field\":\"published\",\"order\":\"" + order + "\"}]}",
                Float.POSITIVE_INFINITY,
                100,
                indices);
    }

    private void assertSurvivor(String survivor, String order, String... indices) throws IOException {
        Map<String, Object> answer = XContentHelper.convertToMap(
                JsonXContent.jsonXContent, report(order, indices).toString(), true);
        assertEquals(order, survivor, XContentMapValues.extractValue("survivor.id", (Map<?, ?>)
                ((List<?>) answer.get("examples")).getFirst()));
    }

    /** The plugin's template has doc values for the number of features. */
    public void testTheLongestTextStays() throws IOException {
        Path file = PathUtils.get(System.getProperty("project.basedir", "."), "config", "index-template.json");
        Map<String, Object> template =
                XContentHelper.convertToMap(JsonXContent.jsonXContent, Files.readString(file), true);
        @SuppressWarnings("unchecked")
        Map<String, Object> mappings =
                (Map<String, Object>) XContentMapValues.extractValue("template.mappings", template);
        client().admin().indices().prepareCreate(INDEX).setMapping(mappings).get();
        for (int features : List.of(80, 1_000, 9)) {
            Map<String, Object> print = new HashMap<>(given(0));
            print.put("features", features);
            client().prepareIndex(INDEX)
                    .setId("of-" + features)
                    .setSource("simhash", print)
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        String order = "{\"survivor\":[{\"field\":\"simhash.features\",\"order\":\"desc\"}]}";
        Map<String, Object> answer = XContentHelper.convertToMap(
                JsonXContent.jsonXContent,
                run(order, Float.POSITIVE_INFINITY, 100).toString(),
                true);
        assertEquals("of-1000", XContentMapValues.extractValue("survivor.id", (Map<?, ?>)
                ((List<?>) answer.get("examples")).getFirst()));
    }

    public void testStoredValuesThatDoNotCompareAreRefused() {
        fill("millis", "date", "2024-01-01T00:00:00Z");
        fill("nanos", "date_nanos", "2023-01-01T00:00:00Z");
        fill("word", "keyword", "2022");
        fill("address", "ip", "10.0.0.1");
        fill("flag", "boolean", true);
        fill("whole", "long", 1);
        fill("positive", "unsigned_long", 1);
        assertRefused("date in [millis], date_nanos in [nanos]", "millis", "nanos");
        assertRefused("ip in [address], keyword in [word]", "word", "address");
        assertRefused("boolean in [flag], long in [whole]", "flag", "whole");
        assertRefused("long in [whole], unsigned_long in [positive]", "whole", "positive");
    }

    private void assertRefused(String types, String... indices) {
        Exception e = expectThrows(IllegalArgumentException.class, () -> report("asc", indices));
        assertEquals("[survivor] must name fields of one type, but [published] is " + types, e.getMessage());
    }

    public void testNumbersCompareWhateverTheirTypes() throws IOException {
        long large = (1L << 53) + 1;
        fill("a", "long", large);
        fill("b", "double", (double) (1L << 53));
        fill("c", "float", 1.5);
        fill("d", "short", 2);
        assertSurvivor("b", "asc", "a", "b");
        assertSurvivor("a", "desc", "a", "b");
        assertSurvivor("c", "asc", "a", "b", "c", "d");
        assertSurvivor("a", "desc", "a", "b", "c", "d");
    }

    public void testMissingPositiveNumbersComeLastInEachOrder() throws IOException {
        fill("a", "unsigned_long", null);
        fill("b", "unsigned_long", 0);
        fill("c", "unsigned_long", "18446744073709551614");
        assertSurvivor("b", "asc", "a", "b");
        assertSurvivor("b", "desc", "a", "b");
        assertSurvivor("b", "asc", "a", "b", "c");
        assertSurvivor("c", "desc", "a", "b", "c");
    }

    public void testTheLargestAndTheSmallestNumberAreNotMissing() throws IOException {
        fill("a", "unsigned_long", null);
        fill("b", "unsigned_long", 5);
        fill("c", "unsigned_long", "18446744073709551615");
        assertSurvivor("c", "desc", "a", "b", "c");
        assertSurvivor("c", "asc", "a", "c");
        fill("d", "long", null);
        fill("e", "long", Long.MAX_VALUE);
        fill("f", "integer", Integer.MIN_VALUE);
        assertSurvivor("e", "asc", "d", "e");
        assertSurvivor("f", "desc", "d", "f");
        assertSurvivor("f", "asc", "d", "e", "f");
    }

    public void testMissingNumbersComeLastInEachOrder() throws IOException {
        fill("a", "integer", null);
        fill("b", "long", 5_000_000_000L);
        fill("c", "long", -5_000_000_000L);
        fill("d", "double", 1e30);
        assertSurvivor("b", "asc", "a", "b");
        assertSurvivor("c", "desc", "a", "c");
        assertSurvivor("d", "asc", "a", "d");
    }
}

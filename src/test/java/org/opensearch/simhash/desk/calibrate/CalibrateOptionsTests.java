/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchModule;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.test.OpenSearchTestCase;

/** What people type is read as it is meant, or refused with the option, the rule and the value. */
public class CalibrateOptionsTests extends OpenSearchTestCase {

    private static final SearchModule SEARCH = new SearchModule(Settings.EMPTY, List.of());

    @Override
    protected NamedXContentRegistry xContentRegistry() {
        return new NamedXContentRegistry(SEARCH.getNamedXContents());
    }

    private CalibrateOptions read(String body) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, body.replace('\'', '"'))) {
            return CalibrateOptions.fromXContent(parser);
        }
    }

    public void testAllIsOptional() throws IOException {
        CalibrateOptions options = read("{}");
        assertEquals(options, CalibrateOptions.fromXContent(null));
        assertNull("the one that is mapped", options.fields());
        assertNull(options.verify());
        assertEquals(0.8, options.minSimilarity(), 0);
        assertEquals(24, options.maxDistance());
        assertEquals(2_000, options.sampleSize());
        assertEquals(200, options.pairsPerDistance());
        assertEquals(3, options.examples());
    }

    public void testSketchesAreChosenByName() throws IOException {
        CalibrateOptions options = read("{'sketch': 'minhash'}");
        assertEquals(SketchKind.MINHASH, options.kind());
        assertEquals(List.of("a"), read("{'sketch': 'minhash', 'field': 'a'}").fields());
        assertEquals(SketchKind.SIMHASH, read("{}").kind());
        assertRefused("[sketch] must be one of [simhash, minhash], got: md5", "{'sketch': 'md5'}");
        assertRefused(
                "[max_distance] is only allowed with [sketch] simhash, got: 3",
                "{'sketch': 'minhash', 'max_distance': 3}");
    }

    public void testOptionsAreRead() throws IOException {
        CalibrateOptions options =
                read("{'sketch': 'simhash', 'field': ['old', 'new', 'old'], 'query': {'term': {'a': 'b'}},"
                        + " 'verify': {'field': 'text', 'measure': 'lcs', 'strict_characters': '[0-9]'},"
                        + " 'min_similarity': 0.7, 'max_distance': 16, 'sample_size': 100, 'pairs_per_distance': 50, 'examples': 1,"
                        + " 'seed': -7}");
        assertEquals(List.of("old", "new"), options.fields());
        assertEquals(Measure.LCS, options.verify().measure());
        assertTrue(options.isMeasureGiven());
        assertEquals(-7, options.seed());
    }

    public void testAMeasureThatIsNotTypedIsNotGiven() throws IOException {
        assertFalse(read("{'verify': {'field': 'text'}}").isMeasureGiven());
    }

    public void testRefusals() {
        assertRefused("[max_distance] must be between 0 and 64, got: 65", "{'max_distance': 65}");
        assertRefused("[max_distance] must be a whole number, got: many", "{'max_distance': 'many'}");
        assertRefused("[sample_size] must be between 1 and 10000, got: 0", "{'sample_size': 0}");
        assertRefused("[pairs_per_distance] must be between 1 and 2000, got: 2001", "{'pairs_per_distance': 2001}");
        assertRefused("[examples] must be between 0 and 10, got: -1", "{'examples': -1}");
        assertRefused("[min_similarity] must be between 0 and 1, got: 1.5", "{'min_similarity': 1.5}");
        assertRefused("[min_similarity] must be a number between 0 and 1, got: x", "{'min_similarity': 'x'}");
        assertRefused("[seed] must be a whole number, got: 1.5", "{'seed': 1.5}");
        assertRefused("[field] must be a string or a list of strings, got: 5", "{'field': 5}");
        assertRefused("[field] must be a string or a list of strings, got: null", "{'field': ['a', null]}");
        assertRefused("[field] must name 1 to 10 objects, got: 0", "{'field': []}");
        assertRefused("[field] must name a field, got an empty name", "{'field': ''}");
        assertRefused("[verify] must be an object, got: true", "{'verify': true}");
        assertRefused(
                "[verify] must name the [field] of the text to compare, got: nothing",
                "{'verify': {'measure': 'lcs'}}");
        assertRefused(
                "[min_similarity] must stand beside [verify], not in it, got: 0.9",
                "{'verify': {'field': 'text', 'min_similarity': 0.9}}");
    }

    public void testJudgedPairsAreRead() throws IOException {
        assertNull(read("{}").judged());
        assertEquals(
                List.of(new Judging.Judged(Map.of("_index", "i", "_id", "1"), Map.of("_id", "2"), false)),
                read("{'judged': [{'a': {'_index': 'i', '_id': '1'}, 'b': '2', 'near': false}]}")
                        .judged());
        assertRefused("[judged] must be a list of objects with [a], [b] and [near], got: 5", "{'judged': 5}");
        assertRefused("[judged] must be a list of objects with [a], [b] and [near], got: a", "{'judged': ['a']}");
        for (String wrong : List.of(
                "a=[1], b=2, near=true",
                "a={_index=i}, b=2, near=true",
                "a={_index=i, _id=1, routing=r}, b=2, near=true",
                "a=1, b=null, near=true",
                "a=1, b=2, near=perhaps",
                "a=1, b=2, near=true, text=",
                "a=1, b=2")) {
            String json = wrong.replaceAll("[^{}\\[\\], =]+", "'$0'")
                    .replace('=', ':')
                    .replace("'null'", "null")
                    .replace("'true'", "true")
                    .replaceFirst(":$", ":''");
            assertRefused(
                    "[judged] must have [a] and [b], each an id or an object with [_index] and [_id],"
                            + " and [near], true or false, got: {" + wrong + "}",
                    "{'judged': [{" + json + "}]}");
        }
        String pair = "{'a': '1', 'b': '2', 'near': true}";
        assertRefused(
                "[judged] must have at most 1000 pairs, got: 1001",
                "{'judged': [" + (pair + ",").repeat(1000) + pair + "]}");
    }

    private void assertRefused(String message, String body) {
        IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> read(body));
        assertEquals(message, e.getMessage());
    }
}

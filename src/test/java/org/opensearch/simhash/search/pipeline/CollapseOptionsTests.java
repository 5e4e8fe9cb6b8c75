/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchParseException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParseException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.pipeline.ProcessorGenerationContext;
import org.opensearch.simhash.search.query.SimHashExt;
import org.opensearch.test.OpenSearchTestCase;

/** What is typed for the processor, the window that follows from it, and what its counts look like on the way. */
public class CollapseOptionsTests extends OpenSearchTestCase {

    public void testTakesWhatItKnowsAndHasDefaults() {
        Map<String, Object> definition = new HashMap<>(Map.of("field", "print", "max_distance", 10, "oversample", 5));
        assertEquals(fingerprints("print", 10, 5d), CollapseOptions.parse("t", definition));
        assertEquals(Map.of(), definition);
        assertEquals(
                fingerprints(null, 10, 2.5),
                CollapseOptions.parse("t", new HashMap<>(Map.of("max_distance", "10", "oversample", "2.5"))));
        CollapseOptions none = CollapseOptions.parse(null, new HashMap<>());
        assertEquals("simhash", none.fieldOrDefault());
        assertEquals(3, none.maxDistanceOrDefault());
        assertEquals(3d, none.oversampleOrDefault(), 0);
    }

    public void testWhatIsOutOfRangeIsRefused() {
        assertRefused("field", "", "[field] must name a field, got an empty name");
        assertRefused("max_distance", 65, "[max_distance] must be between 0 and 64, got: 65");
        assertRefused("max_distance", -1, "[max_distance] must be between 0 and 64, got: -1");
        assertRefused("max_distance", "near", "[max_distance] must be a whole number, got: near");
        assertRefused("oversample", 0.5, "[oversample] must be a factor of 1 or more, got: 0.5");
        assertRefused("oversample", Double.NaN, "[oversample] must be a factor of 1 or more, got: NaN");
        assertRefused("oversample", "much", "[oversample] must be a factor of 1 or more, got: much");
        assertRefused("containment", "some", "[containment] must be true or false, got: some");
        assertRefused("verify", "content", "[verify] must be an object, true or false, got: content");
        assertRefused("verify", Map.of("min_similarity", 2), "[min_similarity] must be between 0.0 and 1.0, got: 2.0");
        assertRefused(
                "same",
                7,
                "[same] must be a list of names of fields, or of objects with [field] and [missing], got: 7");
        assertRefused(
                "differ",
                List.of("a..b"),
                "[differ] must be a list of names of fields without empty parts between" + " its dots, got: a..b");
        assertRefused("within", "72h", "[within] must be an object with [field] and [distance], got: 72h");
        assertRefused(
                "within",
                Map.of("field", "at", "distance", "72 suns"),
                "[distance] of [within] must be a number, or a time with its unit, as in 72h, and not negative, got: 72"
                        + " suns");
    }

    public void testTheDistanceIsLargerWhereTextsAreCompared() {
        for (Object verify : List.of(true, "true", Map.of(), Map.of("min_similarity", 0.5))) {
            CollapseOptions options = CollapseOptions.parse("t", new HashMap<>(Map.of("verify", verify)));
            assertEquals(11, options.maxDistanceOrDefault());
            assertEquals(11, options.with(fingerprints(null, null, null)).maxDistanceOrDefault());
        }
        assertEquals(
                3,
                CollapseOptions.parse("t", new HashMap<>(Map.of("verify", false)))
                        .maxDistanceOrDefault());
        CollapseOptions given = CollapseOptions.parse("t", new HashMap<>(Map.of("verify", true, "max_distance", 5)));
        assertEquals(5, given.maxDistanceOrDefault());
    }

    public void testBothSidesHaveTheSameConditionsAndContainmentIsOfSketches() {
        CollapseOptions none = fingerprints(null, null, null);
        CollapseOptions same = CollapseOptions.parse("t", new HashMap<>(Map.of("same", "tenant")));
        assertEquals(same, same.with(same));
        assertEquals(same, same.with(none));
        assertContradiction(
                "[same], [differ] and [within] must be the same in [request_processors] and [response_processors], got:"
                        + " {\"same\":[]} and {\"same\":[\"tenant\"]}",
                none,
                same);
        CollapseOptions verify = CollapseOptions.parse("t", new HashMap<>(Map.of("verify", true)));
        assertContradiction(
                "[verify] must be the same in [request_processors] and [response_processors], got: "
                        + "{measure=jaccard, shingle_size=3, min_similarity=0.8} and false",
                verify,
                CollapseOptions.parse("t", new HashMap<>(Map.of("verify", false))));
        assertContradiction(
                "[containment] is only allowed with [sketch] minhash, got: true",
                CollapseOptions.parse("t", new HashMap<>(Map.of("containment", true))),
                none);
    }

    private static void assertRefused(String option, Object value, String message) {
        Map<String, Object> definition = new HashMap<>(Map.of(option, value));
        OpenSearchParseException e =
                expectThrows(OpenSearchParseException.class, () -> CollapseOptions.parse("t", definition));
        assertEquals(message, e.getMessage());
    }

    public void testTheSidesOfAPipelineAgree() {
        CollapseOptions none = fingerprints(null, null, null);
        CollapseOptions given = fingerprints("print", 10, 5d);
        assertEquals(none, none.with(none));
        assertEquals(given, given.with(none));
        assertEquals(given, given.with(given));
        assertEquals(10, none.with(fingerprints("simhash", 10, 3d)).maxDistanceOrDefault());
        assertContradiction(
                "[field] must be the same in [request_processors] and [response_processors], got:"
                        + " simhash and print",
                none,
                given);
        assertContradiction(
                "[max_distance] must be the same in [request_processors] and [response_processors], got: 10 and 3",
                given,
                fingerprints(null, 3, null));
        assertContradiction(
                "[oversample] must be the same in [request_processors] and [response_processors], got: 3.0 and 5.0",
                none,
                fingerprints(null, null, 5d));
    }

    private static void assertContradiction(String message, CollapseOptions request, CollapseOptions response) {
        OpenSearchStatusException e = expectThrows(OpenSearchStatusException.class, () -> request.with(response));
        assertEquals("[collapse_near_duplicates] " + message, e.getMessage());
        assertEquals(RestStatus.BAD_REQUEST, e.status());
    }

    public void testTheWindowIsBoundedByTheIndexAndNeverSmallerThanThePage() {
        assertEquals(30, CollapsePlan.window(10, 3, 10_000));
        assertEquals(11, CollapsePlan.window(7, 1.5, 10_000));
        assertEquals(10_000, CollapsePlan.window(9_000, 3, 10_000));
        assertEquals("refused by the index itself", 10_001, CollapsePlan.window(10_001, 3, 10_000));
        assertEquals(Integer.MAX_VALUE, CollapsePlan.window(2_000_000_000, 1e300, Integer.MAX_VALUE));
    }

    public void testCountsAndRequestsShareAName() throws IOException {
        for (SearchExtBuilder ext : List.of(
                new CollapseCounts(30, 29, 20, 9, 2, true).ext(),
                new CollapseCounts(0, 0, 0, 0, 0, false).ext(),
                SimHashExt.evidence(),
                new SimHashExt(Map.of("evidence", true, "distinct", Map.of("oversample", 2))),
                new SimHashExt(Map.of()))) {
            assertEquals(ext, parse(write(ext)));
            assertEquals(ext, copy(ext));
        }
        assertEquals(
                "{\"simhash\":{\"window\":30,\"hits\":29,\"distinct\":20,\"hidden\":9,\"kept_apart\":2,\"window_exhausted\":true}}",
                write(new CollapseCounts(30, 29, 20, 9, 2, true).ext()));
        XContentParseException unknown =
                expectThrows(XContentParseException.class, () -> parse("{\"simhash\":{\"evidense\":true}}"));
        assertEquals("[1:13] [simhash] unknown field [evidense] did you mean [evidence]?", unknown.getMessage());
    }

    public void testARequestIsNoAnswer() {
        Exception both = expectThrows(
                IllegalArgumentException.class, () -> parse("{\"simhash\":{\"evidence\":true,\"window\":5}}"));
        assertEquals("The following fields are not allowed together: [evidence, window] ", both.getMessage());
        assertEquals(
                "[distinct] must be an object, got: 3",
                expectThrows(IllegalArgumentException.class, () -> parse("{\"simhash\":{\"distinct\":3}}"))
                        .getMessage());
    }

    /** It is asked of each search of the cluster, and twice. */
    public void testWhetherASearchIsDistinctReadsNoOptions() {
        DistinctSearch distinct = new DistinctSearch(null, null, null);
        SimHashExt wrong = new SimHashExt(Map.of("distinct", Map.of("no option", 1)));
        assertTrue(isMade(distinct, wrong));
        assertTrue(isMade(distinct, SimHashExt.evidence(), wrong));
        assertFalse(isMade(distinct, SimHashExt.evidence()));
        assertFalse(isMade(distinct, new CollapseCounts(30, 29, 20, 9, 2, true).ext()));
        assertFalse(isMade(distinct));
    }

    private static boolean isMade(DistinctSearch distinct, SearchExtBuilder... sections) {
        ProcessorGenerationContext context = new ProcessorGenerationContext(
                new SearchRequest().source(new SearchSourceBuilder().ext(List.of(sections))));
        boolean isMade = distinct.requestSide().shouldGenerate(context);
        assertEquals(isMade, distinct.responseSide().shouldGenerate(context));
        return isMade;
    }

    private static String write(SearchExtBuilder ext) throws IOException {
        try (XContentBuilder builder = JsonXContent.contentBuilder()) {
            builder.startObject();
            ext.toXContent(builder, ToXContent.EMPTY_PARAMS);
            return builder.endObject().toString();
        }
    }

    private SearchExtBuilder parse(String json) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            parser.nextToken();
            parser.nextToken();
            parser.nextToken();
            return DistinctSearch.fromXContent(parser);
        }
    }

    private static SearchExtBuilder copy(SearchExtBuilder ext) throws IOException {
        NamedWriteableRegistry registry = new NamedWriteableRegistry(
                List.of(new NamedWriteableRegistry.Entry(SearchExtBuilder.class, SimHashExt.NAME, SimHashExt::new)));
        try (BytesStreamOutput out = new BytesStreamOutput()) {
            out.writeNamedWriteable(ext);
            try (StreamInput in = new NamedWriteableAwareStreamInput(out.bytes().streamInput(), registry)) {
                return in.readNamedWriteable(SearchExtBuilder.class);
            }
        }
    }

    private static CollapseOptions fingerprints(String field, Integer maxDistance, Double oversample) {
        Map<String, Object> given = new HashMap<>();
        given.put("field", field);
        given.put("max_distance", maxDistance);
        given.put("oversample", oversample);
        return new CollapseOptions(given);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.ParsingException;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.MinHashQuery;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.StoredDocument;
import org.opensearch.test.AbstractQueryTestCase;
import org.opensearch.test.TestGeoShapeFieldMapperPlugin;

/** The query as people and nodes write it, and the Lucene query that it becomes. */
public class MinHashQueryBuilderTests extends AbstractQueryTestCase<PrintQueryBuilder> {

    private static final String FIELD = "other";
    private static final Sketch SKETCH = Sketch.of(new long[] {1, 2, 3, 4, 5}, 5, 128);
    private static final String BASE64 = SKETCH.toBase64();

    @Override
    @SuppressWarnings("deprecation") // the base class maps a geo_shape and has no other plugin for it
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, TestGeoShapeFieldMapperPlugin.class);
    }

    @Override
    protected void initializeAdditionalMappings(MapperService mapperService) throws IOException {
        String mapping = """
                {"properties": {
                  "other": {"properties": {
                    "bands": {"type": "keyword", "doc_values": false},
                    "sketch": {"type": "binary", "doc_values": true},
                    "digest": {"type": "keyword"},
                    "size": {"type": "integer"},
                    "scheme": {"type": "keyword"}}},
                  "dynamic": {"properties": {
                    "bands": {"type": "text"}, "sketch": {"type": "text"}, "digest": {"type": "text"}}},
                  "bandless": {"properties": {"sketch": {"type": "binary", "doc_values": true}}},
                  "flat": {"type": "keyword"}
                }}""";
        mapperService.merge("_doc", new CompressedXContent(mapping), MapperService.MergeReason.MAPPING_UPDATE);
    }

    @Override
    protected PrintQueryBuilder doCreateTestQueryBuilder() {
        Sketch sketch = Sketch.of(new long[] {randomLong(), 1}, 2, randomIntBetween(1, 200));
        return query(
                randomFrom(FIELD, FIELD, "unmapped"),
                new Resolved(List.of(new SketchTarget(sketch, null, null, null)), null, null, null, null),
                randomDoubleBetween(0, 1, true),
                randomBoolean());
    }

    @Override
    protected void doAssertLuceneQuery(PrintQueryBuilder builder, Query query, QueryShardContext context) {
        Map<?, ?> options = optionsOf(builder);
        if (options.get("field").equals(FIELD)) {
            SketchTarget target = new SketchTarget(Sketch.fromBase64((String) options.get("sketch")), null, null, null);
            assertEquals(
                    new MinHashQuery(
                            new IndexedFields("other.sketch", "other.digest", "other.scheme", List.of("other.bands")),
                            target,
                            (double) options.get("min_similarity"),
                            (boolean) options.get("containment"),
                            effort -> {}),
                    query);
        } else {
            assertEquals(new MatchNoDocsQuery("[unmapped] is not mapped"), query);
        }
    }

    @Override
    public PrintQueryBuilder mutateInstance(PrintQueryBuilder instance) throws IOException {
        Map<?, ?> options = optionsOf(instance);
        String field = (String) options.get("field");
        SketchTarget target = new SketchTarget(Sketch.fromBase64((String) options.get("sketch")), null, null, null);
        QuerySource source = new Resolved(List.of(target), null, null, null, null);
        double similarity = (double) options.get("min_similarity");
        boolean containment = (boolean) options.get("containment");
        return switch (randomIntBetween(0, 4)) {
            case 0 -> query(field + "2", source, similarity, containment);
            case 1 -> query(field, new QuerySource.Text("x", null), similarity, containment);
            case 2 -> query(field, source, similarity / 2 + 0.2, containment == false);
            case 3 -> query(field, source, similarity < 0.5 ? 0.7 : 0.3, containment);
            default -> super.mutateInstance(instance);
        };
    }

    public void testDefaults() throws IOException {
        assertEquals(
                query("minhash", new QuerySource.Stored("17", null, null, false, null), 0.8, false),
                parse("'id': '17'"));
        assertEquals(query("minhash", sketched(), 0.8, false), parse("'sketch': '" + BASE64 + "'"));
    }

    /** An estimate errs: what is verified must not be lost to it. */
    public void testWithVerifyTheSketchMayBeLessSimilarThanTheText() {
        Verification verify = Verification.of("content", null, null, 0.8, null);
        assertEquals("0.8 less 3 * sqrt(0.8 * 0.2 / 128)", 0.69, Threshold.Similarity.byDefault(verify, false), 0);
        assertEquals(0.36, Threshold.Similarity.byDefault(verify.withMinSimilarity(0.5), false), 0);
        assertEquals(0.9, Threshold.Similarity.byDefault(verify.withMinSimilarity(1), false), 0);
        assertEquals(0.55, Threshold.Similarity.byDefault(verify, true), 1e-9);
        assertEquals(0.01, Threshold.Similarity.byDefault(verify.withMinSimilarity(0.05), false), 0);
        assertEquals(0.8, Threshold.Similarity.byDefault(null, true), 0);
    }

    public void testEveryOption() throws IOException {
        assertEquals(
                query("other", new QuerySource.Text("a text", "p"), 0.25, true)
                        .boost(2)
                        .queryName("n"),
                parse(
                        "'field': 'other', 'text': 'a text', 'pipeline': 'p', 'min_similarity': 0.25, 'containment': true,"
                                + " 'boost': 2, '_name': 'n'"));
        assertEquals(
                query("minhash", new QuerySource.Stored("17", "docs", "r", true, null), 1, false),
                parse("'id': 17, 'index': 'docs', 'routing': 'r', 'include_self': true, 'min_similarity': '1'"));
    }

    public void testEverySourceSurvivesTheWayToAnotherNode() throws IOException {
        for (QuerySource source : List.of(
                sketched(),
                new QuerySource.Text("a text", "p"),
                new QuerySource.Document(Map.of("title", "t"), null),
                new QuerySource.Stored("17", "docs", "r", true, null),
                new Resolved(
                        List.of(
                                new SketchTarget(SKETCH, BandLayout.DEFAULT, "d", "m2-a"),
                                new SketchTarget(null, null, "e", "m2-b")),
                        new StoredDocument("docs", "17", "r"),
                        "text",
                        randomBoolean() ? "fr" : null,
                        "p"))) {
            assertSerialization(
                    query(FIELD, source, 0.5, true).boost(randomFloat()).queryName("n"));
        }
    }

    public void testRefusesWhatIsNoOption() {
        refused("[min_similarity] must be between 0 and 1, got: 1.5", "'text': 'x', 'min_similarity': 1.5");
        refused("[min_similarity] must be a number between 0 and 1, got: x", "'text': 'x', 'min_similarity': 'x'");
        refused("[sketch] must be what the processor [minhash] writes", "'sketch': 'x'");
        refused("[sketch] must be what the processor [minhash] writes", "'sketch': ''");
        refused(
                "[verify] needs a text to compare with: [text], [document] or [id], got: [sketch]",
                "'sketch': '" + BASE64 + "', 'verify': {'field': 'content'}");
        refused("[index] is only allowed together with [id], got: i", "'text': 'x', 'index': 'i'");
        Exception e = expectThrows(Exception.class, () -> parse("'text': 'x', 'max_distance': 3"));
        assertTrue(e.getMessage(), e.getMessage().contains("[minhash] unknown field [max_distance]"));
    }

    public void testRefusesMappingsThatWouldLoseMatches() throws IOException {
        for (String[] wrong : new String[][] {
            {"dynamic", "[dynamic.sketch] must be of type [binary] with doc values, but is of type [text]"},
            {"bandless", "[bandless.bands] must be of type [keyword] and indexed, but is not mapped"},
            {"flat", "[field] must be the object that the [minhash] processor writes, but [flat] is of type [keyword]"}
        }) {
            QueryShardException e = expectThrows(
                    QueryShardException.class,
                    () -> query(wrong[0], sketched(), 0.8, false).toQuery(createShardContext()));
            assertEquals(
                    "[minhash] " + wrong[1] + "; map [" + wrong[0] + "] as in the plugin's config/index-template.json",
                    e.getMessage());
        }
    }

    public void testAForeignSketchIsNoSketch() {
        String tooLong = Base64.getEncoder().encodeToString(new byte[2000]);
        refused("[sketch] must be what the processor [minhash] writes", "'sketch': '" + tooLong + "'");
    }

    private void refused(String message, String options) {
        assertEquals(
                message,
                expectThrows(ParsingException.class, () -> parse(options)).getMessage());
    }

    private static Resolved sketched() {
        return new Resolved(List.of(new SketchTarget(SKETCH, null, null, null)), null, null, null, null);
    }

    private static PrintQueryBuilder query(String field, QuerySource source, double similarity, boolean containment) {
        ShardQuery.Services services = new ShardQuery.Services(
                null, Map.of(), new SearchCounts(new Spans()), new SearchMemories(), new KnownFields());
        return new PrintQueryBuilder(field, source, new Threshold.Similarity(similarity, containment), null, services);
    }

    private static Map<?, ?> optionsOf(PrintQueryBuilder builder) {
        Map<String, Object> query = XContentHelper.convertToMap(JsonXContent.jsonXContent, builder.toString(), false);
        assertEquals(Set.of("minhash"), query.keySet());
        return (Map<?, ?>) query.get("minhash");
    }

    private QueryBuilder parse(String options) throws IOException {
        return parseQuery("{'minhash': {".replace('\'', '"') + options.replace('\'', '"') + "}}");
    }
}

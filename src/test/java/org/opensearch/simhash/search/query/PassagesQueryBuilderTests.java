/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.core.common.ParsingException;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.PassageRule.Of;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.StoredDocument;
import org.opensearch.test.AbstractQueryTestCase;
import org.opensearch.test.TestGeoShapeFieldMapperPlugin;

/** The query as people and nodes write it. What it finds, Lucene tests and tests on nodes say: a text needs a pipeline. */
public class PassagesQueryBuilderTests extends AbstractQueryTestCase<PrintQueryBuilder> {

    private static final PassageRule DEFAULT = new PassageRule(null, 0, Of.SMALLER, null);

    @Override
    @SuppressWarnings("deprecation") // the base class maps a geo_shape and has no other plugin for it
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, TestGeoShapeFieldMapperPlugin.class);
    }

    @Override
    protected PrintQueryBuilder doCreateTestQueryBuilder() {
        return query(randomFrom("passages", "other"), randomSource(), randomRule());
    }

    /** A document may have any fields. */
    @Override
    protected Set<String> getObjectsHoldingArbitraryContent() {
        return Set.of("document");
    }

    private static QuerySource randomSource() {
        return switch (randomIntBetween(0, 2)) {
            case 0 -> new QuerySource.Text(randomAlphaOfLength(20), randomBoolean() ? "p" : null);
            case 1 -> new QuerySource.Document(Map.of("content", randomAlphaOfLength(9)), null);
            default -> new QuerySource.Stored("17", randomBoolean() ? "docs" : null, null, randomBoolean(), null);
        };
    }

    private static PassageRule randomRule() {
        return new PassageRule(
                randomBoolean() ? null : randomIntBetween(1, PassageRule.MOST_MIN_WORDS),
                randomDoubleBetween(0, 1, true),
                randomFrom(Of.values()),
                randomBoolean() ? null : randomDoubleBetween(0, 1, true));
    }

    /** Sources become documents on nodes only; a resolved one without mapping matches none. */
    @Override
    public void testToQuery() throws IOException {
        Resolved resolved = new Resolved(List.of(new PassageTarget(SourceTexts.of("a text"), "p1-a")), null);
        assertEquals(
                new MatchNoDocsQuery("[unmapped] is not mapped"),
                query("unmapped", resolved, DEFAULT).toQuery(createShardContext()));
    }

    @Override
    public void testCacheability() throws IOException {
        QueryShardContext context = createShardContext();
        Resolved resolved = new Resolved(List.of(new PassageTarget(SourceTexts.of("a text"), "p1-a")), null);
        query("unmapped", resolved, DEFAULT).toQuery(context);
        assertFalse("a match depends on a pipeline", context.isCacheable());
    }

    @Override
    public void testMustRewrite() {
        // as testToQuery
    }

    @Override
    protected void doAssertLuceneQuery(PrintQueryBuilder builder, Query query, QueryShardContext context) {
        throw new AssertionError("not made here");
    }

    @Override
    public PrintQueryBuilder mutateInstance(PrintQueryBuilder instance) throws IOException {
        return randomBoolean()
                ? query("mutated", randomSource(), randomRule()).boost(instance.boost() + 1)
                : super.mutateInstance(instance);
    }

    public void testDefaults() throws IOException {
        assertEquals(
                query("passages", new QuerySource.Stored("17", null, null, false, null), DEFAULT), parse("'id': '17'"));
    }

    public void testEveryOption() throws IOException {
        assertEquals(
                query("other", new QuerySource.Text("a text", "p"), new PassageRule(20, .5, Of.QUERY, .1))
                        .boost(2)
                        .queryName("n"),
                parse(
                        "'field': 'other', 'text': 'a text', 'pipeline': 'p', 'min_words': 20, 'min_share': 0.5, 'of': 'query',"
                                + " 'max_document_share': 0.1, 'boost': 2, '_name': 'n'"));
        assertEquals(
                query("passages", new QuerySource.Stored("17", "docs", "r", true, "p"), DEFAULT),
                parse("'id': 17, 'index': 'docs', 'routing': 'r', 'include_self': true, 'pipeline': 'p'"));
    }

    public void testAResolvedSourceSurvivesTheWayToAnotherNode() throws IOException {
        SourceTexts texts = new SourceTexts(
                List.of(
                        new SourceTexts.FieldTexts(1, List.of("one", "two")),
                        new SourceTexts.FieldTexts(1, List.of("three"))),
                "en");
        Resolved source = new Resolved(
                List.of(new PassageTarget(texts, "p1-a")), new StoredDocument("docs", "17", "r"), null, null, "p");
        assertSerialization(query("passages", source, randomRule()).boost(randomFloat()));
    }

    public void testRefusesWhatIsNoOption() {
        refused("[min_words] must be between 1 and 10000, got: 0", "'text': 'x', 'min_words': 0");
        refused("[min_words] must be a whole number, got: x", "'text': 'x', 'min_words': 'x'");
        refused("[min_share] must be between 0 and 1, got: 1.5", "'text': 'x', 'min_share': 1.5");
        refused("[of] must be one of [smaller, query, document], got: both", "'text': 'x', 'of': 'both'");
        refused("[max_document_share] must be between 0 and 1, got: -1.0", "'text': 'x', 'max_document_share': -1");
        refused("[index] is only allowed together with [id], got: i", "'text': 'x', 'index': 'i'");
        for (String option : List.of("verify", "hash", "sketch", "max_distance")) {
            Exception e = expectThrows(Exception.class, () -> parse("'text': 'x', '" + option + "': 'x'"));
            assertTrue(e.getMessage(), e.getMessage().contains("[passages] unknown field [" + option + "]"));
        }
        Exception e = expectThrows(Exception.class, () -> parse("'min_words': 15"));
        assertTrue(e.getMessage(), e.getMessage().contains("Required one of fields [text, document, id]"));
    }

    private void refused(String message, String options) {
        assertEquals(
                message,
                expectThrows(ParsingException.class, () -> parse(options)).getMessage());
    }

    private static PrintQueryBuilder query(String field, QuerySource source, PassageRule rule) {
        ShardQuery.Services services = new ShardQuery.Services(
                null, Map.of(), new SearchCounts(new Spans()), new SearchMemories(), new KnownFields());
        return new PrintQueryBuilder(field, source, new Threshold.Passages(rule, Integer.MAX_VALUE), null, services);
    }

    private QueryBuilder parse(String options) throws IOException {
        return parseQuery("{'passages': {".replace('\'', '"') + options.replace('\'', '"') + "}}");
    }
}

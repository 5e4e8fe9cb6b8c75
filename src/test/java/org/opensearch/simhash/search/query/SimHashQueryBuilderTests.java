/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.ParsingException;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.search.counts.Durations.Spans;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.match.SimHashQuery;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.StoredDocument;
import org.opensearch.simhash.search.query.SearchCounts.PlanRecord;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;
import org.opensearch.simhash.search.query.SimHashQueries.LongSearchDecider;
import org.opensearch.test.AbstractQueryTestCase;
import org.opensearch.test.TestGeoShapeFieldMapperPlugin;
import org.opensearch.test.TestSearchContext;

/** The query as people and nodes write it, and the Lucene query that it becomes. */
public class SimHashQueryBuilderTests extends AbstractQueryTestCase<PrintQueryBuilder> {

    private static final String FIELD = "print";
    private static final String HASH = "9f2c4d0011aa22bb";
    private static final long BITS = 0x9f2c4d0011aa22bbL;
    private static final Resolved HASHED = new Resolved(List.of(Target.of(BITS)), null);

    @Override
    @SuppressWarnings("deprecation") // the base class maps a geo_shape and has no other plugin for it
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, TestGeoShapeFieldMapperPlugin.class);
    }

    @Override
    protected void initializeAdditionalMappings(MapperService mapperService) throws IOException {
        String mapping = """
                {"properties": {"print": {"properties": {
                  "hash": {"type": "keyword"},
                  "bits": {"type": "long", "index": false},
                  "bits_256": {"type": "binary", "doc_values": true},
                  "digest": {"type": "keyword"},
                  "features": {"type": "integer"},
                  "scheme": {"type": "keyword"},
                  "segment_0": {"type": "keyword", "doc_values": false},
                  "segment_1": {"type": "keyword", "doc_values": false}
                }}}}""";
        mapperService.merge("_doc", new CompressedXContent(mapping), MapperService.MergeReason.MAPPING_UPDATE);
    }

    @Override
    protected PrintQueryBuilder doCreateTestQueryBuilder() {
        Target target = switch (randomIntBetween(0, 3)) {
            case 0 -> Target.of(new LongHash(randomLong(), randomLong(), randomLong(), randomLong()), null);
            default -> Target.of(randomLong());
        };
        QuerySource source = new Resolved(List.of(target), null);
        return query(randomFrom(FIELD, FIELD, "unmapped"), source, randomIntBetween(0, target.length()));
    }

    @Override
    protected void doAssertLuceneQuery(PrintQueryBuilder builder, Query query, QueryShardContext context) {
        Map<?, ?> options = optionsOf(builder);
        if (options.get("field").equals(FIELD)) {
            Target target = Prints.fromHex((String) options.get("hash"), null, null);
            assertEquals(luceneQuery(target, (int) options.get("max_distance")), query);
        } else {
            assertEquals(new MatchNoDocsQuery("[unmapped] is not mapped"), query);
        }
    }

    @Override
    public PrintQueryBuilder mutateInstance(PrintQueryBuilder instance) throws IOException {
        Map<?, ?> options = optionsOf(instance);
        String field = (String) options.get("field");
        QuerySource source = new Resolved(List.of(Prints.fromHex((String) options.get("hash"), null, null)), null);
        int maxDistance = (int) options.get("max_distance");
        PrintQueryBuilder mutated = switch (randomIntBetween(0, 3)) {
            case 0 -> query(field + "2", source, maxDistance);
            case 1 -> query(field, new QuerySource.Text("x", null), maxDistance);
            case 2 -> query(field, source, maxDistance == 0 ? 1 : maxDistance - 1);
            default -> super.mutateInstance(instance);
        };
        return mutated;
    }

    /** Neither text nor number, as typed and as shown. */
    private static final Map<String, String> WRONG =
            Map.of("true", "true", "null", "null", "[]", "an array", "[3]", "an array", "{'a': 1}", "an object");

    public void testDefaults() throws IOException {
        assertEquals(query("simhash", HASHED, 3), parseQuery("{\"simhash\": {\"hash\": \"9f2c4d0011aa22bb\"}}"));
        assertEquals(
                query("simhash", new QuerySource.Stored("17", null, null, false, null), 3),
                parseQuery("{\"simhash\": {\"id\": \"17\"}}"));
    }

    public void testEveryOption() throws IOException {
        assertEquals(
                query("print", new QuerySource.Text("a text", "p"), 64).boost(2).queryName("n"),
                parse(
                        "'field': 'print', 'text': 'a text', 'pipeline': 'p', 'max_distance': 64, 'boost': 2, '_name': 'n'"));
        assertEquals(
                query("print", new QuerySource.Document(Map.of("title", "t", "tags", List.of("a", 1)), null), 0),
                parse("'field': 'print', 'document': {'title': 't', 'tags': ['a', 1]}, 'max_distance': 0"));
        assertEquals(
                query("simhash", new QuerySource.Stored("17", "docs", "r", true, null), 3),
                parse("'id': '17', 'index': 'docs', 'routing': 'r', 'include_self': true"));
        assertEquals(
                "numbers as in other queries",
                query("simhash", new QuerySource.Stored("17", null, "4", false, null), 10),
                parse("'id': 17, 'routing': 4, 'max_distance': '10'"));
    }

    public void testEverySourceSurvivesTheWayToAnotherNode() throws IOException {
        Target full = new Target(OptionalLong.of(-1), "d", "v1-a");
        Target tooShort = new Target(OptionalLong.empty(), "d", "v1-b");
        for (QuerySource source : List.of(
                HASHED,
                new QuerySource.Text("a text", null),
                new QuerySource.Text("a text", "p"),
                new QuerySource.Image("iVBORw0KGgo=", "p"),
                new Resolved(
                        List.of(Target.of(new LongHash(1, 2, 3, 5), "v1-a"), Target.of(new LongHash(1, 2, 3, 4), null)),
                        null),
                new QuerySource.Document(Map.of("title", "t", "tags", List.of("a", 1), "o", Map.of("b", true)), "p"),
                new QuerySource.Stored("17", null, null, false, null),
                new QuerySource.Stored("17", "docs", "r", true, null),
                new Resolved(List.of(full, tooShort), new StoredDocument("docs", "17", "r")))) {
            PrintQueryBuilder query =
                    query(FIELD, source, 10).boost(randomFloat()).queryName("n");
            assertSerialization(query);
        }
    }

    public void testWhatPeopleCanWriteIsWrittenBack() throws IOException {
        for (QuerySource source : List.of(
                HASHED,
                new QuerySource.Text("a text", null),
                new QuerySource.Text("a text", "p"),
                new QuerySource.Document(Map.of("title", "t", "o", Map.of("b", true)), "p"),
                new QuerySource.Stored("17", null, null, false, null),
                new QuerySource.Stored("17", "docs", "r", true, null))) {
            PrintQueryBuilder query = query(FIELD, source, 10).boost(2).queryName("n");
            assertEquals(query, parseQuery(query));
        }
    }

    public void testAResolvedSourceCanBeRead() {
        Resolved resolved = new Resolved(
                List.of(new Target(OptionalLong.of(BITS), "d", "v1-a")), new StoredDocument("docs", "17", null));
        assertEquals(
                Map.of(
                        "field",
                        "print",
                        "resolved",
                        List.of(Map.of("hash", HASH, "digest", "d", "scheme", "v1-a")),
                        "except",
                        Map.of("index", "docs", "id", "17"),
                        "max_distance",
                        3,
                        "boost",
                        1.0),
                optionsOf(query(FIELD, resolved, 3)));
        StoredDocument self = new StoredDocument("docs", "17", null);
        assertEquals(
                "no hash, which has no document of its own",
                List.of(Map.of("hash", HASH)),
                optionsOf(query(FIELD, new Resolved(List.of(Target.of(BITS)), self), 3))
                        .get("resolved"));
    }

    /** Each change of a query would cost a copy of the whole search. */
    public void testAHashNeedsNoRewriting() throws IOException {
        QueryBuilder query = query(FIELD, HASHED, 5).boost(2).queryName("n");
        assertSame(query, query.rewrite(createShardContext()));
    }

    public void testALongSearchIsSharedOut() throws IOException {
        try (Directory directory = new ByteBuffersDirectory();
                DirectoryReader shard = thousands(2500, directory);
                ContextIndexSearcher search = searcher(shard);
                Directory fewDirectory = new ByteBuffersDirectory();
                DirectoryReader few = thousands(1, fewDirectory);
                ContextIndexSearcher searchFew = searcher(few)) {
            QuerySource source = new Resolved(List.of(Target.of(BITS)), null);
            QueryBuilder query = query(FIELD, source, 4);
            QueryBuilder shared = query.rewrite(createShardContext(search));
            assertTrue(shared.supportsIntraSegmentSearch());
            assertTrue(isShared(shared));
            assertSame("once", shared, shared.rewrite(createShardContext(search)));
            assertSame("few documents", query, query.rewrite(createShardContext(searchFew)));
            QueryBuilder near = query(FIELD, source, 3);
            assertSame("a few look-ups", near, near.rewrite(createShardContext(search)));
            assertFalse(near.supportsIntraSegmentSearch());
            assertFalse(isShared(near));
            QuerySource several = new Resolved(List.of(Target.of(BITS), Target.of(BITS + 1)), null);
            QueryBuilder leaves = query(FIELD, several, 4).rewrite(createShardContext(search));
            assertFalse("parts would be searched to their leaf's end", leaves.supportsIntraSegmentSearch());
            assertTrue("whole leaves", isShared(leaves));
            // As when a shard is asked whether it can match at all, on a thread of the network.
            QueryShardContext asking = createShardContext(new IndexSearcher(shard));
            assertSame(query, query.rewrite(asking));
            QueryBuilder text = query(FIELD, new QuerySource.Text("of a filtered alias", "p"), 3);
            assertSame("nothing is computed", text, text.rewrite(asking));
        }
    }

    private static ContextIndexSearcher searcher(DirectoryReader shard) throws IOException {
        return new ContextIndexSearcher(
                shard,
                IndexSearcher.getDefaultSimilarity(),
                null,
                IndexSearcher.getDefaultQueryCachingPolicy(),
                true,
                null,
                null);
    }

    /** Whether threads share its leaves, as OpenSearch asks. */
    private static boolean isShared(QueryBuilder query) {
        ConcurrentSearchRequestDecider decider =
                new LongSearchDecider.Factory().create(null).orElseThrow();
        decider.evaluateForQuery(query, null);
        return decider.getConcurrentSearchDecision() != null;
    }

    /** So many times a thousand documents with a fingerprint and no segments. */
    private static DirectoryReader thousands(int thousands, Directory directory) throws IOException {
        try (Directory thousand = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(thousand, new IndexWriterConfig())) {
                for (int i = 0; i < 1000; i++) {
                    writer.addDocument(List.of(new SortedNumericDocValuesField(FIELD + ".bits", randomLong())));
                }
                writer.forceMerge(1);
            }
            try (DirectoryReader reader = DirectoryReader.open(thousand);
                    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                CodecReader leaf = (CodecReader) reader.leaves().getFirst().reader();
                writer.addIndexes(Collections.nCopies(thousands, leaf).toArray(CodecReader[]::new));
            }
        }
        return DirectoryReader.open(directory);
    }

    public void testSeveralFingerprintsMatchByTheNearest() throws IOException {
        Target one = new Target(OptionalLong.of(1), "a", "v1-a");
        Target other = new Target(OptionalLong.empty(), "b", "v1-b");
        assertEquals(
                new OneClauseQuery(List.of(luceneQuery(one, 7), luceneQuery(other, 7)), bytes -> true),
                query(FIELD, new Resolved(List.of(one, other), null), 7).toQuery(createShardContext()));
    }

    public void testTheDocumentItselfIsLeftOutOfItsOwnIndexOnly() throws IOException {
        QueryShardContext context = createShardContext();
        Target target = Target.of(BITS);
        Query expected = new BooleanQuery.Builder()
                .add(luceneQuery(target, 3), Occur.MUST)
                .add(context.fieldMapper(IdFieldMapper.NAME).termQuery("17", context), Occur.MUST_NOT)
                .build();
        StoredDocument here = new StoredDocument(getIndex().getName(), "17", "r");
        assertEquals(
                expected, query(FIELD, new Resolved(List.of(target), here), 3).toQuery(context));
        StoredDocument elsewhere = new StoredDocument(getIndex().getName() + "2", "17", "r");
        assertEquals(
                luceneQuery(target, 3),
                query(FIELD, new Resolved(List.of(target), elsewhere), 3).toQuery(context));
    }

    public void testAStoredDocumentCannotBeFetchedOnAShard() {
        QueryShardContext context = createShardContext();
        QueryShardException e = expectThrows(
                QueryShardException.class,
                () -> context.toQuery(query(FIELD, new QuerySource.Stored("17", "docs", null, false, null), 3)));
        assertEquals(
                "[simhash] with [id] cannot be used here, where no document can be fetched: use [hash]",
                e.getMessage());
    }

    public void testExactlyOneSourceIsRequired() {
        assertRefused("Required one of fields [hash, text, document, id, image], but none were specified. ", "");
        assertRefused(
                "Required one of fields [hash, text, document, id, image], but none were specified. ",
                "'max_distance': 3");
        assertRefused(
                "The following fields are not allowed together: [hash, text] ",
                "'hash': '9f2c4d0011aa22bb', 'text': 'x'");
        assertRefused("The following fields are not allowed together: [document, id] ", "'document': {}, 'id': '1'");
    }

    public void testWrongHashesAreNamed() {
        for (String hash : List.of(
                "9F2C4D0011AA22BB",
                "9f2c4d0011aa22b",
                "9f2c4d0011aa22bbc",
                "",
                "0x9f2c4d0011aa22",
                "９f2c4d0011aa22bb")) {
            assertRefused("[hash] must be 16 or 64 lowercase hex digits, got: " + hash, "'hash': '" + hash + "'");
        }
        assertRefused(
                "[hash] must be 16 or 64 lowercase hex digits in a string, got: 1234567890123456",
                "'hash': 1234567890123456");
        assertRefused("[hash] must be 16 or 64 lowercase hex digits in a string, got: null", "'hash': null");
    }

    public void testWrongDistancesAreNamed() {
        assertRefused("[max_distance] must be between 0 and 256, got: -1", "'id': '1', 'max_distance': -1");
        assertRefused("[max_distance] must be between 0 and 256, got: 257", "'id': '1', 'max_distance': 257");
        for (int length : List.of(64, 256)) {
            String rule = "[max_distance] must be between 0 and " + length + ", got: " + (length + 1);
            String hash = "0".repeat(length / 4);
            assertRefused(rule, "'hash': '" + hash + "', 'max_distance': " + (length + 1));
        }
        assertRefused("[max_distance] must be between 0 and 64, got: 65", "'text': 'x', 'max_distance': 65");
        for (String distance : List.of("3.5", "-0.5", "12345678901234567890", "1e-3", "1e999999999")) {
            String rule = "[max_distance] must be a whole number of bits"
                    + (distance.matches("123.*|1e9.*") ? " of 32 bits" : "");
            assertRefused(rule + ", got: " + distance, "'id': '1', 'max_distance': " + distance);
            assertRefused(rule + ", got: " + distance, "'id': '1', 'max_distance': '" + distance + "'");
        }
        for (String distance : List.of("x", "", " 3", "NaN")) {
            assertRefused(
                    "[max_distance] must be a whole number of bits, got: " + distance,
                    "'id': '1', 'max_distance': '" + distance + "'");
        }
        WRONG.forEach((typed, shown) -> assertRefused(
                "[max_distance] must be a whole number of bits, got: " + shown, "'id': '1', 'max_distance': " + typed));
    }

    /** OpenSearch's own message has neither the rule nor the value. */
    public void testValuesOfAnotherTypeAreNamed() {
        WRONG.forEach((typed, shown) -> {
            Map.of(
                            "text", "a string",
                            "field", "a string",
                            "index", "a string",
                            "pipeline", "a string",
                            "_name", "a string",
                            "boost", "a number",
                            "hash", "16 or 64 lowercase hex digits in a string")
                    .forEach((option, rule) -> assertRefused(
                            "[" + option + "] must be " + rule + ", got: " + shown, "'" + option + "': " + typed));
            Map.of(
                            "measure",
                                    "[measure] must be one of [jaccard, containment, cosine, levenshtein, lcs, facts]",
                            "field", "[field] of [verify] must be a string",
                            "shingle_size", "[shingle_size] must be a whole number",
                            "min_similarity", "[min_similarity] must be a number between 0 and 1",
                            "strict_characters", "[strict_characters] must be a string")
                    .forEach((option, rule) -> assertRefused(
                            rule + ", got: " + shown, "'text': 'x', 'verify': {'" + option + "': " + typed + "}"));
        });
        for (String number : List.of("5", "1.5")) {
            assertRefused("[text] must be a string, got: " + number, "'text': " + number);
            assertRefused("[document] must be an object, got: " + number, "'document': " + number);
            assertRefused("[verify] must be an object, got: " + number, "'text': 'x', 'verify': " + number);
        }
        assertRefused("[document] must be an object, got: an array", "'document': [{}]");
        assertRefused("[verify] must be an object, got: content", "'text': 'x', 'verify': 'content'");
        assertRefused("[id] must be a string, got: null", "'id': null");
        assertRefused("[id] must be a string, got: an array", "'id': ['1', '2']");
        assertRefused("[routing] must be a string, got: an object", "'id': '1', 'routing': {}");
        assertRefused("[include_self] must be true or false, got: 1", "'id': '1', 'include_self': 1");
        assertRefused("[include_self] must be true or false, got: an array", "'id': '1', 'include_self': [true]");
        assertRefused("[_name] must be a string, got: 7", "'id': '1', '_name': 7");
    }

    public void testWholeDistancesAreAcceptedHoweverTheyAreWritten() throws IOException {
        for (String distance : List.of("10", "'10'", "10.0", "1e1")) {
            assertEquals(
                    query("simhash", HASHED, 10), parse("'hash': '9f2c4d0011aa22bb', 'max_distance': " + distance));
        }
    }

    public void testOptionsOfAnotherSourceAreNamed() {
        assertRefused("[index] is only allowed together with [id], got: docs", "'text': 'x', 'index': 'docs'");
        assertRefused("[routing] is only allowed together with [id], got: r", "'hash': '" + HASH + "', 'routing': 'r'");
        assertRefused(
                "[include_self] is only allowed together with [id], got: true", "'document': {}, 'include_self': true");
        assertRefused(
                "[pipeline] is only allowed together with [text], [image] or [document], or with [id] and [verify], got: p",
                "'id': '1', 'pipeline': 'p'");
        assertRefused(
                "[pipeline] is only allowed together with [text], [image] or [document], or with [id] and [verify], got: p",
                "'hash': '" + HASH + "', 'pipeline': 'p'");
    }

    public void testEmptyNamesAreRefused() {
        assertRefused(
                "[field] must name the fingerprint object, got an empty name",
                "'field': '', 'hash': '9f2c4d0011aa22bb'");
        assertRefused(
                "[field] must name the fingerprint object, of at most 1000 characters, got: 2001",
                "'field': '" + "a.".repeat(1000) + "a', 'text': 'x'");
        assertRefused("[id] must name a document, got an empty name", "'id': ''");
        assertRefused("[index] must name an index, got an empty name", "'id': '1', 'index': ''");
        assertRefused("[pipeline] must name an ingest pipeline, got an empty name", "'text': 'x', 'pipeline': ''");
    }

    public void testUnknownOptionsAreNamed() {
        assertRefused("[1:25] [simhash] unknown field [colour]", "'id': '1', 'colour': 3");
        assertRefused(
                "[1:25] [simhash] unknown field [min_similarity]: that of texts stands in [verify]",
                "'id': '1', 'min_similarity': 0.8");
        assertRefused(
                "[1:14] [simhash] unknown field [distance] did you mean [max_distance]?", "'distance': 3, 'id': '1'");
    }

    public void testQueriesOfOneSearchAreCountedUpToABound() throws IOException {
        SearchCounts counts = new SearchCounts(new Spans());
        ShardQuery.Services services = new ShardQuery.Services(null, Map.of(), counts, null, new KnownFields());
        QuerySource source = new Resolved(List.of(Target.of(BITS)), null);
        QueryShardContext shard = createShardContext();
        for (int i = 0; i < SearchCounts.MOST_QUERIES + 5; i++) {
            new PrintQueryBuilder(FIELD, source, new Threshold.Distance(5), null, services).toQuery(shard);
        }
        for (int i = 0; i < 2; i++) {
            counts.onQueryPhase(new TestSearchContext(shard), 0);
            assertEquals(SearchCounts.MOST_QUERIES, counts.counts().get(SearchCount.TOTAL));
        }
    }

    public void testAThreadKeepsOneLeafAtATime() throws Exception {
        AtomicLong taken = new AtomicLong();
        PlanRecord query = new PlanRecord();
        query.pays(bytes -> taken.addAndGet(bytes) <= 500);
        query.keeps(100);
        query.keeps(50);
        query.keeps(300);
        assertEquals(300, taken.get());
        Thread other = new Thread(() -> query.keeps(200));
        other.start();
        other.join();
        assertEquals(500, taken.get());
    }

    public void testQueriesOfOneSearchMayBeMadeByManyThreads() throws Exception {
        SearchCounts counts = new SearchCounts(new Spans());
        QueryShardContext shard = createShardContext();
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        PlanRecord query = new PlanRecord();
        Callable<Void> making = () -> {
            together.await(60, TimeUnit.SECONDS);
            for (int i = 0; i < SearchCounts.MOST_QUERIES / threads; i++) {
                counts.made(shard, query);
            }
            return null;
        };
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long searches = 200;
        for (int i = 0; i < searches; i++) {
            for (Future<Void> made : executor.invokeAll(Collections.nCopies(threads, making))) {
                made.get();
            }
            counts.onQueryPhase(new TestSearchContext(shard), 0);
        }
        assertTrue(terminate(executor));
        assertEquals(searches * SearchCounts.MOST_QUERIES, counts.counts().get(SearchCount.TOTAL));
    }

    private static PrintQueryBuilder query(String field, QuerySource source, int maxDistance) {
        ShardQuery.Services services = new ShardQuery.Services(
                null, Map.of(), new SearchCounts(new Spans()), new SearchMemories(), new KnownFields());
        return new PrintQueryBuilder(field, source, new Threshold.Distance(maxDistance), null, services);
    }

    private static Query luceneQuery(Target target, int maxDistance) {
        IndexedFields fields =
                FingerprintedDocument.fields(FIELD).withBits(FIELD + "." + FingerprintFields.bits(target.length()));
        return new SimHashQuery(fields, target, maxDistance, effort -> {});
    }

    private static Map<?, ?> optionsOf(PrintQueryBuilder builder) {
        Map<String, Object> query = XContentHelper.convertToMap(JsonXContent.jsonXContent, builder.toString(), false);
        assertEquals(Set.of("simhash"), query.keySet());
        return (Map<?, ?>) query.get("simhash");
    }

    private QueryBuilder parse(String options) throws IOException {
        return parseQuery("{'simhash': {".replace('\'', '"') + options.replace('\'', '"') + "}}");
    }

    private void assertRefused(String message, String options) {
        Exception e = expectThrows(ParsingException.class, () -> parse(options));
        assertEquals(message, e.getMessage());
    }
}

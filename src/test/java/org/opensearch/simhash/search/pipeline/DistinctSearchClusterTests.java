/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertNoFailures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.pipeline.PipelineProcessingContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.ProcessorGenerationContext;
import org.opensearch.search.pipeline.SearchPipelineService;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.pipeline.SystemGeneratedProcessor;
import org.opensearch.simhash.ClusterTestCase;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** {@code ext.simhash.distinct} in searches without a pipeline, against brute force; and what it refuses. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, numClientNodes = 0, supportsDedicatedMasters = false)
public class DistinctSearchClusterTests extends ClusterTestCase {

    private static final String SETTING = SearchPipelineService.ENABLED_SYSTEM_GENERATED_FACTORIES_SETTING.getKey();

    private static final String PROPERTIES = "{'properties':{'rank':{'type':'integer'},'tenant':{'type':'keyword'},"
            + "'source':{'type':'keyword'},'short':{'type':'keyword','ignore_above':3},'published':{'type':'date'},'simhash':{'properties':{"
            + "'bits':{'type':'long','index':false},'digest':{'type':'keyword'},'scheme':{'type':'keyword'}}}}}";

    private static final long HOUR = TimeValue.timeValueHours(1).millis();

    /** Documents by rank. */
    private final List<Map<String, Object>> documents = new ArrayList<>();

    /** As of a plugin that ranks hits anew: asks for twice as many, and turns around those that it gives back. */
    public static final class Reranking extends Plugin implements SearchPipelinePlugin {

        private static final String FACTORY = "turn_around";
        private static final String KEY = "asked";

        private record Request() implements SearchRequestProcessor, SystemGeneratedProcessor {

            @Override
            public SearchRequest processRequest(SearchRequest request) {
                throw new UnsupportedOperationException();
            }

            @Override
            public SearchRequest processRequest(SearchRequest request, PipelineProcessingContext search) {
                search.setAttribute(KEY, request.source().size());
                request.source().size(2 * request.source().size());
                return request;
            }

            @Override
            public String getType() {
                return FACTORY;
            }

            @Override
            public String getTag() {
                return null;
            }

            @Override
            public String getDescription() {
                return null;
            }

            @Override
            public boolean isIgnoreFailure() {
                return false;
            }
        }

        private record Response() implements SearchResponseProcessor, SystemGeneratedProcessor {

            @Override
            public SearchResponse processResponse(SearchRequest request, SearchResponse response) {
                throw new UnsupportedOperationException();
            }

            @Override
            public SearchResponse processResponse(
                    SearchRequest request, SearchResponse response, PipelineProcessingContext search) {
                SearchHit[] hits = response.getHits().getHits();
                int size = Math.min(hits.length, (Integer) search.getAttribute(KEY));
                List<SearchHit> first = new ArrayList<>(Arrays.asList(hits).subList(0, size));
                for (int i = 0; i + 1 < first.size(); i += 2) {
                    Collections.swap(first, i, i + 1);
                }
                var found = new SearchHits(
                        first.toArray(SearchHit[]::new),
                        response.getHits().getTotalHits(),
                        response.getHits().getMaxScore());
                var sections = new InternalSearchResponse(found, null, null, null, false, null, 1);
                return new SearchResponse(
                        sections, null, 1, 1, 0, 1, response.getShardFailures(), response.getClusters());
            }

            @Override
            public ExecutionStage getExecutionStage() {
                return ExecutionStage.PRE_USER_DEFINED;
            }

            @Override
            public String getType() {
                return FACTORY;
            }

            @Override
            public String getTag() {
                return null;
            }

            @Override
            public String getDescription() {
                return null;
            }

            @Override
            public boolean isIgnoreFailure() {
                return false;
            }
        }

        private record Factory<T extends Processor>(T processor)
                implements SystemGeneratedProcessor.SystemGeneratedFactory<T> {

            @Override
            public boolean shouldGenerate(ProcessorGenerationContext context) {
                return "turn around".equals(context.searchRequest().preference());
            }

            @Override
            public T create(
                    Map<String, Processor.Factory<T>> others,
                    String tag,
                    String description,
                    boolean ignoreFailure,
                    Map<String, Object> definition,
                    Processor.PipelineContext context) {
                return processor;
            }
        }

        @Override
        public Map<String, SystemGeneratedProcessor.SystemGeneratedFactory<SearchRequestProcessor>>
                getSystemGeneratedRequestProcessors(Parameters node) {
            return Map.of(FACTORY, new Factory<>(new Request()));
        }

        @Override
        public Map<String, SystemGeneratedProcessor.SystemGeneratedFactory<SearchResponseProcessor>>
                getSystemGeneratedResponseProcessors(Parameters node) {
            return Map.of(FACTORY, new Factory<>(new Response()));
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        return List.of(SimHashPlugin.class, Reranking.class);
    }

    @Override
    protected Settings nodeSettings(int node) {
        return Settings.builder()
                .put(super.nodeSettings(node))
                .putList(SETTING, DistinctSearch.FACTORY, Reranking.FACTORY)
                .build();
    }

    private void index(int count) {
        Random random = random();
        assertAcked(client().admin()
                .indices()
                .prepareCreate("prints")
                .setSettings(Map.of("index.number_of_shards", 2, "index.number_of_replicas", 0))
                .setMapping(PROPERTIES.replace('\'', '"')));
        long[] centers = random.longs(1 + count / 40).toArray();
        if (count == 0) {
            return;
        }
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int rank = 0; rank < count; rank++) {
            // Long runs of copies, so that pages need more than one search.
            int center = random.nextInt(1 + rank / 40 % centers.length);
            long bits = centers[center] ^ (random.nextInt(4) == 0 ? 1L << random.nextInt(64) : 0);
            Map<String, Object> document = new HashMap<>(
                    Map.of("rank", rank, "simhash", Map.of("bits", bits, "digest", "d" + bits, "scheme", "v1-a")));
            if (random.nextInt(5) > 0) {
                document.put("tenant", "t" + random.nextInt(3));
            }
            if (random.nextInt(5) > 0) {
                document.put("source", "s" + random.nextInt(4));
            }
            if (random.nextInt(5) > 0) {
                document.put("published", 1_700_000_000_000L + random.nextInt(200) * HOUR);
            }
            documents.add(document);
            bulk.add(client().prepareIndex("prints").setId("" + rank).setSource(document));
        }
        assertFalse(bulk.get().hasFailures());
        refresh("prints");
    }

    private SearchSourceBuilder ranked(String options) throws IOException {
        String body = ("{'query':{'match_all':{}},'sort':[{'rank':'asc'}],'ext':{'simhash':" + options + "}}")
                .replace('\'', '"');
        NamedXContentRegistry registry = internalCluster().getInstance(NamedXContentRegistry.class);
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                registry, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, body)) {
            return SearchSourceBuilder.fromXContent(parser);
        }
    }

    private static SearchResponse search(SearchSourceBuilder source) {
        SearchResponse response =
                client().search(new SearchRequest("prints").source(source)).actionGet();
        assertNoFailures(response);
        return response;
    }

    private static List<Integer> ranks(SearchResponse response) {
        return Arrays.stream(response.getHits().getHits())
                .map(hit -> Integer.valueOf(hit.getId()))
                .toList();
    }

    /** What decides two documents. */
    @FunctionalInterface
    private interface Pair {
        boolean isMet(Map<String, Object> a, Map<String, Object> b);
    }

    private List<Integer> distinct(List<Integer> order, int maxDistance, Pair pair) {
        List<Integer> kept = new ArrayList<>();
        for (int rank : order) {
            Map<String, Object> hit = documents.get(rank);
            boolean isHidden = kept.stream()
                    .map(documents::get)
                    .anyMatch(by -> distance(by, hit) <= maxDistance && pair.isMet(by, hit));
            if (isHidden == false) {
                kept.add(rank);
            }
        }
        return kept;
    }

    private static int distance(Map<String, Object> a, Map<String, Object> b) {
        return Long.bitCount((Long) bits(a) ^ (Long) bits(b));
    }

    private static Object bits(Map<String, Object> document) {
        return ((Map<?, ?>) document.get("simhash")).get("bits");
    }

    private static List<Integer> page(List<Integer> all, int from, int size) {
        return all.subList(Math.min(from, all.size()), Math.min(from + size, all.size()));
    }

    private List<Integer> order() {
        return IntStream.range(0, documents.size()).boxed().toList();
    }

    public void testPagesAreFullUpToTheEndOfTheIndex() throws IOException {
        index(2_000);
        List<Integer> all = distinct(order(), 3, (a, b) -> true);
        assertTrue("" + all.size(), all.size() > 20 && all.size() < 200);
        for (int size : new int[] {1, 7, 10}) {
            List<Integer> pages = new ArrayList<>();
            for (int from = 0; from <= all.size(); from += size) {
                SearchResponse response =
                        search(ranked("{'distinct':{}}").from(from).size(size));
                pages.addAll(ranks(response));
                assertEquals(page(all, from, size), ranks(response));
                assertEquals(2_000, response.getHits().getTotalHits().value());
            }
            assertEquals(all, pages);
        }
    }

    /** {@code -Dcollapse.pages=300} for the count of docs/figures/benchmarks-collapse.md. */
    public void testConditionsAreThoseOfBruteForce() throws IOException {
        index(600);
        Random random = random();
        int searches = Rounds.of("collapse.pages", 40, 300);
        int several = 0;
        for (int i = 0; i < searches; i++) {
            List<String> options = new ArrayList<>();
            Pair pair = (a, b) -> true;
            int maxDistance = random.nextInt(5);
            options.add("'max_distance':" + maxDistance);
            switch (random.nextInt(3)) {
                case 0 -> {
                    options.add("'same':['tenant']");
                    pair = (a, b) -> Objects.equals(a.get("tenant"), b.get("tenant"));
                }
                case 1 -> {
                    options.add("'same':[{'field':'tenant','missing':'any'}]");
                    pair = (a, b) -> a.get("tenant") == null
                            || b.get("tenant") == null
                            || a.get("tenant").equals(b.get("tenant"));
                }
                default -> {}
            }
            if (random.nextBoolean()) {
                options.add("'differ':['source']");
                Pair others = pair;
                pair = (a, b) -> others.isMet(a, b) && Objects.equals(a.get("source"), b.get("source")) == false;
            }
            if (random.nextBoolean()) {
                int hours = random.nextInt(100);
                options.add("'within':{'field':'published','distance':'" + hours + "h'}");
                Pair others = pair;
                pair = (a, b) -> others.isMet(a, b)
                        && a.get("published") instanceof Long x
                        && b.get("published") instanceof Long y
                        && Math.abs(x - y) <= hours * HOUR;
            }
            int from = random.nextInt(3) == 0 ? 0 : random.nextInt(60);
            int size = 1 + random.nextInt(40);
            String typed = "{'distinct':{" + String.join(",", options) + "}}";
            SearchResponse response = search(ranked(typed).from(from).size(size));
            assertEquals(typed, page(distinct(order(), maxDistance, pair), from, size), ranks(response));
            SearchExtBuilder counts =
                    response.getInternalResponse().getSearchExtBuilders().getFirst();
            several += counts.toString().startsWith("{window=" + 3 * (from + size) + ",") ? 0 : 1;
            assertTrue(counts.toString(), counts.toString().endsWith("window_exhausted=false}"));
        }
        assertTrue("further searches " + several, several > searches / 10);
    }

    /** In the order of the arguments; the rank is the id. */
    private void stories(String mapping, Said... all) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate("prints")
                .setMapping(PROPERTIES
                        .replace("'simhash':{'properties':{", "'simhash':{'properties':{" + mapping)
                        .replace('\'', '"')));
        for (int rank = 0; rank < all.length; rank++) {
            Map<String, Object> print =
                    new HashMap<>(Map.of("bits", all[rank].bits, "digest", "d" + rank, "scheme", "v"));
            if (all[rank].group != null) {
                print.put("group", all[rank].group);
            }
            print.put("apart", all[rank].apart);
            client().prepareIndex("prints")
                    .setId("" + rank)
                    .setSource(Map.of("rank", rank, "simhash", print))
                    .get();
        }
        refresh("prints");
    }

    private record Said(long bits, String group, List<String> apart) {}

    private static Said said(long bits, String group, String... apart) {
        return new Said(bits, group, List.of(apart));
    }

    private void assertShown(List<Integer> ranks, int keptApart, String options) throws IOException {
        SearchResponse response = search(ranked("{'distinct':{" + options + "}}"));
        assertEquals(ranks, ranks(response));
        String counts =
                response.getInternalResponse().getSearchExtBuilders().getFirst().toString();
        assertTrue(counts, counts.contains("kept_apart=" + keptApart + ","));
    }

    /** With the template's mapping, with a dynamic one, and in an index that maps no such field. */
    public void testNeitherOfTwoThatPeopleKeepApartIsHiddenForTheOtherOrItsStory() throws IOException {
        for (String mapping : List.of("'group':{'type':'keyword'},'apart':{'type':'keyword'},", "")) {
            // B is not near enough to hide its copy: the copy comes first.
            stories(
                    mapping,
                    said(0b0, "a", "2"),
                    said(0b1, "b"),
                    said(0b11, "b", "0"),
                    said(0b10, "a"),
                    said(0b100, "c"),
                    said(0b101, null));
            // 2 is hidden for the copy of its own story only; 3, 4 and 5 have no decisions.
            assertShown(List.of(0, 1), 1, "");
            assertAcked(client().admin().indices().prepareDelete("prints"));
        }
        stories("'group':{'type':'keyword'},'apart':{'enabled':false,'type':'object'},", said(0, "a"), said(1, "b"));
        assertShown(List.of(0), 0, "");
        assertAcked(client().admin().indices().prepareDelete("prints"));
        // Who is named but does not name the other is near again. One that is no hit may be of any other story.
        stories("", said(0, "a", "1"), said(1, "b"), said(0b11, "c", "9"), said(0b10, "c", "9"));
        assertShown(List.of(0, 2), 1, "");
    }

    /** Whom the second names, and who does not name it, is in the window of the second page only. */
    public void testPagesNeitherRepeatNorSkipOneWhoseStoryWasParted() throws IOException {
        stories(
                "'group':{'type':'keyword'},'apart':{'type':'keyword'},",
                said(0, "c"),
                said(1, "a", "6"),
                said(0xFFL << 8, null),
                said(0xFFL << 16, null),
                said(0xFFL << 24, null),
                said(0xFFL << 32, null),
                said(0xFFL << 40, "b"));
        List<Integer> pages = new ArrayList<>();
        for (int from = 0; from < 8; from += 2) {
            pages.addAll(ranks(search(ranked("{'distinct':{}}").from(from).size(2))));
        }
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), pages);
    }

    public void testByGroupShowsOneOfEachStoryAndAllThatHaveNone() throws IOException {
        stories(
                "'group':{'type':'keyword'},'apart':{'type':'keyword'},",
                said(0, "a"),
                said(-1, "a"),
                said(0, null),
                said(0, null),
                said(0, "b", "5"),
                said(-1, "b", "4"));
        assertShown(List.of(0, 2, 3, 4, 5), 1, "'by':'group'");
        assertShown(List.of(0, 1, 4, 5), 2, "'by':'print'");
        Exception refused =
                expectThrows(Exception.class, () -> search(ranked("{'distinct':{'by':'group','max_distance':3}}")));
        assertTrue(refused.toString(), refused.toString().contains("[by] group compares no prints and no texts"));
    }

    /** A document of {@link #passages}. */
    private record Written(List<String> words, String tenant) {

        /** The words that stand in runs of both, as a share of the smaller text; -1 without a run. */
        double share(Written other, int least) {
            boolean isSmaller = words.size() < other.words.size();
            List<String> smaller = isSmaller ? words : other.words;
            List<String> larger = isSmaller ? other.words : words;
            Set<List<String>> runs = new HashSet<>();
            for (int i = 0; i + least <= larger.size(); i++) {
                runs.add(larger.subList(i, i + least));
            }
            int common = 0;
            int end = 0;
            for (int i = 0; i + least <= smaller.size(); i++) {
                if (runs.contains(smaller.subList(i, i + least))) {
                    common += i + least - Math.max(i, end);
                    end = i + least;
                }
            }
            return common == 0 ? -1 : (double) common / smaller.size();
        }
    }

    private List<Written> passages(int count) {
        assertAcked(client().admin()
                .cluster()
                .preparePutPipeline(
                        "passages",
                        new BytesArray("{\"processors\":[{\"passages\":{\"field\":\"text\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get());
        assertAcked(client().admin()
                .indices()
                .prepareCreate("prints")
                .setSettings(Map.of(
                        "index.number_of_shards",
                        2,
                        "index.number_of_replicas",
                        0,
                        "index.default_pipeline",
                        "passages"))
                .setMapping(PROPERTIES
                        .replace('\'', '"')
                        .replace(
                                "\"simhash\":{",
                                "\"passages\":{\"properties\":{\"terms\":{\"type\":\"keyword\","
                                        + "\"doc_values\":false},\"scheme\":{\"type\":\"keyword\"}}},\"simhash\":{")));
        List<Written> written = new ArrayList<>();
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int rank = 0; rank < count; rank++) {
            List<String> words = new ArrayList<>();
            for (int i = random().nextInt(30); i > 0; i--) {
                words.add(Integer.toString(random().nextInt(Integer.MAX_VALUE), 36));
            }
            for (int i = random().nextInt(3); i > 0 && written.isEmpty() == false; i--) {
                List<String> other = written.get(random().nextInt(written.size())).words;
                int from = random().nextInt(other.size() + 1);
                words.addAll(other.subList(from, Math.min(other.size(), from + 5 + random().nextInt(60))));
            }
            Written document = new Written(words, "t" + random().nextInt(2));
            written.add(document);
            bulk.add(client().prepareIndex("prints")
                    .setId("" + rank)
                    .setSource(Map.of("rank", rank, "text", String.join(" ", words), "tenant", document.tenant)));
        }
        assertFalse(count > 0 && bulk.get().hasFailures());
        refresh("prints");
        return written;
    }

    public void testPassagesAreThoseOfBruteForce() throws IOException {
        List<Written> written = passages(300);
        int hidden = 0;
        for (int i = 0; i < 20; i++) {
            int least = 15 + random().nextInt(10);
            double share = random().nextInt(3) == 0 ? 0 : random().nextDouble();
            boolean isOfTenant = random().nextBoolean();
            List<Integer> kept = new ArrayList<>();
            for (int rank = 0; rank < written.size(); rank++) {
                Written hit = written.get(rank);
                boolean isHidden = kept.stream()
                        .map(written::get)
                        .filter(by -> isOfTenant == false || by.tenant.equals(hit.tenant))
                        .mapToDouble(by -> by.share(hit, least))
                        .anyMatch(found -> found >= share);
                if (isHidden == false) {
                    kept.add(rank);
                }
            }
            int from = random().nextInt(100);
            int size = 1 + random().nextInt(60);
            String options = "{'distinct':{'sketch':'passages','min_words':" + least + ",'min_share':" + share
                    + (isOfTenant ? ",'same':['tenant']" : "") + "}}";
            SearchResponse response = search(ranked(options).from(from).size(size));
            assertEquals(options, page(kept, from, size), ranks(response));
            for (SearchHit hit : response.getHits()) {
                assertFalse(options, hit.getFields().containsKey("passages._passages"));
                Written by = written.get(Integer.parseInt(hit.getId()));
                for (Object entry : hit.field("_near_duplicates") == null
                        ? List.of()
                        : hit.field("_near_duplicates").getValues()) {
                    Map<?, ?> shown = (Map<?, ?>) entry;
                    hidden++;
                    assertEquals(
                            by.share(written.get(Integer.parseInt((String) shown.get("_id"))), least),
                            (Double) shown.get("similarity"),
                            1e-9);
                }
            }
        }
        assertTrue("" + hidden, hidden > 10);
    }

    /** Terms in common that {@code verify} and conditions leave, a rule that the processor cannot keep, and all equal. */
    public void testWhatPassagesDoNotHide() throws IOException {
        passages(0);
        String mail =
                "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
        String[] texts = {
            mail, mail + " seventeen", mail + " with some words of its own, which are as many as those", "ten"
        };
        for (int rank = 0; rank < 200; rank++) {
            client().prepareIndex("prints")
                    .setId("" + rank)
                    .setSource(Map.of("rank", rank, "text", texts[Math.min(rank % 50, 3)], "tenant", "t" + rank / 100))
                    .get();
        }
        refresh("prints");
        for (int rank = 200; rank < 203; rank++) {
            String word = "same ".repeat(200_000) + " with " + mail.substring(0, 4 * rank - 790);
            client().prepareIndex("prints")
                    .setId("" + rank)
                    .setSource(Map.of("rank", rank, "text", word, "tenant", "t"))
                    .get();
        }
        refresh("prints");
        String passages = "{'distinct':{'sketch':'passages'";
        int tens = 4 * 47 + 1; // and a megabyte of one word
        assertEquals(1 + tens, ranks(search(ranked(passages + "}}").size(203))).size());
        assertEquals(
                2 + tens,
                ranks(search(ranked(passages + ",'same':['tenant']}}").size(203)))
                        .size());
        assertEquals(
                "with a whole text that is like it",
                2 + 4 * 47,
                ranks(search(ranked(passages + ",'verify':{'field':'text','min_similarity':0.8}}}")
                                .query(QueryBuilders.termsQuery("tenant", "t0", "t1"))
                                .size(200)))
                        .size());
        for (String[] refused : new String[][] {
            {
                passages + ",'min_words':14}}",
                "[distinct] [min_words] must be at least [words] + [window] - 1 of the processor, which is 15, got: 14"
            },
            {"{'distinct':{'min_share':0.5}}", "[min_share] is only allowed with [sketch] passages, got: 0.5"},
            {passages + ",'max_distance':3}}", "[max_distance] is only allowed with [sketch] simhash, got: 3"},
            {passages + ",'min_share':2}}", "[min_share] must be between 0 and 1, got: 2.0"}
        }) {
            Exception e = expectThrows(Exception.class, () -> search(ranked(refused[0])));
            assertTrue(
                    ExceptionsHelper.stackTrace(e),
                    ExceptionsHelper.stackTrace(e).contains(refused[1]));
            assertEquals(refused[0], 400, ExceptionsHelper.status(e).getStatus());
        }
    }

    public void testEverythingElseIsThatOfThePlainSearch() throws IOException {
        index(800);
        SearchSourceBuilder plain = new SearchSourceBuilder()
                .query(QueryBuilders.termQuery("tenant", "t1"))
                .aggregation(AggregationBuilders.terms("sources").field("source"));
        SearchSourceBuilder distinct = ranked("{'distinct':{},'evidence':true}")
                .query(QueryBuilders.termQuery("tenant", "t1"))
                .aggregation(AggregationBuilders.terms("sources").field("source"))
                .docValueField("rank");
        SearchResponse response = search(distinct);
        SearchResponse expected = search(plain);
        assertEquals(expected.getHits().getTotalHits(), response.getHits().getTotalHits());
        assertEquals(buckets(expected), buckets(response));
        assertEquals("the caller's", 1, distinct.docValueFields().size());
        assertEquals("the caller's", 1, distinct.ext().size());
        response.getHits()
                .forEach(hit -> assertEquals(
                        new TreeSet<>(List.of("_near_duplicates", "rank")),
                        new TreeSet<>(with(hit.getFields().keySet()))));
    }

    private static List<String> with(Collection<String> fields) {
        List<String> all = new ArrayList<>(fields);
        all.add("_near_duplicates");
        return all;
    }

    private static List<String> buckets(SearchResponse response) {
        Terms terms = response.getAggregations().get("sources");
        return terms.getBuckets().stream()
                .map(bucket -> bucket.getKeyAsString() + bucket.getDocCount())
                .toList();
    }

    /** As the reranking by MMR does: it asks for more hits than those that it gives. */
    public void testBesideAnotherGeneratedPairOfProcessors() throws IOException {
        index(400);
        List<Integer> turned = new ArrayList<>();
        for (int rank = 0; rank < 400; rank += 2) {
            turned.addAll(List.of(rank + 1, rank));
        }
        List<Integer> all = distinct(turned, 3, (a, b) -> true);
        for (int from = 0; from < all.size(); from += 4) {
            SearchRequest request = new SearchRequest("prints")
                    .preference("turn around")
                    .source(ranked("{'distinct':{}}").from(from).size(4));
            assertEquals(page(all, from, 4), ranks(client().search(request).actionGet()));
        }
    }

    public void testWhatCannotBeDoneIsRefused() throws IOException {
        index(10);
        assertRefused(
                "[distinct] works on pages and not on a [scroll], of which a search pipeline sees the first batch only; use"
                        + " [from] and [size], or [search_after], got: scroll=1m",
                new SearchRequest("prints").source(ranked("{'distinct':{}}")).scroll(TimeValue.timeValueMinutes(1)));
        SearchSourceBuilder after =
                ranked("{'distinct':{}}").searchAfter(new Object[] {1}).from(2);
        assertRefused(
                "[distinct] [from] must be 0 when [search_after] is given, got: 2",
                new SearchRequest("prints").source(after));
        SearchSourceBuilder both = ranked("{'distinct':{}}");
        String side = "[{'collapse_near_duplicates':{}}]";
        both.searchPipelineSource(XContentHelper.convertToMap(
                JsonXContent.jsonXContent,
                ("{'request_processors':" + side + ",'response_processors':" + side + "}").replace('\'', '"'),
                true));
        assertRefused(
                "[distinct] must not be given beside a search pipeline with [collapse_near_duplicates], got:"
                        + " [collapse_near_duplicates]",
                new SearchRequest("prints").source(both));
        assertRefused(
                "[distinct] [same] must name mapped fields, but [nobody] is not mapped in [prints]",
                new SearchRequest("prints").source(ranked("{'distinct':{'same':['nobody']}}")));
        Map.of(
                        "{'distinct':{'max_distance':65}}",
                        "[max_distance] must be between 0 and 64, got: 65",
                        "{'distinct':{'max_distanc':3}}",
                        "unknown option [max_distanc], did you mean [max_distance]?",
                        "{'distinct':{'min_similarity':0.5}}",
                        "[min_similarity] is only allowed with [sketch] minhash, or in [verify] for texts, got: 0.5",
                        "{'distinct':true}",
                        "[distinct] must be an object, got: true",
                        "{'distinct':3}",
                        "[distinct] must be an object, got: 3",
                        "{'distinct':{'within':{'field':'rank','distance':'soon'}}}",
                        "[distance] of [within] must be a number, or a time with its unit, as in 72h, and not negative, got:"
                                + " soon")
                .forEach((options, message) -> {
                    Exception e = expectThrows(Exception.class, () -> ranked(options));
                    assertEquals(message, e.getMessage());
                    assertEquals(400, ExceptionsHelper.status(e).getStatus());
                });
    }

    private static void assertRefused(String message, SearchRequest request) {
        Exception e =
                expectThrows(Exception.class, () -> client().search(request).actionGet());
        assertEquals(message, OpenSearchException.guessRootCauses(e)[0].getMessage());
        assertEquals(400, ExceptionsHelper.status(e).getStatus());
    }

    public void testWhatOnlyAFurtherSearchMeetsIsRefusedToo() throws IOException {
        index(0);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int rank = 0; rank < 50; rank++) {
            bulk.add(client().prepareIndex("prints")
                    .setId("" + rank)
                    .setSource(Map.of(
                            "rank",
                            rank,
                            "short",
                            rank < 40 ? "a" : "long one",
                            "simhash",
                            Map.of("bits", 7L, "digest", "d", "scheme", "v1-a"))));
        }
        assertFalse(bulk.get().hasFailures());
        refresh("prints");
        assertRefused(
                "[distinct] [same] must name fields whose values all have doc values, but document [40] of [prints] has 8"
                        + " characters in [short], whose [ignore_above] is 3",
                new SearchRequest("prints").source(ranked("{'distinct':{'same':['short']}}")));
    }

    public void testASearchIsNotSilentlyPlainWhereOpenSearchMakesNoProcessors() throws IOException {
        index(10);
        setFactories("mmr_over_sample_factory");
        try {
            assertRefused(
                    "[distinct] must be switched on with the cluster setting [" + SETTING + "], which must have ["
                            + DistinctSearch.FACTORY + "] or [*], got: [mmr_over_sample_factory]",
                    new SearchRequest("prints").source(ranked("{'distinct':{}}")));
            search(ranked("{'evidence':true}"));
            setFactories("*");
            search(ranked("{'distinct':{}}"));
        } finally {
            setFactories(null);
        }
    }

    private static void setFactories(String name) {
        Settings.Builder settings = Settings.builder();
        if (name == null) {
            settings.putNull(SETTING);
        } else {
            settings.putList(SETTING, name);
        }
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }

    /** Another node may take the search that one was sent to. */
    public void testTheRequestTravels() throws IOException {
        SearchSourceBuilder source = ranked("{'distinct':{'same':['tenant'],'verify':{'min_similarity':0.5}}}");
        try (var out = new BytesStreamOutput()) {
            source.writeTo(out);
            NamedWriteableRegistry registry = internalCluster().getInstance(NamedWriteableRegistry.class);
            try (var in = new NamedWriteableAwareStreamInput(out.bytes().streamInput(), registry)) {
                // Options have no order.
                assertEquals(map(source), map(new SearchSourceBuilder(in)));
            }
        }
    }

    private static Map<String, Object> map(SearchSourceBuilder source) {
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, source.toString(), false);
    }

    public void testTheWindowGrowsAsFarAsTheHitsAreSmall() {
        CollapsePlan plan = new CollapsePlan(
                CollapseOptions.whole(Map.of()),
                0,
                10,
                30,
                false,
                Set.of(),
                new CollapsePlan.Further(window -> null, 10_000),
                TaskId.EMPTY_TASK_ID);
        assertEquals(120, plan.nextWindow(1_000));
        assertEquals(10_000, plan.withWindow(7_000).nextWindow(1_000));
        assertEquals(
                "as many as the indices allow", 10_000, plan.withWindow(10_000).nextWindow(1_000));
        assertEquals("64 MB", 64, plan.nextWindow(1 << 20));
        assertEquals(30, plan.nextWindow(1L << 40));
    }
}

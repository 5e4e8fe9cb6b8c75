/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.search.query.SimHashClusterTestCase;

/** Which blocks many documents share, and texts without them. */
public class BlocksClusterTests extends SimHashClusterTestCase {

    private static final String MAPPING = "{'properties': {'passages': {'properties': {"
            + "'terms': {'type': 'keyword', 'doc_values': false}, 'scheme': {'type': 'keyword'}}}}}";

    /** Words that no other text of the test has. */
    private static String words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add("w" + Integer.toString(random.nextInt(Integer.MAX_VALUE), 36));
        }
        return String.join(" ", words);
    }

    private Map<String, Object> blocks(String body, String... indices) throws Exception {
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, body.replace('\'', '"'))) {
            BlocksAction.Request request = BlocksAction.Request.fromXContent(indices, parser);
            JsonResponse response =
                    client().execute(BlocksAction.INSTANCE, request).actionGet();
            return response.asMap();
        }
    }

    private void index(String index, String options) {
        pipeline(index, "{'processors': [{'simhash': " + options + "}, {'passages': " + options + "}]}");
        newIndex(index, MAPPING, 2, 0, "index.default_pipeline", index);
    }

    public void testFindsFootersAndBannersAndNamesThemForStrip() throws Exception {
        index("blocks-mails", "{'field': 'content'}");
        Random random = new Random(random().nextLong());
        String footer = words(random, 40);
        String banner = words(random, 18);
        String rare = words(random, 30);
        Map<String, Map<String, Object>> mails = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            String text = (i % 2 == 0 ? banner + "\n" : "")
                    + words(random, 60)
                    + (i % 3 == 0 ? "\n" + footer : "")
                    + (i < 10 ? "\n" + rare : "");
            mails.put("m" + i, Map.of("content", text));
        }
        putAll("blocks-mails", mails);
        Map<String, Object> answer = blocks("{}", "blocks-mails");
        List<?> found = (List<?>) answer.get("blocks");
        Map<String, Object> byText = new HashMap<>();
        for (Object block : found) {
            byText.put(((Map<?, ?>) block).get("text").toString(), ((Map<?, ?>) block).get("documents"));
            assertEquals(3, ((List<?>) ((Map<?, ?>) block).get("examples")).size());
        }
        assertEquals(Map.of(banner, 60, footer, 40), byText);
        List<?> strip = (List<?>) answer.get("strip");
        assertEquals(2, strip.size());
        assertEquals(1, ((List<?>) blocks("{'size': 1}", "blocks-mails").get("blocks")).size());
        assertEquals(1, ((List<?>) blocks("{'min_words': 20}", "blocks-mails").get("blocks")).size());
        assertEquals(
                3, ((List<?>) blocks("{'min_documents': 10}", "blocks-mails").get("blocks")).size());

        String digests = "['" + strip.get(0) + "', '" + strip.get(1) + "']";
        index("blocks-stripped", "{'field': 'content', 'strip': " + digests + "}");
        putAll("blocks-stripped", mails);
        assertEquals(List.of(), blocks("{}", "blocks-stripped").get("blocks"));
        String query = "{'passages': {'id': 'm0', 'max_document_share': 1}}";
        Set<String> sharing = new TreeSet<>();
        for (int i = 1; i < 120; i++) {
            if (i % 2 == 0 || i % 3 == 0 || i < 10) {
                sharing.add("m" + i);
            }
        }
        assertEquals(sharing, found(query, "blocks-mails"));
        assertEquals(Set.of("m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"), found(query, "blocks-stripped"));
    }

    /** A shard leaves out what few of its documents have. */
    public void testABlockIsFoundInJustEnoughDocumentsOfSeveralShards() throws Exception {
        pipeline("blocks-spread", "{'processors': [{'passages': {'field': 'content'}}]}");
        newIndex("blocks-spread", MAPPING, 5, 0, "index.default_pipeline", "blocks-spread");
        Random random = new Random(random().nextLong());
        String footer = words(random, 40);
        Map<String, Map<String, Object>> mails = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            mails.put("m" + i, Map.of("content", words(random, 60) + "\n" + footer));
        }
        putAll("blocks-spread", mails);
        List<?> found =
                (List<?>) blocks("{'min_documents': 20}", "blocks-spread").get("blocks");
        assertEquals(1, found.size());
        assertEquals(footer, ((Map<?, ?>) found.getFirst()).get("text"));
        assertEquals(20, ((Map<?, ?>) found.getFirst()).get("documents"));
        assertEquals(List.of(), blocks("{'min_documents': 21}", "blocks-spread").get("blocks"));
    }

    private Set<String> found(String query, String index) {
        Set<String> ids = new TreeSet<>();
        for (SearchHit hit : client().prepareSearch(index)
                .setSize(200)
                .setQuery(query(query))
                .get()
                .getHits()) {
            ids.add(hit.getId());
        }
        return ids;
    }

    /** Nothing would be found, and nothing would say why. */
    public void testTermsThatAreNotMappedRightAreRefused() throws Exception {
        pipeline("blocks-dynamic", "{'processors': [{'passages': {'field': 'content'}}]}");
        newIndex("blocks-dynamic", "{}", 1, 0, "index.default_pipeline", "blocks-dynamic");
        assertRefused("[passages.terms] is not mapped in [blocks-dynamic]");
        putAll("blocks-dynamic", Map.of("1", Map.of("content", words(random(), 60))));
        assertRefused("[passages.terms] is of type [text] in [blocks-dynamic]");
    }

    private void assertRefused(String reason) {
        Exception refused = expectThrows(IllegalArgumentException.class, () -> blocks("{}", "blocks-dynamic"));
        String message = refused.getMessage();
        assertTrue(message, message.contains(reason));
        assertTrue(
                message, message.contains("POST /_plugins/_simhash/setup/blocks-dynamic {\"sketch\": \"passages\"}"));
    }

    /** What makes up most of its documents is shared by copies: shown, but not proposed to be stripped. */
    public void testCopiesAreNoBlocksToStrip() throws Exception {
        index("blocks-copies", "{'field': 'content'}");
        String text = words(random(), 50);
        Map<String, Map<String, Object>> copies = new HashMap<>();
        for (int i = 0; i < 30; i++) {
            copies.put("c" + i, Map.of("content", text));
        }
        putAll("blocks-copies", copies);
        Map<String, Object> answer = blocks("{}", "blocks-copies");
        Map<?, ?> block = (Map<?, ?>) ((List<?>) answer.get("blocks")).getFirst();
        assertEquals(text, block.get("text"));
        assertEquals(30, block.get("documents"));
        assertEquals(1.0, block.get("share"));
        assertEquals(List.of(), answer.get("strip"));
    }

    /** Six pages, each in five releases. What stands in all releases of a page is no boilerplate, what stands in all pages is. */
    public void testWhatStandsInVersionsOfOneDocumentIsNoBlockToStrip() throws Exception {
        index("blocks-releases", "{'field': 'content'}");
        Random random = new Random(random().nextLong());
        String navigation = words(random, 20);
        Map<String, Map<String, Object>> pages = new HashMap<>();
        for (int page = 0; page < 6; page++) {
            List<String> parts = List.of(words(random, 40), words(random, 40), words(random, 40));
            for (int release = 0; release < 5; release++) {
                StringBuilder text = new StringBuilder(navigation);
                parts.forEach(part ->
                        text.append(' ').append(words(random, 6)).append(' ').append(part));
                pages.put("p" + page + "-" + release, Map.of("content", text.toString()));
            }
        }
        putAll("blocks-releases", pages);
        Map<String, Object> answer = blocks("{'min_documents': 5}", "blocks-releases");
        List<?> found = (List<?>) answer.get("blocks");
        assertTrue(found.size() + " blocks", found.size() > 6);
        Map<?, ?> first = (Map<?, ?>) found.getFirst();
        assertEquals(navigation, first.get("text"));
        assertEquals(List.of(first.get("digest")), answer.get("strip"));
        for (Object block : found.subList(1, found.size())) {
            assertEquals(5, ((Map<?, ?>) block).get("documents"));
            assertEquals(1, ((Map<?, ?>) block).get("differing"));
        }
    }

    public void testMegabytesOfOneWord() throws Exception {
        index("blocks-word", "{'field': 'content'}");
        Map<String, Map<String, Object>> texts = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            texts.put("w" + i, Map.of("content", "same ".repeat(200_000 + i)));
        }
        putAll("blocks-word", texts);
        Map<String, Object> answer = blocks("{'min_documents': 5}", "blocks-word");
        assertEquals("no block has so many words", List.of(), answer.get("strip"));
        assertEquals(1, answer.get("compared_terms"));
    }

    /** The statistics have deleted documents, too, as they have those that a caller may not see. */
    public void testCountsNoTermOfDocumentsThatNobodySees() throws Exception {
        index("blocks-gone", "{'field': 'content'}");
        String footer = words(new Random(7), 40);
        Map<String, Map<String, Object>> texts = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            texts.put("d" + i, Map.of("content", words(new Random(i), 40) + " " + footer));
        }
        putAll("blocks-gone", texts);
        assertEquals(
                1, ((List<?>) blocks("{'min_documents': 30}", "blocks-gone").get("blocks")).size());
        for (int i = 0; i < 20; i++) {
            client().prepareDelete("blocks-gone", "d" + i).get();
        }
        client().admin().indices().prepareRefresh("blocks-gone").get();
        assertEquals(
                Map.of("compared_terms", 0, "blocks", List.of(), "strip", List.of()),
                blocks("{'min_documents': 30}", "blocks-gone"));
    }

    public void testRefusesWhatIsNoOption() throws Exception {
        for (Map.Entry<String, String> wrong : Map.of(
                        "{'min_documents': 1}", "[min_documents] must be 2 or more, got: 1",
                        "{'min_words': 3}", "[min_words] must be between 4 and 10000, got: 3",
                        "{'size': 1001}", "[size] must be between 1 and 1000, got: 1001")
                .entrySet()) {
            assertEquals(
                    wrong.getValue(),
                    expectThrows(IllegalArgumentException.class, () -> blocks(wrong.getKey(), "any"))
                            .getMessage());
        }
        expectThrows(IndexNotFoundException.class, () -> blocks("{}", "missing-index"));
    }
}

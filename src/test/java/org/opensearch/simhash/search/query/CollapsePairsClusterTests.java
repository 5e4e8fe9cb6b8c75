/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.search.SearchHit;

/**
 * Collapsed pages with conditions on a pair and with verification, against comparing each hit with each. Two indices of three
 * shards map the fields of the conditions in different ways.
 */
public class CollapsePairsClusterTests extends SimHashClusterTestCase {

    private static final int DOCUMENTS = 240;

    private static final String EAST = "docs-east";
    private static final String WEST = "docs-west";

    private static final String FIELDS_OF_EAST = "{'properties': {'rank': {'type': 'integer'}, 'tenant': {'type':"
            + " 'keyword'}, 'source': {'type': 'keyword'}, 'published': {'type': 'date'}, 'body': {'type': 'text'},"
            + " 'parts': {'type': 'nested', 'properties': {'name': {'type': 'keyword'}}}}}";

    private static final String FIELDS_OF_WEST = "{'properties': {'rank': {'type': 'integer'}, 'tenant': {'type':"
            + " 'text', 'fields': {'keyword': {'type': 'keyword', 'ignore_above': 40}}}, 'source': {'type': 'long'},"
            + " 'published': {'type': 'date_nanos'}, 'body': {'type': 'text'}}}";

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<String, Map<String, Object>> documents = new TreeMap<>();

    private List<String> words(int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(Integer.toString(randomIntBetween(1 << 24, Integer.MAX_VALUE), 36));
        }
        return words;
    }

    /** Families of edited texts, spread over tenants, sources and days. */
    private void index() {
        pipeline("some", "{'processors': [{'simhash': {'field': 'content', 'ignore_missing': true}}]}");
        newIndex(EAST, FIELDS_OF_EAST, SHARDS, 0, "index.default_pipeline", "some");
        newIndex(WEST, FIELDS_OF_WEST, SHARDS, 0, "index.default_pipeline", "some");
        List<List<String>> families = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            families.add(words(60));
        }
        Map<String, Map<String, Map<String, Object>>> byIndex = Map.of(EAST, new HashMap<>(), WEST, new HashMap<>());
        for (int rank = 0; rank < DOCUMENTS; rank++) {
            List<String> text = new ArrayList<>(randomFrom(families));
            for (int edits = randomIntBetween(0, 7); edits > 0; edits--) {
                text.set(randomIntBetween(0, text.size() - 1), words(1).getFirst());
            }
            Map<String, Object> document = new HashMap<>(Map.of("rank", rank));
            if (rarely() == false) {
                document.put("content", String.join(" ", text));
            }
            if (rarely() == false) {
                document.put("tenant", rarely() ? List.of("b", "a", "b") : randomFrom("a", "b"));
            }
            if (rarely() == false) {
                document.put("source", randomFrom("1", "2", "3"));
            }
            if (rarely() == false) {
                document.put(
                        "published",
                        EPOCH.plus(Duration.ofHours(randomIntBetween(0, 300))).toString());
            }
            String id = "d" + rank;
            documents.put(id, document);
            byIndex.get(randomFrom(EAST, WEST)).put(id, document);
        }
        byIndex.forEach(this::putAll);
        for (SearchHit hit : search("{'query': {'match_all': {}}}", EAST, WEST).getHits()) {
            documents.get(hit.getId()).put("simhash", hit.getSourceAsMap().get("simhash"));
        }
    }

    private static String pipeline(String options) {
        return "'search_pipeline': {'request_processors': [{'collapse_near_duplicates': {" + options
                + "}}], 'response_processors': [{'collapse_near_duplicates': {}}]}";
    }

    private static Set<String> values(Object value) {
        List<?> all = value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
        return new TreeSet<>(all.stream().map(Object::toString).toList());
    }

    /** What a page is collapsed by, told twice: as options, and as a rule for two documents. */
    private static final class Rule {

        private final int distance = randomFrom(3, 11, 20);
        private final boolean verifies = randomBoolean();
        private final double similarity = randomFrom(0.55, 0.7, 0.85);
        private final boolean isSame = randomBoolean();
        private final boolean isAnySame = randomBoolean();
        private final boolean differs = randomBoolean();
        private final int hours = randomFrom(-1, 24, 100);

        String options() {
            List<String> options = new ArrayList<>(List.of("'oversample': 3"));
            if (distance != (verifies ? 11 : 3)) {
                options.add("'max_distance': " + distance);
            }
            if (verifies) {
                options.add("'verify': {'min_similarity': " + similarity
                        + (randomBoolean() ? ", 'field': 'content'" : "") + "}");
            } else if (randomBoolean()) {
                options.add("'verify': false");
            }
            if (isSame) {
                options.add(isAnySame ? "'same': [{'field': 'tenant', 'missing': 'any'}]" : "'same': ['tenant']");
            }
            if (differs) {
                options.add("'differ': 'source'");
            }
            if (hours >= 0) {
                options.add("'within': {'field': 'published', 'distance': '" + hours + "h'}");
            }
            return String.join(", ", options);
        }

        boolean isMet(Map<String, Object> a, Map<String, Object> b) {
            Object print = a.get("simhash");
            Object other = b.get("simhash");
            if (print == null || other == null) {
                return false;
            }
            boolean isNear = distance(a, b) <= distance;
            Set<String> tenant = values(a.get("tenant"));
            Set<String> otherTenant = values(b.get("tenant"));
            boolean passes = isAnySame && (tenant.isEmpty() || otherTenant.isEmpty());
            boolean isOfOneTenant = isSame == false || passes || tenant.equals(otherTenant);
            boolean isAcross = differs == false || values(a.get("source")).equals(values(b.get("source"))) == false;
            return isNear
                    && isOfOneTenant
                    && isAcross
                    && (hours < 0 || isInTime(a.get("published"), b.get("published")))
                    && (verifies == false || similarity(a, b) >= similarity);
        }

        private boolean isInTime(Object a, Object b) {
            return a != null
                    && b != null
                    && Duration.between(Instant.parse(a.toString()), Instant.parse(b.toString()))
                                    .abs()
                                    .toHours()
                            <= hours;
        }
    }

    private static int distance(Map<String, Object> a, Map<String, Object> b) {
        return Long.bitCount(bits(a) ^ bits(b));
    }

    private static long bits(Map<String, Object> document) {
        return HexFormat.fromHexDigitsToLong(
                ((Map<?, ?>) document.get("simhash")).get("hash").toString());
    }

    private static double similarity(Map<String, Object> a, Map<String, Object> b) {
        Set<List<String>> shared = shingles(a);
        Set<List<String>> all = new HashSet<>(shared);
        all.addAll(shingles(b));
        shared.retainAll(shingles(b));
        return shared.size() / (double) all.size();
    }

    private static Set<List<String>> shingles(Map<String, Object> document) {
        List<String> words = Arrays.asList(document.get("content").toString().split(" ", -1));
        Set<List<String>> shingles = new HashSet<>();
        for (int i = 0; i + 3 <= words.size(); i++) {
            shingles.add(words.subList(i, i + 3));
        }
        return shingles;
    }

    /** The hits that stay, each with those that it hides. */
    private Map<String, List<String>> collapsed(List<String> ranked, Rule rule) {
        Map<String, List<String>> kept = new LinkedHashMap<>();
        for (String id : ranked) {
            kept.keySet().stream()
                    .filter(by -> rule.isMet(documents.get(by), documents.get(id)))
                    .findFirst()
                    .ifPresentOrElse(by -> kept.get(by).add(id), () -> kept.put(id, new ArrayList<>()));
        }
        return kept;
    }

    public void testPagesAreWhatComparingEachWithEachGives() {
        index();
        int hidden = 0;
        for (int page = 0; page < 80; page++) {
            Rule rule = new Rule();
            int from = randomFrom(0, 0, 5, 20);
            int size = randomIntBetween(1, 40);
            boolean isBehind = from == 0 && randomBoolean();
            int first = isBehind ? randomIntBetween(0, 100) : 0;
            String body = "{'query': {'match_all': {}}, 'sort': ['rank'], '_source': " + randomBoolean() + ", 'from': "
                    + from + ", 'size': " + size + (isBehind ? ", 'search_after': [" + (first - 1) + "]" : "") + ", "
                    + pipeline(rule.options()) + "}";
            SearchResponse response = prepareSearch(body, EAST, WEST)
                    .setSearchType(randomFrom(SearchType.QUERY_THEN_FETCH, SearchType.DFS_QUERY_THEN_FETCH))
                    .get();
            List<String> ranked = new ArrayList<>();
            for (int rank = first; rank < Math.min(DOCUMENTS, first + 3 * (from + size)); rank++) {
                ranked.add("d" + rank);
            }
            Map<String, List<String>> kept = collapsed(ranked, rule);
            List<String> expected =
                    kept.keySet().stream().skip(from).limit(size).toList();
            assertEquals(
                    body,
                    expected,
                    Arrays.stream(response.getHits().getHits())
                            .map(SearchHit::getId)
                            .toList());
            for (SearchHit hit : response.getHits()) {
                List<String> listed = new ArrayList<>();
                if (hit.field("_near_duplicates") != null) {
                    for (Object value : hit.field("_near_duplicates").getValues()) {
                        Map<?, ?> entry = (Map<?, ?>) value;
                        Map<String, Object> near = documents.get(entry.get("_id"));
                        listed.add(entry.get("_id").toString());
                        assertEquals(distance(documents.get(hit.getId()), near), entry.get("distance"));
                        assertEquals(rule.verifies, entry.containsKey("similarity"));
                        if (rule.verifies) {
                            assertEquals(
                                    similarity(documents.get(hit.getId()), near),
                                    ((Number) entry.get("similarity")).doubleValue(),
                                    1e-6);
                        }
                    }
                }
                assertEquals(body, kept.get(hit.getId()), listed);
                hidden += listed.size();
                assertTrue(
                        hit.getFields().toString(),
                        Set.of("_near_duplicates").containsAll(hit.getFields().keySet()));
            }
        }
        assertTrue("hidden: " + hidden, hidden > 50);
    }

    private void assertRefusedOf(String index, String options, String message) {
        assertRefused(
                400,
                "[collapse_near_duplicates] " + message,
                () -> search("{'query': {'match_all': {}}, 'size':" + " 10, " + pipeline(options) + "}", index));
    }

    public void testFieldsThatCannotDecideAreRefused() {
        index();
        assertRefusedOf(
                EAST, "'same': 'owner'", "[same] must name mapped fields, but [owner] is not mapped in [docs-east]");
        assertRefusedOf(
                EAST,
                "'differ': ['body']",
                "[differ] must name fields with doc values of keywords, numbers, dates, booleans or addresses, but [body] is of type [text]");
        assertRefusedOf(
                EAST,
                "'same': 'parts.name'",
                "[same] must name fields of the documents themselves, but [parts.name] is in [parts] of type [nested]");
        assertRefusedOf(
                EAST,
                "'within': {'field': 'published', 'distance': 72}",
                "[distance] of [within] must be a time with its unit, as in 72h, for [published] of type [date], got: 72");
        assertRefusedOf(
                WEST,
                "'within': {'field': 'source', 'distance': '72h'}",
                "[distance] of [within] must be a number for [source] of type [long], got: 72h");
        assertRefusedOf(
                EAST,
                "'within': {'field': 'tenant', 'distance': '72h'}",
                "[within] must name a date or a number, but [tenant] is of type [keyword]");
        put(WEST, "long", "content", String.join(" ", words(30)), "tenant", "x".repeat(41));
        refresh(WEST);
        assertRefused(
                400,
                "[collapse_near_duplicates] [same] must name fields whose values all have doc values, but document [long]"
                        + " of [docs-west] has 41 characters in [tenant], whose [ignore_above] is 40",
                () -> search("{'query': {'ids': {'values': ['long']}}, " + pipeline("'same': ['tenant']") + "}", WEST));
        String typed =
                "{'query': {'match_all': {}}, " + pipeline("'same': [{'field': 'tenant', 'missing': 'all'}]") + "}";
        Exception e = expectThrows(Exception.class, () -> search(typed, EAST));
        assertTrue(e.toString(), e.toString().contains("[missing] of [same] must be one of [any, own], got: all"));
    }

    /** Of a field that an index does not map, but that it has no print to compare by. */
    public void testAnIndexWithoutPrintsNeedsNoFieldsOfConditions() {
        index();
        newIndex("plain", "{'properties': {'rank': {'type': 'integer'}}}", SHARDS, 0);
        newIndex(
                "docs-empty",
                "{'properties': {'rank': {'type': 'integer'}}}",
                SHARDS,
                0,
                "index.default_pipeline",
                "_none");
        putAll("plain", Map.of("p", Map.of("rank", 1)));
        putAll("docs-empty", Map.of("e", Map.of("rank", 2)));
        String body =
                "{'query': {'match_all': {}}, 'sort': ['rank'], 'size': 300, " + pipeline("'same': ['tenant']") + "}";
        Set<String> ids = new HashSet<>();
        search(body, EAST, "plain", "docs-empty").getHits().forEach(hit -> ids.add(hit.getId()));
        assertTrue(ids.toString(), ids.containsAll(Set.of("p", "e")));
        put("docs-empty", "print", "rank", 3, "simhash", Map.of("bits", 7L, "digest", "d", "scheme", "v1-a"));
        refresh("docs-empty");
        assertRefusedOf(
                "docs-empty",
                "'same': ['tenant']",
                "[same] must name mapped fields, but [tenant] is not mapped in [docs-empty]");
    }

    /** Two shards: an exception would lose the hits of one, and the answer would be HTTP 200. */
    public void testAWrongMappingOfLongHashesIsRefused() {
        newIndex(
                "long-wrong",
                "{'properties': {'simhash': {'properties': {'bits': {'type': 'long'}, 'bits_256': {'type': 'binary'},"
                        + " 'digest': {'type': 'keyword'}, 'scheme': {'type': 'keyword'}}}}}",
                2,
                0);
        Map<String, Map<String, Object>> prints = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            prints.put("d" + i, Map.of("simhash", Map.of("bits", (long) i, "digest", "d" + i, "scheme", "v1-a")));
        }
        putAll("long-wrong", prints);
        assertRefusedOf(
                "long-wrong",
                "'max_distance': 3",
                "[simhash] [simhash.bits_256] must be of type [binary] with doc values, but is of type [binary] without doc"
                        + " values; map [simhash] as in the plugin's config/index-template.json");
    }

    /** Somebody may have written bytes past the pipeline. */
    public void testBytesThatAreNoSketchAreLeftOut() {
        newIndex("docs-bytes", "{}", 2, 0, "index.default_pipeline", "_none");
        Map<String, Map<String, Object>> prints = new HashMap<>();
        for (int bytes : List.of(0, 3, 4, 5, 132, 1_028, 1_029)) {
            for (String copy : List.of("a", "b")) {
                String sketch = Base64.getEncoder().encodeToString(new byte[bytes]);
                prints.put(copy + bytes, Map.of("minhash", Map.of("sketch", sketch, "scheme", "x" + bytes)));
            }
        }
        putAll("docs-bytes", prints);
        String body = "{'query': {'match_all': {}}, 'size': 20, " + pipeline("'sketch': 'minhash'") + "}";
        assertEquals(14 - 3, search(body, "docs-bytes").getHits().getHits().length);
    }

    public void testContainmentOfSketches() {
        pipeline("both", "{'processors': [{'minhash': {'field': 'content'}}]}");
        newIndex("docs-mails", "{}", 2, 0, "index.default_pipeline", "both");
        String mail = String.join(" ", words(66));
        putAll(
                "docs-mails",
                Map.of(
                        "mail",
                        Map.of("content", mail, "n", 1),
                        "reply",
                        Map.of(
                                "content",
                                String.join(" ", words(30)) + " " + mail + " " + String.join(" ", words(60)),
                                "n",
                                2)));
        String body = "{'query': {'match_all': {}}, 'sort': ['n'], 'size': 10, <pipeline>}";
        String sketches = "'sketch': 'minhash'";
        assertEquals(
                2,
                search(body.replace("<pipeline>", pipeline(sketches)), "docs-mails")
                        .getHits()
                        .getHits()
                        .length);
        String verified = sketches + ", 'containment': true, 'verify': {'measure': 'containment'}";
        SearchHit[] hits = search(body.replace("<pipeline>", pipeline(verified)), "docs-mails")
                .getHits()
                .getHits();
        assertEquals(1, hits.length);
        Map<?, ?> entry = (Map<?, ?>) hits[0].field("_near_duplicates").getValue();
        assertEquals(1.0, ((Number) entry.get("similarity")).doubleValue(), 0);
        assertTrue(entry.toString(), ((Number) entry.get("estimate")).doubleValue() > 0.55);
        assertRefusedOf(
                "docs-mails", "'containment': true", "[containment] is only allowed with [sketch] minhash, got: true");
    }
}

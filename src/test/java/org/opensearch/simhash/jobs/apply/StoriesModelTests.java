/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequestBuilder;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.action.update.UpdateRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;

/**
 * Random histories of an index behind an alias: writes, updates, rebuilds, decisions of people, jobs. A model knows which two
 * documents are kept apart and which texts are near. {@code -Dstories.histories=} for more, {@code -Dstories.seed=} repeats one.
 */
public class StoriesModelTests extends DeletingTestCase {

    private static final int HISTORIES = Rounds.of("stories.histories", 16, 2_000);
    private static final Long SEED = Long.getLong("stories.seed");
    private static final int STEPS = 14;
    private static final int FAMILIES = 3;
    private static final int TEXTS = 5;
    private static final int WORDS = 80;
    private static final int NEAR = 11;
    private static final String ALIAS = "current";
    private static final String DEST = "groups";
    private static final String PIPELINE = "stories";

    /** Texts of a family are near one another, those of two are not. */
    private static String[][] texts;

    private record Text(int family, int number) {
        String words() {
            return texts[family][number];
        }
    }

    private record Pair(String a, String b) {
        static Pair of(String a, String b) {
            return a.compareTo(b) < 0 ? new Pair(a, b) : new Pair(b, a);
        }
    }

    /** What the documents say of themselves. */
    private record Stored(String group, Object duplicateOf, Object near, Map<String, Object> source) {}

    private Random random;
    private final Map<String, Text> documents = new TreeMap<>();
    /** Pairs of which no text has changed since people saw them. */
    private final Set<Pair> apart = new HashSet<>();
    /** Of these, those that no job has carried into the documents: only jobs with the same dest know of them. */
    private final Set<Pair> pending = new HashSet<>();

    private final List<String> log = new ArrayList<>();
    private String index;
    private int created;
    private int ids;

    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .putList("cluster.search.enabled_system_generated_factories", "simhash_distinct")
                .build();
    }

    private static void makeTexts() throws IOException {
        Random random = new Random(1);
        Fingerprinter standard = new RecipeBuilder().standard();
        texts = new String[FAMILIES][TEXTS];
        for (int family = 0; family < FAMILIES; family++) {
            List<Long> bits = new ArrayList<>();
            String[] words = new String[WORDS];
            for (int i = 0; i < WORDS; i++) {
                words[i] = word(random);
            }
            for (int number = 0; number < TEXTS; ) {
                String[] changed = words.clone();
                changed[random.nextInt(WORDS)] = word(random);
                String text = String.join(" ", changed);
                long print = standard.fingerprint(SourceTexts.of(text), bytes -> {})
                        .bits()
                        .getAsLong();
                if (bits.stream().allMatch(other -> Fingerprint.distance(other, print) <= NEAR - 2)) {
                    bits.add(print);
                    texts[family][number++] = text;
                }
            }
        }
    }

    private static String word(Random random) {
        return random.ints(6, 'a', 'z' + 1)
                .mapToObj(letter -> "" + (char) letter)
                .collect(Collectors.joining());
    }

    public void testHistories() throws IOException {
        if (texts == null) {
            makeTexts();
        }
        putPipeline(
                PIPELINE,
                "[{'simhash':{'field':'content'}},{'near_duplicate':{'groups':'all','max_distance':11,'verify':{'min_similarity':0.6}}}]");
        putPipeline("plain", "[{'simhash':{'field':'content'}}]");
        for (int history = 0; history < (SEED == null ? HISTORIES : 1); history++) {
            long seed = SEED == null ? randomLong() : SEED;
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("repeat with -Dstories.seed=" + seed + "; " + String.join("\n", log), e);
            }
        }
    }

    private void putPipeline(String id, String processors) {
        String json = ("{'processors':" + processors + "}").replace('\'', '"');
        client().admin()
                .cluster()
                .preparePutPipeline(id, new BytesArray(json), MediaTypeRegistry.JSON)
                .get();
    }

    private void run(long seed) throws IOException {
        random = new Random(seed);
        documents.clear();
        apart.clear();
        pending.clear();
        log.clear();
        ids = 0;
        index = create();
        client().admin().indices().prepareAliases().addAlias(index, ALIAS).get();
        for (int i = 0; i < 4; i++) {
            write();
        }
        for (int step = 0; step < STEPS; step++) {
            step();
            check();
        }
        tag();
        check();
        client().admin().indices().prepareDelete(index, DEST).get();
    }

    private String create() {
        String name = "history-" + created++;
        client().admin()
                .indices()
                .prepareCreate(name)
                .setSettings(Settings.builder().put("index.default_pipeline", PIPELINE))
                .setMapping(
                        "simhash.group", "type=keyword", "simhash.apart", "type=keyword", "simhash.bits", "type=long")
                .get();
        return name;
    }

    private void step() throws IOException {
        switch (random.nextInt(10)) {
            case 0, 1 -> write();
            case 2 -> again();
            case 3 -> update();
            case 4 -> change();
            case 5 -> rebuild();
            case 6, 7 -> decide();
            case 8 -> tag();
            default -> delete();
        }
    }

    private void note(String what) {
        log.add(what);
    }

    private Text anyText() {
        return new Text(random.nextInt(FAMILIES), random.nextInt(TEXTS));
    }

    private String any(Collection<String> some) {
        return List.copyOf(some).get(random.nextInt(some.size()));
    }

    private void bulk(Map<String, Map<String, Object>> sources) {
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        sources.forEach(
                (id, source) -> bulk.add(client().prepareIndex(ALIAS).setId(id).setSource(source)));
        BulkResponse response = bulk.get();
        assertFalse(response.buildFailureMessage(), response.hasFailures());
    }

    private static Map<String, Object> content(Text text) {
        return Map.of("content", text.words());
    }

    /** New documents, in one bulk. */
    private void write() {
        Map<String, Map<String, Object>> sources = new LinkedHashMap<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            String id = "d" + ids++;
            Text text = anyText();
            documents.put(id, text);
            sources.put(id, content(text));
            note("write " + id + " " + text);
        }
        bulk(sources);
    }

    /** A document is sent once more: as the source of truth has it, or as a client read it. */
    private void again() {
        if (documents.isEmpty()) {
            return;
        }
        String id = any(documents.keySet());
        boolean isRead = random.nextBoolean();
        Stored before = stored().get(id);
        note("again " + id + (isRead ? " as it was read" : ""));
        Map<String, Object> source = isRead ? new HashMap<>(before.source) : new HashMap<>(content(documents.get(id)));
        source.put("edited", ids);
        bulk(Map.of(id, source));
        assertKept(id, before);
    }

    private void update() {
        if (documents.isEmpty()) {
            return;
        }
        String id = any(documents.keySet());
        Stored before = stored().get(id);
        note("update " + id);
        UpdateRequestBuilder update =
                client().prepareUpdate(ALIAS, id).setDoc(Map.of("label", "l" + random.nextInt(100)));
        if (random.nextBoolean()) {
            client().prepareBulk()
                    .add(update.request())
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        } else {
            update.setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
        }
        assertKept(id, before);
    }

    private void assertKept(String id, Stored before) {
        Stored after = stored().get(id);
        assertEquals("the story of " + id, before.group, after.group);
        assertEquals("the original of " + id, before.duplicateOf, after.duplicateOf);
    }

    /** Its text becomes another one, of its family or not. */
    private void change() {
        if (documents.isEmpty()) {
            return;
        }
        String id = any(documents.keySet());
        Text text = anyText();
        if (text.equals(documents.get(id)) == false) {
            note("change " + id + " " + documents.get(id) + " -> " + text);
            documents.put(id, text);
            // The pair is asked about again: until then it may be together, or still apart in dest where the text comes
            // back.
            apart.removeIf(pair -> pair.a.equals(id) || pair.b.equals(id));
            pending.removeIf(pair -> pair.a.equals(id) || pair.b.equals(id));
            bulk(Map.of(id, content(text)));
        }
    }

    /** As {@code _reindex} does, and the alias swaps. */
    private void rebuild() {
        boolean isRead = random.nextBoolean();
        String next = create();
        note("rebuild into " + next + (isRead ? " with pipelines" : " without pipelines"));
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        stored().forEach((id, document) -> {
            IndexRequestBuilder write = client().prepareIndex(next).setId(id).setSource(document.source);
            bulk.add(isRead ? write : write.setPipeline("_none"));
        });
        if (bulk.numberOfActions() > 0) {
            BulkResponse response = bulk.get();
            assertFalse(response.buildFailureMessage(), response.hasFailures());
        }
        Map<String, Stored> before = stored();
        client().admin()
                .indices()
                .aliases(new IndicesAliasesRequest()
                        .addAliasAction(IndicesAliasesRequest.AliasActions.remove()
                                .index(index)
                                .alias(ALIAS))
                        .addAliasAction(IndicesAliasesRequest.AliasActions.add()
                                .index(next)
                                .alias(ALIAS)))
                .actionGet();
        client().admin().indices().prepareDelete(index).get();
        index = next;
        before.keySet().forEach(id -> assertKept(id, before.get(id)));
    }

    private JobResponse job(String options) throws IOException {
        JobResponse response = run(
                ("{'max_distance':11,'verify':{'min_similarity':0.6}," + options + "}").replace('\'', '"'),
                Float.POSITIVE_INFINITY,
                1_000,
                ALIAS);
        assertEquals(response.toString(), List.of(), response.failures());
        client().admin().indices().prepareRefresh().get();
        return response;
    }

    /** A person rejects a group of a report, or one of its members. */
    private void decide() throws IOException {
        JobResponse report = job("'dest':{'index':'groups'}");
        List<SearchHit> groups = List.of(client().prepareSearch(DEST)
                .setQuery(QueryBuilders.termQuery("run", report.run()))
                .setSize(100)
                .get()
                .getHits()
                .getHits());
        if (groups.isEmpty()) {
            return;
        }
        SearchHit hit = groups.get(random.nextInt(groups.size()));
        Map<String, Object> group = hit.getSourceAsMap();
        String survivor = (String) ((Map<?, ?>) group.get("survivor")).get("id");
        List<String> members = ((List<?>) group.get("members"))
                .stream()
                        .map(member -> (String) ((Map<?, ?>) member).get("id"))
                        .filter(id -> id.equals(survivor) == false)
                        .sorted()
                        .toList();
        boolean isWhole = random.nextBoolean();
        List<String> no = isWhole ? members : List.of(any(members));
        note("reject " + no + " from " + survivor);
        client().prepareUpdate(DEST, hit.getId())
                .setDoc(isWhole ? Map.of("decision", "rejected") : Map.of("decision", "accepted", "rejected", no))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        for (String id : no) {
            Pair pair = Pair.of(id, survivor);
            apart.add(pair);
            pending.add(pair);
        }
        if (random.nextBoolean()) {
            tag();
        }
    }

    private void tag() throws IOException {
        note("tag");
        job("'action':'tag','groups':'all','dest':{'index':'groups'}");
        pending.clear();
        Map<String, Stored> stored = stored();
        Map<String, Set<Integer>> families = new HashMap<>();
        for (Map.Entry<String, Text> document : documents.entrySet()) {
            String group = stored.get(document.getKey()).group;
            assertNotNull("a story of " + document, group);
            families.computeIfAbsent(group, any -> new TreeSet<>())
                    .add(document.getValue().family());
        }
        families.forEach((group, some) -> assertEquals("one family in " + group, 1, some.size()));
        for (int family = 0; family < FAMILIES; family++) {
            assertStories(family, stored);
        }
    }

    /** Documents of a family are one story, but for those that are kept apart. */
    private void assertStories(int family, Map<String, Stored> stored) {
        Set<String> some = documents.keySet().stream()
                .filter(id -> documents.get(id).family() == family)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> decided = some.stream()
                .filter(id -> apart.stream().anyMatch(pair -> pair.a.equals(id) || pair.b.equals(id)))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> stories = some.stream().map(id -> stored.get(id).group).collect(Collectors.toSet());
        if (everApart(some) == false) {
            assertTrue("one story of " + some + ": " + stories, stories.size() <= 1);
        }
        assertTrue(
                "stories " + stories + " of " + some + " where only " + decided + " are apart",
                everApart(some) || stories.size() <= Math.max(1, decided.size()));
    }

    /** Whether a decision of dest, made about a text that was changed since, may still hold or hold again. */
    private boolean everApart(Set<String> some) {
        return log.stream().anyMatch(line -> line.startsWith("reject"))
                && (apart.stream().anyMatch(pair -> some.contains(pair.a) || some.contains(pair.b))
                        || log.stream().anyMatch(line -> line.startsWith("change") || line.startsWith("delete")));
    }

    private void delete() throws IOException {
        note("delete job");
        Map<String, Text> before = new TreeMap<>(documents);
        boolean isWithDest = pending.isEmpty() == false || random.nextBoolean();
        job("'action':'delete','archive':false" + (isWithDest ? ",'dest':{'index':'groups'}" : ""));
        Set<String> left = stored().keySet();
        documents.keySet().retainAll(left);
        for (String id : before.keySet()) {
            if (left.contains(id) == false) {
                assertTrue(
                        id + " ended for nobody that it is near and not kept apart from; left are " + left,
                        left.stream()
                                .anyMatch(other -> before.get(other).family()
                                                == before.get(id).family()
                                        && areApart(id, other) == false));
            }
        }
        apart.removeIf(pair -> left.contains(pair.a) == false || left.contains(pair.b) == false);
        pending.retainAll(apart);
    }

    private boolean areApart(String a, String b) {
        return apart.contains(Pair.of(a, b));
    }

    private Map<String, Stored> stored() {
        client().admin().indices().prepareRefresh(index).get();
        Map<String, Stored> stored = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(ALIAS).setSize(1_000).get().getHits()) {
            Map<String, Object> source = hit.getSourceAsMap();
            Map<?, ?> object = (Map<?, ?>) source.get("simhash");
            Object near = source.get("near_duplicate") instanceof Map<?, ?> tag ? tag.get("id") : null;
            stored.put(hit.getId(), new Stored((String) object.get("group"), object.get("duplicate_of"), near, source));
        }
        return stored;
    }

    private void check() throws IOException {
        Map<String, Stored> stored = stored();
        assertEquals(documents.keySet(), stored.keySet());
        for (Pair pair : apart) {
            if (pending.contains(pair) == false) {
                Stored a = stored.get(pair.a);
                Stored b = stored.get(pair.b);
                if (a.group != null) {
                    assertNotEquals("one story of " + pair, a.group, b.group);
                }
                assertNotEquals("an original of " + pair, pair.b, a.duplicateOf);
                assertNotEquals("an original of " + pair, pair.a, b.duplicateOf);
                assertNotEquals("a tag of " + pair, pair.b, a.near);
                assertNotEquals("a tag of " + pair, pair.a, b.near);
            }
        }
        if (pending.isEmpty()) {
            assertShown(stored);
        }
    }

    /** A distinct search hides no story that people made. */
    private void assertShown(Map<String, Stored> stored) throws IOException {
        String search =
                "{'size':100,'sort':['_doc'],'ext':{'simhash':{'distinct':{'max_distance':11}}}}".replace('\'', '"');
        Set<String> shown = new HashSet<>();
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, search)) {
            SearchRequest request = new SearchRequest(ALIAS).source(SearchSourceBuilder.fromXContent(parser));
            for (SearchHit hit : client().search(request).actionGet().getHits()) {
                shown.add(hit.getId());
            }
        }
        for (Pair pair : apart) {
            for (String id : List.of(pair.a, pair.b)) {
                String group = stored.get(id).group;
                assertTrue(
                        id + " of " + pair + ", or one of its story, is shown: " + shown,
                        shown.contains(id)
                                || shown.stream()
                                        .anyMatch(other -> Objects.equals(group, stored.get(other).group)
                                                && areApart(id, other) == false));
            }
        }
    }
}

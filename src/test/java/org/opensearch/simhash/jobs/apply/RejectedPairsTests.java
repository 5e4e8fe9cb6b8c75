/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.node.SampleIndex;

/** Two documents that somebody has kept apart are in no group together, while both have the texts that were looked at. */
public class RejectedPairsTests extends DeletingTestCase {

    private static final String DEST = "groups";
    private static final int SEQUENCES = Rounds.of("rejected.sequences", 10, 200);
    private static final int DOCUMENTS = 9;
    private static final int DISTANCE = 2;

    /** A document of the model; null bits: deleted. */
    private record Document(Long bits, int rank) {}

    private record Pair(String a, String b, long bitsOfA, long bitsOfB) {}

    private final Map<String, Document> documents = new TreeMap<>();

    /** As they were when the groups were made. */
    private final Map<String, Document> seen = new TreeMap<>();

    private final Set<Pair> rejected = new HashSet<>();
    /** Written since, so that nothing is applied to them. */
    private final Set<String> touched = new HashSet<>();

    private String linkage;
    private String run;

    private void create() {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.number_of_shards", between(1, 2)))
                .setMapping("rank", "type=integer", "tenant", "type=keyword", "simhash.group", "type=keyword")
                .get();
    }

    private void store() {
        BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
        documents.forEach((id, document) -> {
            bulk.add(client().prepareIndex(INDEX).setId(id).setSource(source(document)));
        });
        bulk.get();
    }

    private static Map<String, Object> source(Document document) {
        return Map.of("simhash", given(document.bits), "rank", document.rank);
    }

    private List<String> ranked() {
        return documents.keySet().stream()
                .filter(id -> documents.get(id).bits != null)
                .sorted((a, b) -> {
                    int byRank = Integer.compare(documents.get(a).rank, documents.get(b).rank);
                    return byRank != 0 ? byRank : a.compareTo(b);
                })
                .toList();
    }

    private boolean areNear(String a, String b) {
        return distance(a, b) <= DISTANCE;
    }

    private int distance(String a, String b) {
        return Fingerprint.distance(documents.get(a).bits, documents.get(b).bits);
    }

    /** Whether a document is nearer to one that is kept apart from a group than to the one that would take it. */
    private boolean belongsElsewhere(String id, String document, Set<String> group, Set<String> taken) {
        return ranked().stream()
                .filter(rival -> rival.equals(id) == false && taken.contains(rival) == false)
                .filter(rival -> areApart(Set.of(rival), group) && areApart(rival, id) == false)
                .anyMatch(rival -> distance(id, rival) < distance(id, document));
    }

    private boolean areApart(String a, String b) {
        return rejected.contains(new Pair(a, b, documents.get(a).bits, documents.get(b).bits))
                || rejected.contains(new Pair(b, a, documents.get(b).bits, documents.get(a).bits));
    }

    private boolean areApart(Set<String> some, Set<String> others) {
        return some.stream().anyMatch(a -> others.stream().anyMatch(b -> areApart(a, b)));
    }

    /** By survivor. */
    private Map<String, Set<String>> expected() {
        return linkage.equals("chain") ? chains() : stars();
    }

    private Map<String, Set<String>> stars() {
        Map<String, Set<String>> groups = new TreeMap<>();
        Set<String> taken = new HashSet<>();
        for (String survivor : ranked()) {
            if (taken.add(survivor)) {
                Set<String> group = new TreeSet<>(Set.of(survivor));
                for (String member : ranked()) {
                    if (taken.contains(member) == false
                            && areNear(survivor, member)
                            && areApart(group, Set.of(member)) == false
                            && belongsElsewhere(member, survivor, group, taken) == false) {
                        group.add(member);
                        taken.add(member);
                    }
                }
                groups.put(survivor, group);
            }
        }
        groups.values().removeIf(group -> group.size() == 1);
        return groups;
    }

    private Map<String, Set<String>> chains() {
        Map<String, Set<String>> sets = new HashMap<>();
        List<String> ranked = ranked();
        ranked.forEach(id -> sets.put(id, new TreeSet<>(Set.of(id))));
        for (int most : List.of(0, DISTANCE)) {
            for (int i = 0; i < ranked.size(); i++) {
                for (int j = i + 1; j < ranked.size(); j++) {
                    String a = ranked.get(i);
                    String b = ranked.get(j);
                    Set<String> first = sets.get(a);
                    Set<String> second = sets.get(b);
                    if (first.equals(second) == false
                            && distance(a, b) <= most
                            && areApart(first, second) == false
                            && belongsElsewhere(b, a, first, Set.of()) == false
                            && belongsElsewhere(a, b, second, Set.of()) == false) {
                        first.addAll(second);
                        second.forEach(id -> sets.put(id, first));
                    }
                }
            }
        }
        Map<String, Set<String>> groups = new TreeMap<>();
        Set<String> taken = new HashSet<>();
        for (String id : ranked) {
            if (taken.contains(id) == false && sets.get(id).size() > 1) {
                groups.put(id, sets.get(id));
                taken.addAll(sets.get(id));
            }
        }
        return groups;
    }

    private List<SearchHit> groups() {
        client().admin().indices().prepareRefresh(DEST).get();
        return List.of(client().prepareSearch(DEST)
                .setQuery(QueryBuilders.termQuery("run", run))
                .setSize(100)
                .get()
                .getHits()
                .getHits());
    }

    private static String survivor(Map<String, Object> group) {
        return (String) ((Map<?, ?>) group.get("survivor")).get("id");
    }

    private static Set<String> all(Map<String, Object> group) {
        Set<String> ids = new TreeSet<>(Set.of(survivor(group)));
        ((List<?>) group.get("members")).forEach(member -> ids.add((String) ((Map<?, ?>) member).get("id")));
        return ids;
    }

    private void rerun(String action) throws IOException {
        JobResponse response = run(
                "{\"action\":\"" + action + "\",\"dest\":{\"index\":\"groups\"},\"linkage\":\"" + linkage
                        + "\",\"max_distance\":" + DISTANCE + ",\"survivor\":[{\"field\":\"rank\"}]}",
                Float.POSITIVE_INFINITY,
                100);
        run = response.run();
        assertEquals(response.toString(), List.of(), response.failures());
        Map<String, Set<String>> found = new TreeMap<>();
        for (SearchHit hit : groups()) {
            Map<String, Object> group = hit.getSourceAsMap();
            found.put(survivor(group), all(group));
            if (rejected.stream().anyMatch(pair -> all(group).containsAll(List.of(pair.a, pair.b)) && isStale(pair))) {
                Map<?, ?> earlier = (Map<?, ?>) group.get("earlier_decision");
                assertNotNull("a pair is asked about again where a text has changed, " + group, earlier);
                assertNotNull(earlier.get("decision"));
            }
        }
        assertEquals(expected(), found);
        long linked = ranked().stream()
                .flatMap(a -> ranked().stream()
                        .filter(b -> a.compareTo(b) < 0)
                        .filter(b -> areApart(a, b) && isLinked(a) && isLinked(b)))
                .count();
        assertEquals(linked, response.count("kept_apart"));
        seen.clear();
        seen.putAll(documents);
        touched.clear();
        if (action.equals("tag")) {
            touched.addAll(documents.keySet());
            assertNoGroupOfBoth(documents.keySet());
        }
    }

    private boolean isLinked(String id) {
        return ranked().stream().anyMatch(other -> other.equals(id) == false && areNear(id, other));
    }

    private boolean isStale(Pair pair) {
        return documents.get(pair.a).bits != pair.bitsOfA || documents.get(pair.b).bits != pair.bitsOfB;
    }

    private Map<String, Object> tags() {
        client().admin().indices().prepareRefresh(INDEX).get();
        Map<String, Object> tags = new HashMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX).setSize(100).get().getHits()) {
            Object group = ((Map<?, ?>) hit.getSourceAsMap().get("simhash")).get("group");
            if (group != null) {
                tags.put(hit.getId(), group);
            }
        }
        return tags;
    }

    private void assertNoGroupOfBoth(Set<String> ids) {
        Map<String, Object> tags = tags();
        tags.keySet().retainAll(ids);
        for (String a : tags.keySet()) {
            for (String b : tags.keySet()) {
                if (a.compareTo(b) < 0 && tags.get(a).equals(tags.get(b))) {
                    assertFalse(a + " and " + b + " are kept apart", areApart(a, b));
                }
            }
        }
    }

    private void decide(SearchHit hit, boolean isWhole) {
        Map<String, Object> group = hit.getSourceAsMap();
        List<String> ids = new ArrayList<>(all(group));
        String survivor = survivor(group);
        Map<String, Object> decision = new HashMap<>();
        if (randomBoolean()) {
            survivor = randomFrom(ids);
            decision.put("chosen_survivor", Map.of("index", INDEX, "id", survivor));
        }
        ids.remove(survivor);
        List<String> no = isWhole ? ids : randomSubsetOf(between(1, ids.size()), ids);
        decision.put("decision", isWhole ? "rejected" : "accepted");
        decision.put("decided_by", "ada");
        if (isWhole == false) {
            decision.put("rejected", no);
        }
        client().prepareUpdate(DEST, hit.getId()).setDoc(decision).get();
        for (String id : no) {
            rejected.add(new Pair(id, survivor, seen.get(id).bits, seen.get(survivor).bits));
        }
    }

    private JobResponse apply(String options) throws IOException {
        String json = "{\"dest\":{\"index\":\"groups\"},\"run\":\"" + run + "\"," + options + "}";
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(
                            ApplyAction.INSTANCE,
                            new ApplyAction.Request(
                                    new String[] {INDEX},
                                    ApplyOptions.fromXContent(parser),
                                    new WritePace(Float.POSITIVE_INFINITY, 100)))
                    .actionGet();
        }
    }

    public void testSequencesOfDecisionsEditsAndRuns() throws IOException {
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            linkage = randomFrom("survivor", "chain");
            documents.clear();
            rejected.clear();
            for (int id = 0; id < DOCUMENTS; id++) {
                documents.put("" + id, new Document(bits(), between(0, 3)));
            }
            create();
            store();
            rerun("report");
            for (int step = 0; step < 15; step++) {
                step();
            }
            rerun("tag");
            client().admin().indices().prepareDelete(INDEX, DEST).get();
        }
    }

    private void step() throws IOException {
        switch (between(0, 6)) {
            case 0, 1, 2 -> {
                List<SearchHit> undecided = groups().stream()
                        .filter(hit -> hit.getSourceAsMap().get("decision") == null)
                        .toList();
                if (undecided.isEmpty() == false) {
                    decide(randomFrom(undecided), rarely());
                }
            }
            case 3 -> edit(old -> new Document(old.bits, between(0, 3)));
            case 4 -> edit(old -> new Document(rarely() ? null : (Long) bits(), old.rank));
            case 5 -> {
                apply("\"action\":\"tag\"");
                for (SearchHit hit : groups()) {
                    if ("accepted".equals(hit.getSourceAsMap().get("decision"))) {
                        Set<String> ids = all(hit.getSourceAsMap());
                        ids.removeAll(touched);
                        assertNoGroupOfBoth(ids);
                    }
                }
                touched.addAll(documents.keySet());
            }
            default -> rerun(randomFrom("report", "tag"));
        }
    }

    private void edit(UnaryOperator<Document> change) {
        String id = "" + between(0, DOCUMENTS - 1);
        Document changed = change.apply(documents.get(id));
        documents.put(id, changed);
        touched.add(id);
        if (changed.bits == null) {
            client().prepareDelete(INDEX, id)
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        } else {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(source(changed))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
    }

    private void put(String id, long bits, String tenant) {
        client().prepareIndex(INDEX)
                .setId(id)
                .setSource(Map.of("simhash", given(bits), "tenant", tenant))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private JobResponse report(String options) throws IOException {
        JobResponse response = run("{\"dest\":{\"index\":\"groups\"}" + options + "}", Float.POSITIVE_INFINITY, 100);
        assertEquals(response.toString(), List.of(), response.failures());
        run = response.run();
        return response;
    }

    private void decide(Map<String, Object> decision) {
        client().prepareUpdate(DEST, groups().getFirst().getId())
                .setDoc(decision)
                .get();
    }

    public void testAChosenSurvivorMustMeetTheConditionsOfTheRun() throws IOException {
        create();
        put("1", 0, "a");
        put("2", 0, "b");
        put("3", 0, "b");
        report(",\"differ\":[\"tenant\"]");
        decide(Map.of("decision", "accepted", "chosen_survivor", Map.of("index", INDEX, "id", "2")));
        JobResponse applied = apply("\"action\":\"delete\",\"verify\":false,\"archive\":false");
        assertEquals(applied.toString(), 1, applied.count("deleted"));
        assertEquals(1, applied.count("kept_apart"));
        assertEquals("1 is of another tenant, 3 is not", Set.of("2", "3"), ids(INDEX));
    }

    public void testWhatAnotherGroupRejectsIsNotApplied() throws IOException {
        create();
        for (int id = 1; id <= 3; id++) {
            put("" + id, 0, "a");
        }
        report("");
        decide(Map.of("decision", "accepted"));
        String first = run;
        report(",\"survivor\":[{\"field\":\"_id\",\"order\":\"desc\"}]");
        decide(Map.of("decision", "accepted", "rejected", List.of("2")));
        run = first;
        JobResponse applied = apply("\"action\":\"tag\"");
        assertEquals(applied.toString(), 1, applied.count("kept_apart"));
        assertEquals("3 is kept apart from 2", Set.of("1", "2"), tags().keySet());
    }

    public void testASecondApplyAndOneOfNothingSaySo() throws IOException {
        create();
        put("1", 0, "a");
        put("2", 0, "a");
        report("");
        JobResponse nothing = apply("\"action\":\"tag\"");
        assertEquals(
                "[nothing was applied: of the groups of the run, 1 without a decision, and [only] accepted takes none of"
                        + " these]",
                nothing.warnings().toString());
        assertNull(groups().getFirst().getSourceAsMap().get("applied_at"));
        decide(Map.of("decision", "accepted"));
        assertEquals(List.of(), apply("\"action\":\"tag\"").warnings());
        Map<String, Object> group = groups().getFirst().getSourceAsMap();
        assertEquals("tag", group.get("applied_action"));
        JobResponse again = apply("\"action\":\"delete\",\"verify\":false,\"archive\":false");
        assertEquals(
                "[the run was applied before, to 1 groups: [tag] at " + group.get("applied_at")
                        + ". Documents that this changed are left alone, nothing was applied: documents are 1 changed since"
                        + " the run, which would have to run again]",
                again.warnings().toString());
        assertEquals(Set.of("1", "2"), ids(INDEX));
    }

    public void testTheHourlyRunTakesWhatIsRejectedOutOfItsGroup() throws IOException {
        create();
        put("1", 0, "a");
        put("2", 0, "a");
        String hourly = ",\"action\":\"tag\",\"new_since\":\"last\"";
        report(hourly);
        assertEquals(1, Set.copyOf(tags().values()).size());
        decide(Map.of("decision", "rejected"));
        JobResponse second = report(hourly);
        assertEquals(1, second.count("kept_apart"));
        assertEquals(Map.of(), tags());
        assertEquals(0, report(hourly).count("cleared"));
    }

    public void testSketchesAreKeptApartToo() throws IOException {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "sketch",
                        new BytesArray("{\"processors\":[{\"minhash\":{\"field\":\"text\"}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.default_pipeline", "sketch"))
                .setMapping(Map.of(
                        "properties",
                        Map.of(
                                "minhash",
                                ((Map<?, ?>) ((Map<?, ?>) new SampleIndex().mappings()).get("properties"))
                                        .get("minhash"))))
                .get();
        String text = "one two three four five six seven eight nine ten eleven twelve";
        for (String id : List.of("1", "2")) {
            client().prepareIndex(INDEX)
                    .setId(id)
                    .setSource(Map.of("text", text))
                    .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                    .get();
        }
        assertEquals(1, report(",\"sketch\":\"minhash\"").count("groups"));
        decide(Map.of("decision", "rejected"));
        JobResponse again = report(",\"sketch\":\"minhash\"");
        assertEquals(0, again.count("groups"));
        assertEquals(1, again.count("kept_apart"));
        client().prepareIndex(INDEX)
                .setId("2")
                .setSource(Map.of("text", text + " thirteen"))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        JobResponse changed = report(",\"sketch\":\"minhash\",\"min_similarity\":0.5");
        assertEquals(changed.toString(), 1, changed.count("groups"));
        Map<?, ?> earlier = (Map<?, ?>) groups().getFirst().getSourceAsMap().get("earlier_decision");
        assertEquals(List.of("2"), earlier.get("rejected"));
        assertEquals("rejected", earlier.get("decision"));
    }

    public void testAGroupKeepsItsDecisionWhenOnlyItsRejectedMembersAreGone() throws IOException {
        create();
        for (int id = 1; id <= 3; id++) {
            put("" + id, 0, "a");
        }
        report("");
        decide(Map.of("decision", "accepted", "decided_by", "ada", "rejected", List.of("3")));
        for (int runs = 0; runs < 2; runs++) {
            assertEquals(List.of(), report("").warnings());
            Map<String, Object> group = groups().getFirst().getSourceAsMap();
            assertEquals(Set.of("1", "2"), all(group));
            assertEquals("accepted", group.get("decision"));
            assertNull(group.get("rejected"));
            Map<?, ?> pair = (Map<?, ?>) ((List<?>) group.get("rejected_pairs")).getFirst();
            assertEquals("ada", pair.get("decided_by"));
            assertEquals("3", ((Map<?, ?>) pair.get("member")).get("id"));
            assertEquals("hash:given-a/0000000000000000", ((Map<?, ?>) pair.get("survivor")).get("fingerprint"));
        }
    }

    /** Equal ones, near ones, chains. */
    private static long bits() {
        return (1L << between(0, 3)) | (randomBoolean() ? 1L << 40 : 0) | (randomBoolean() ? 1L << 50 : 0);
    }
}

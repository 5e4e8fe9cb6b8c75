/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.metrics.Cardinality;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.jobs.HookedClusterTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;

/**
 * Documents come, change and go at random, some through {@code near_duplicate}, on several nodes. Jobs tag them: all of them, or what
 * is new, or until they are interrupted; with conditions on a pair or without. In between, people keep pairs apart. After each job
 * the groups are those of a computation from scratch, and their ids those of the rule.
 */
public class GroupNamesModelTests extends HookedClusterTestCase {

    private static final String INDEX = "copies";
    private static final String DEST = "runs";
    private static final int STEPS = 25;

    /** Histories of each kind: with 27 there are 2,000 jobs, and as many again that change nothing. */
    private static final int HISTORIES = Rounds.of("model.histories", 1, 9);

    private static final int DISTANCE = 3;
    private static final int MOST_APART = 3;
    private static final String PIPELINE = "grouped";

    /** Null for a missing value. */
    private record Document(long bits, String source, Integer at) {}

    private record Pair(int a, int b, long bitsOfA, long bitsOfB) {}

    /** What two documents must meet, as the options say it. */
    private enum Condition {
        SAME("\"same\":[\"source\"]"),
        SAME_OR_MISSING("\"same\":[{\"field\":\"source\",\"missing\":\"any\"}]"),
        DIFFER("\"differ\":[\"source\"]"),
        WITHIN("\"within\":{\"field\":\"at\",\"distance\":\"" + MOST_APART + "h\"}");

        private final String option;

        Condition(String option) {
            this.option = option;
        }

        boolean isMet(Document a, Document b) {
            return switch (this) {
                case SAME -> Objects.equals(a.source, b.source);
                case SAME_OR_MISSING -> a.source == null || b.source == null || a.source.equals(b.source);
                case DIFFER -> Objects.equals(a.source, b.source) == false;
                case WITHIN -> a.at != null && b.at != null && Math.abs(a.at - b.at) <= MOST_APART;
            };
        }
    }

    private final Map<Integer, Document> documents = new TreeMap<>();
    private final Set<Pair> apart = new HashSet<>();
    private Set<Condition> conditions;
    private boolean isChain;
    private boolean hasPipeline;
    /** Written since the last refresh. */
    private final Set<Integer> unseen = new HashSet<>();

    private boolean isAll;
    private boolean hasSizes;

    /** Whether all jobs have the index of the hourly ones, and people keep pairs apart there. */
    private boolean isReviewed;

    /** Whether a job that looks at what is new can know of all changes. */
    private boolean isKnown;

    /** Whether a job has looked at all documents. */
    private boolean isBegun;

    /** What a document says. */
    private record Stored(String group, String duplicateOf, Integer size, long sequence) {}

    public void testGroupsOfDuplicates() throws IOException {
        for (int i = 0; i < HISTORIES; i++) {
            walk(false);
        }
    }

    public void testGroupsOfAll() throws IOException {
        for (int i = 0; i < HISTORIES; i++) {
            walk(true);
        }
    }

    public void testGroupsThatDocumentsGetAtIngest() throws IOException {
        hasPipeline = true;
        for (int i = 0; i < HISTORIES; i++) {
            walk(true);
        }
    }

    /** Those that are drawn, after other options. */
    private String conditions() {
        return conditions.stream().map(condition -> "," + condition.option).collect(Collectors.joining());
    }

    private boolean areNear(Document a, Document b) {
        return Long.bitCount(a.bits ^ b.bits) <= DISTANCE
                && conditions.stream().allMatch(condition -> condition.isMet(a, b));
    }

    private boolean areApart(int a, int b) {
        long bitsOfA = documents.get(a).bits;
        long bitsOfB = documents.get(b).bits;
        return apart.contains(new Pair(a, b, bitsOfA, bitsOfB)) || apart.contains(new Pair(b, a, bitsOfB, bitsOfA));
    }

    private boolean areApart(Collection<Integer> some, Collection<Integer> others) {
        return some.stream().anyMatch(a -> others.stream().anyMatch(b -> areApart(a, b)));
    }

    private void walk(boolean all) throws IOException {
        isAll = all;
        isChain = randomBoolean();
        hasSizes = randomBoolean();
        isReviewed = randomBoolean();
        isKnown = false;
        isBegun = false;
        documents.clear();
        apart.clear();
        conditions = EnumSet.copyOf(randomSubsetOf(between(1, 2), Condition.values()));
        if (randomBoolean()) {
            conditions.clear();
        } else if (conditions.size() > 1) {
            // A field is in [same] or in [differ], once.
            conditions = EnumSet.of(randomFrom(conditions), Condition.WITHIN);
        }
        if (hasPipeline) {
            pipeline(
                    PIPELINE,
                    "{'processors':[{'near_duplicate':{'groups':'all','max_distance':" + DISTANCE + conditions()
                            + "}}]}");
        }
        assertAcked(client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", between(1, 3))
                        .put("index.number_of_replicas", between(0, cluster().numDataNodes() - 1)))
                .setMapping(
                        "simhash.group",
                        "type=keyword",
                        "simhash.bits",
                        "type=long",
                        "source",
                        "type=keyword",
                        "at",
                        "type=date"));
        for (int step = 0; step < STEPS; step++) {
            change();
            Map<Integer, Stored> before = stored();
            boolean isHourly = randomInt(2) == 0;
            boolean isInterrupted = randomInt(3) == 0;
            if (isInterrupted) {
                interrupt(isHourly);
            }
            JobResponse response = tag(isHourly);
            Map<Integer, Stored> after = stored();
            String what = "chain " + isChain + ", all " + isAll + ", hourly " + isHourly + ", interrupted "
                    + isInterrupted + ", " + conditions + ", step " + step + "\n" + documents + "\n" + apart + "\n"
                    + response + "\n" + before + "\n" + after;
            boolean isFull = isHourly == false || response.toString().contains("\"new_since\"") == false;
            if (isFull) {
                isKnown = true;
            }
            if (isKnown) {
                assertGroups(what, after, isFull || isChain == false);
                assertKept(what, before, after);
            } else if (isBegun) {
                assertStale(what, before, after);
            }
            isBegun = true;
            if (isFull) {
                assertIds(what, before, after);
                if (isInterrupted == false) {
                    assertEquals(
                            what,
                            ids(after, after.keySet()).size()
                                    - ids(before, before.keySet()).size(),
                            response.count("groups_new")
                                    + response.count("groups_split")
                                    - response.count("groups_gone"));
                }
            }
            JobResponse again = tag(isHourly);
            for (String count : List.of(
                    "tagged", "cleared", "grouped", "groups_new", "groups_merged", "groups_split", "groups_gone")) {
                assertEquals(count + " again\n" + what, 0, again.count(count));
            }
            if (isReviewed && randomBoolean()) {
                keepApart(response.run());
            }
        }
        assertAcked(client().admin().indices().prepareDelete(INDEX, DEST));
    }

    /** Somebody rejects some members of a group of the run, whose documents are as they were. */
    private void keepApart(String run) {
        refresh(DEST);
        SearchHit[] groups = client().prepareSearch(DEST)
                .setQuery(QueryBuilders.termQuery("run", run))
                .get()
                .getHits()
                .getHits();
        if (groups.length == 0) {
            return;
        }
        SearchHit group = randomFrom(groups);
        int survivor = id(group.getSourceAsMap().get("survivor"));
        List<Integer> members = ((List<?>) group.getSourceAsMap().get("members"))
                .stream().map(GroupNamesModelTests::id).toList();
        boolean isWhole = rarely();
        List<Integer> no = isWhole ? members : randomSubsetOf(between(1, members.size()), members);
        Map<String, Object> decision = isWhole
                ? Map.of("decision", "rejected")
                : Map.of(
                        "decision",
                        "accepted",
                        "rejected",
                        no.stream().map(String::valueOf).toList());
        client().prepareUpdate(DEST, group.getId())
                .setDoc(decision)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        for (int id : no) {
            apart.add(new Pair(id, survivor, documents.get(id).bits, documents.get(survivor).bits));
        }
    }

    private static int id(Object document) {
        return Integer.parseInt((String) ((Map<?, ?>) document).get("id"));
    }

    private static Map<String, Object> source(Document document) {
        Map<String, Object> source = new HashMap<>();
        source.put(
                "simhash",
                Map.of("hash", Fingerprint.toHex(document.bits), "bits", document.bits, "scheme", "given-a"));
        if (document.source != null) {
            source.put("source", document.source);
        }
        if (document.at != null) {
            source.put("at", TimeValue.timeValueHours(document.at).millis());
        }
        return source;
    }

    private void change() {
        int changes = between(0, 6);
        for (int i = 0; i < changes; i++) {
            int id = between(1, 40);
            boolean isThere = documents.containsKey(id);
            switch (between(0, 5)) {
                case 0 -> {
                    if (isThere) {
                        client().prepareDelete(INDEX, "" + id).get();
                        documents.remove(id);
                        isKnown &= isChain == false;
                    }
                }
                case 1 -> {
                    if (isThere) {
                        client().prepareUpdate(INDEX, "" + id)
                                .setDoc(Map.of("read", randomInt()))
                                .get();
                    }
                }
                default -> {
                    // Few texts, with some bits changed, so that groups grow together and fall apart.
                    long bits = (0x0000_001F_0000_001FL << (5 * between(0, 4)))
                            ^ (1L << between(0, 60))
                            ^ (1L << between(0, 60));
                    Document document = new Document(bits, randomFrom("a", "b", null), randomFrom(0, 1, 2, 4, 7, null));
                    if (hasPipeline && randomBoolean()) {
                        ingest(id, document);
                    } else {
                        client().prepareIndex(INDEX)
                                .setId("" + id)
                                .setSource(source(document))
                                .get();
                        documents.put(id, document);
                        unseen.add(id);
                    }
                    isKnown &= isThere == false || isChain == false;
                }
            }
        }
        refreshAll();
    }

    /** The document has the group of a near one, its own first, or keeps its own if it is alone in it, or a new one. */
    private void ingest(int id, Document document) {
        Map<Integer, Stored> before = got();
        if (randomBoolean()) {
            refreshAll();
        }
        client().prepareIndex(INDEX)
                .setId("" + id)
                .setSource(source(document))
                .setPipeline(PIPELINE)
                .get();
        documents.put(id, document);
        Map<Integer, Stored> after = got();
        Stored now = after.remove(id);
        String own = before.containsKey(id) ? before.remove(id).group() : null;
        String what = id + " " + own + " " + now + "\n" + before;
        assertEquals(what, before, after);
        List<Stored> near = before.entrySet().stream()
                .filter(other -> areNear(documents.get(other.getKey()), document))
                .map(Map.Entry::getValue)
                .toList();
        Set<String> groups = new HashSet<>();
        near.forEach(other -> groups.add(other.group()));
        boolean areAllLookedAt = near.size() < 8;
        boolean isOwn = own != null && before.values().stream().noneMatch(other -> own.equals(other.group()));
        assertNotNull(what, now.group());
        Set<Integer> othersOfGroup = before.entrySet().stream()
                .filter(other -> now.group().equals(other.getValue().group()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (groups.contains(own) && own != null && areAllLookedAt) {
            assertEquals(what, own, now.group());
        } else if (near.isEmpty() == false) {
            // One that was stored without a group gives one that its other duplicates may have.
            assertTrue(what, groups.contains(now.group()) || groups.contains(null));
        } else if (isOwn) {
            assertEquals(what, own, now.group());
        } else {
            // Others of its group that no search sees yet do not count.
            assertTrue(what, othersOfGroup.isEmpty() || (now.group().equals(own) && unseen.containsAll(othersOfGroup)));
        }
        unseen.add(id);
        if (now.duplicateOf() != null) {
            assertFalse(what, near.isEmpty());
            assertNotEquals(what, "" + id, now.duplicateOf());
        }
    }

    private void refreshAll() {
        refresh(INDEX);
        unseen.clear();
    }

    /** As stored now, refreshed or not. */
    private Map<Integer, Stored> got() {
        Map<Integer, Stored> got = new TreeMap<>();
        documents.keySet().forEach(id -> {
            GetResponse document = client().prepareGet(INDEX, "" + id).get();
            Map<?, ?> print = (Map<?, ?>) document.getSource().get("simhash");
            got.put(
                    id,
                    new Stored(
                            (String) print.get("group"),
                            (String) print.get("duplicate_of"),
                            null,
                            document.getSeqNo()));
        });
        return got;
    }

    private JobResponse tag(boolean isHourly) throws IOException {
        JobResponse response = job(isHourly, between(1, 50));
        assertEquals(response.toString(), RestStatus.OK, response.status());
        return response;
    }

    private JobResponse job(boolean isHourly, int most) throws IOException {
        String json = "{\"action\":\"tag\",\"linkage\":\"" + (isChain ? "chain" : "survivor") + "\""
                + (isAll ? ",\"groups\":\"all\"" : "")
                + (hasSizes ? ",\"size_field\":\"n.copies\"" : "")
                + (isHourly ? ",\"new_since\":\"last\"" : "")
                + (isHourly || isReviewed ? ",\"dest\":{\"index\":\"" + DEST + "\"}" : "")
                + conditions() + "}";
        return run(json, most, INDEX);
    }

    /** Only some of the requests are written. */
    private void interrupt(boolean isHourly) throws IOException {
        AtomicInteger left = new AtomicInteger(between(0, 5));
        RequestHook.set(request -> request instanceof BulkRequest bulk
                        && bulk.requests().getFirst().index().equals(INDEX)
                        && left.getAndDecrement() <= 0
                ? RequestHook.failed(bulk, RestStatus.FORBIDDEN)
                : null);
        job(isHourly, between(1, 3));
        RequestHook.clear();
        refreshAll();
    }

    private Map<Integer, Stored> stored() {
        Map<Integer, Stored> stored = new TreeMap<>();
        for (SearchHit hit : client().prepareSearch(INDEX)
                .setSize(100)
                .seqNoAndPrimaryTerm(true)
                .get()
                .getHits()) {
            Map<?, ?> print = (Map<?, ?>) hit.getSourceAsMap().get("simhash");
            Object sizes = hit.getSourceAsMap().getOrDefault("n", Map.of());
            stored.put(
                    Integer.valueOf(hit.getId()),
                    new Stored(
                            (String) print.get("group"),
                            (String) print.get("duplicate_of"),
                            (Integer) ((Map<?, ?>) sizes).get("copies"),
                            hit.getSeqNo()));
        }
        assertEquals(documents.keySet(), stored.keySet());
        return stored;
    }

    /** From scratch: members by survivor, survivors included. */
    private Map<Integer, List<Integer>> stories() {
        return isChain ? chains() : stars();
    }

    private Map<Integer, List<Integer>> stars() {
        Map<Integer, List<Integer>> stories = new TreeMap<>();
        Set<Integer> free = new TreeSet<>(documents.keySet());
        for (int survivor : documents.keySet()) {
            if (free.remove(survivor)) {
                List<Integer> members = new ArrayList<>(List.of(survivor));
                for (int other : free) {
                    if (areNear(documents.get(survivor), documents.get(other))
                            && areApart(members, List.of(other)) == false) {
                        members.add(other);
                    }
                }
                members.forEach(free::remove);
                stories.put(survivor, members);
            }
        }
        return stories;
    }

    private Map<Integer, List<Integer>> chains() {
        Map<Integer, List<Integer>> sets = new TreeMap<>();
        documents.keySet().forEach(id -> sets.put(id, new ArrayList<>(List.of(id))));
        for (int a : documents.keySet()) {
            for (int b : documents.keySet()) {
                List<Integer> first = sets.get(a);
                List<Integer> second = sets.get(b);
                if (a < b
                        && first.contains(b) == false
                        && areNear(documents.get(a), documents.get(b))
                        && areApart(first, second) == false) {
                    first.addAll(second);
                    second.forEach(id -> sets.put(id, first));
                }
            }
        }
        Map<Integer, List<Integer>> stories = new TreeMap<>();
        sets.values().forEach(members -> stories.put(Collections.min(members), members));
        return stories;
    }

    /** Of documents in no chain, a job that looks at what is new leaves those as they are that are not connected with it. */
    private void assertGroups(String what, Map<Integer, Stored> after, boolean isFull) {
        Map<Integer, List<Integer>> stories = stories();
        Set<String> ids = new HashSet<>();
        stories.forEach((survivor, members) -> {
            String id = after.get(survivor).group();
            boolean isGroup = members.size() > 1;
            if (isGroup || isAll) {
                assertNotNull(survivor + " " + what, id);
            } else if (isFull) {
                assertNull(survivor + " " + what, id);
            }
            assertTrue(survivor + " " + what, id == null || ids.add(id));
            for (int member : members) {
                assertEquals(member + " " + what, id, after.get(member).group());
                assertEquals(
                        member + " " + what,
                        member == survivor ? null : "" + survivor,
                        after.get(member).duplicateOf());
                if (isFull) {
                    assertEquals(
                            member + " " + what,
                            hasSizes && member == survivor && isGroup ? (Integer) members.size() : null,
                            after.get(member).size());
                }
            }
        });
        if (isAll) {
            SearchRequestBuilder count = client().prepareSearch(INDEX)
                    .setSize(0)
                    .addAggregation(AggregationBuilders.cardinality("stories").field("simhash.group"));
            Cardinality cardinality = count.get().getAggregations().get("stories");
            assertEquals(what, stories.size(), cardinality.getValue());
        }
    }

    /**
     * Between a change and the next job that looks at all documents, a group of chains may still have what only a changed document
     * had held together. It has nothing else too much, nothing too little, and one survivor.
     */
    private void assertStale(String what, Map<Integer, Stored> before, Map<Integer, Stored> after) {
        Map<Integer, List<Integer>> stories = stories();
        Map<String, List<List<Integer>>> groups = new TreeMap<>();
        stories.forEach((survivor, members) -> {
            Set<String> ids = ids(after, members);
            boolean isGrouped =
                    members.stream().allMatch(member -> after.get(member).group() != null);
            if (isAll || members.size() > 1) {
                assertTrue(members + " " + what, isGrouped);
                assertEquals(members + " " + what, 1, ids.size());
            }
            ids.forEach(
                    id -> groups.computeIfAbsent(id, any -> new ArrayList<>()).add(members));
        });
        groups.forEach((id, parts) -> {
            List<Integer> all = parts.stream().flatMap(List::stream).sorted().toList();
            List<Integer> survivors = all.stream()
                    .filter(member -> after.get(member).duplicateOf() == null)
                    .toList();
            assertEquals(all + " " + what, 1, survivors.size());
            for (int member : all) {
                String original = after.get(member).duplicateOf();
                assertTrue(
                        member + " " + what,
                        original == null || original.equals(survivors.getFirst().toString()));
            }
            // Its parts had ids in common.
            Set<String> carried = ids(before, parts.getFirst());
            List<List<Integer>> joined = List.of(parts.getFirst());
            for (int size = 0; size < joined.size(); ) {
                size = joined.size();
                joined.forEach(part -> carried.addAll(ids(before, part)));
                joined = parts.stream()
                        .filter(part -> parts.size() == 1 || Collections.disjoint(ids(before, part), carried) == false)
                        .toList();
            }
            assertEquals(id + " " + what, parts, joined);
            if (isReviewed) {
                assertFalse(all + " " + what, areApart(all, all));
            }
        });
    }

    /** A group that neither grew together with another one nor is a part of one has the id that it had. */
    private void assertKept(String what, Map<Integer, Stored> before, Map<Integer, Stored> after) {
        stories().forEach((survivor, members) -> {
            Set<String> carried = ids(before, members);
            if (carried.size() == 1 && (isAll || members.size() > 1)) {
                String id = carried.iterator().next();
                boolean isOnlyHere = before.entrySet().stream()
                        .allMatch(other -> members.contains(other.getKey())
                                || id.equals(other.getValue().group()) == false);
                if (isOnlyHere) {
                    assertEquals(survivor + " " + what, id, after.get(survivor).group());
                }
            }
        });
    }

    private static Set<String> ids(Map<Integer, Stored> stored, Iterable<Integer> members) {
        Set<String> ids = new HashSet<>();
        members.forEach(member -> ids.add(stored.get(member).group()));
        ids.remove(null);
        return ids;
    }

    private record Claim(int survivor, String id, int carriers, long oldest, int first) {}

    /** By the rule, whatever an interrupted job wrote in between. */
    private void assertIds(String what, Map<Integer, Stored> before, Map<Integer, Stored> after) {
        List<Claim> claims = new ArrayList<>();
        List<Claim> alone = new ArrayList<>();
        Map<Integer, List<Integer>> stories = stories();
        stories.forEach((survivor, members) -> ids(before, members).forEach(id -> {
            List<Integer> carriers = members.stream()
                    .filter(member -> id.equals(before.get(member).group()))
                    .sorted()
                    .toList();
            long oldest = carriers.stream()
                    .mapToLong(member -> before.get(member).sequence())
                    .min()
                    .getAsLong();
            (members.size() > 1 ? claims : alone)
                    .add(new Claim(survivor, id, carriers.size(), oldest, carriers.getFirst()));
        }));
        Comparator<Claim> order =
                Comparator.comparingInt(Claim::carriers).reversed().thenComparingLong(Claim::oldest);
        claims.sort(order.thenComparingInt(Claim::first));
        alone.sort(order);
        if (isAll) {
            claims.addAll(alone);
        }
        Map<Integer, String> expected = new HashMap<>();
        for (Claim claim : claims) {
            boolean isTie = claims.stream()
                    .anyMatch(other -> other.equals(claim) == false
                            && alone.contains(other)
                            && alone.contains(claim)
                            && other.id().equals(claim.id())
                            && other.oldest() == claim.oldest());
            if (isTie) {
                return; // Which of the two depends on their shards.
            }
            if (expected.containsValue(claim.id()) == false) {
                expected.putIfAbsent(claim.survivor(), claim.id());
            }
        }
        Set<String> known = ids(before, before.keySet());
        stories.forEach((survivor, members) -> {
            if (isAll || members.size() > 1) {
                String id = after.get(survivor).group();
                if (expected.containsKey(survivor)) {
                    assertEquals(survivor + " " + what, expected.get(survivor), id);
                } else {
                    assertFalse(survivor + " " + what, known.contains(id));
                }
            }
        });
    }
}

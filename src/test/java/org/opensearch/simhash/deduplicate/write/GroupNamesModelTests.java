/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.metrics.Cardinality;
import org.opensearch.simhash.deduplicate.DeduplicateResponse;
import org.opensearch.simhash.deduplicate.DeletingTestCase;
import org.opensearch.simhash.deduplicate.RequestHook;

/**
 * Documents come, change and go at random, some through {@code near_duplicate}. Jobs tag them: all of them, or what is new, or until
 * they are interrupted. After each job
 * the groups are those of a computation from scratch, and their ids those of the rule.
 */
public class GroupNamesModelTests extends DeletingTestCase {

    private static final int STEPS = 40;

    /** Histories of each kind: with 25 there are 2,000 jobs, and as many again that change nothing. */
    private static final int HISTORIES = Integer.getInteger("model.histories", 2);

    private static final int DISTANCE = 3;
    private static final String PIPELINE = "grouped";

    private final Map<Integer, Long> documents = new TreeMap<>();
    private boolean isChain;
    private boolean hasPipeline;
    private boolean isAll;
    private boolean hasSizes;

    /** Whether a job that looks at what is new can know of all changes. */
    private boolean isKnown;

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
        String pipeline =
                "{\"processors\":[{\"near_duplicate\":{\"groups\":\"all\",\"max_distance\":" + DISTANCE + "}}]}";
        client().admin()
                .cluster()
                .preparePutPipeline(PIPELINE, new BytesArray(pipeline), MediaTypeRegistry.JSON)
                .get();
        for (int i = 0; i < HISTORIES; i++) {
            walk(true);
        }
        assertWarnings("[near_duplicate] of pipeline [" + PIPELINE
                + "] reads [simhash], but no processor before it writes that: it finds nothing unless another pipeline or"
                + " the client does");
    }

    private void walk(boolean all) throws IOException {
        isAll = all;
        isChain = randomBoolean();
        hasSizes = randomBoolean();
        isKnown = false;
        documents.clear();
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setSettings(Settings.builder().put("index.number_of_shards", between(1, 3)))
                .setMapping("simhash.group", "type=keyword", "simhash.bits", "type=long")
                .get();
        for (int step = 0; step < STEPS; step++) {
            change();
            Map<Integer, Stored> before = stored();
            boolean isHourly = randomInt(2) == 0;
            boolean isInterrupted = isHourly == false && randomInt(3) == 0;
            if (isInterrupted) {
                interrupt();
            }
            DeduplicateResponse response = tag(isHourly);
            Map<Integer, Stored> after = stored();
            String what = "chain " + isChain + ", all " + isAll + ", hourly " + isHourly + ", step " + step + "\n"
                    + response + "\n" + before + "\n" + after;
            boolean isFull = isHourly == false || response.toString().contains("\"new_since\"") == false;
            if (isFull) {
                isKnown = true;
            }
            if (isKnown) {
                assertGroups(what, after, isFull || isChain == false);
                assertKept(what, before, after);
            }
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
            DeduplicateResponse again = tag(isHourly);
            for (String count :
                    List.of("tagged", "cleared", "groups_new", "groups_merged", "groups_split", "groups_gone")) {
                assertEquals(count + " again\n" + what, 0, again.count(count));
            }
        }
        client().admin().indices().prepareDelete(INDEX, "hourly").get();
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
                    if (hasPipeline && randomBoolean()) {
                        ingest(id, bits);
                    } else {
                        put(id, bits);
                        documents.put(id, bits);
                    }
                    isKnown &= isThere == false || isChain == false;
                }
            }
        }
        client().admin().indices().prepareRefresh(INDEX).get();
    }

    /** The document has the group of a near one, its own first, or keeps its own if it is alone in it, or a new one. */
    private void ingest(int id, long bits) {
        Map<Integer, Stored> before = got();
        if (randomBoolean()) {
            client().admin().indices().prepareRefresh(INDEX).get();
        }
        client().prepareIndex(INDEX)
                .setId("" + id)
                .setSource(Map.of("simhash", given(bits)))
                .setPipeline(PIPELINE)
                .get();
        documents.put(id, bits);
        Map<Integer, Stored> after = got();
        Stored now = after.remove(id);
        String own = before.containsKey(id) ? before.remove(id).group() : null;
        String what = id + " " + own + " " + now + "\n" + before;
        assertEquals(what, before, after);
        List<Stored> near = before.entrySet().stream()
                .filter(other -> Long.bitCount(documents.get(other.getKey()) ^ bits) <= DISTANCE)
                .map(Map.Entry::getValue)
                .toList();
        Set<String> groups = new HashSet<>();
        near.forEach(other -> groups.add(other.group()));
        boolean areAllLookedAt = near.size() < 8;
        boolean isOwn = own != null && before.values().stream().noneMatch(other -> own.equals(other.group()));
        assertNotNull(what, now.group());
        if (groups.contains(own) && own != null && areAllLookedAt) {
            assertEquals(what, own, now.group());
        } else if (near.isEmpty() == false) {
            // One that was stored without a group gives one that its other duplicates may have.
            assertTrue(what, groups.contains(now.group()) || groups.contains(null));
        } else if (isOwn) {
            assertEquals(what, own, now.group());
        } else {
            assertTrue(
                    what,
                    before.values().stream().noneMatch(other -> now.group().equals(other.group())));
        }
        if (now.duplicateOf() != null) {
            assertFalse(what, near.isEmpty());
            assertNotEquals(what, "" + id, now.duplicateOf());
        }
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

    private DeduplicateResponse tag(boolean isHourly) throws IOException {
        DeduplicateResponse response = run(
                "{\"action\":\"tag\",\"linkage\":\"" + (isChain ? "chain" : "survivor") + "\""
                        + (isAll ? ",\"groups\":\"all\"" : "")
                        + (hasSizes ? ",\"size_field\":\"n.copies\"" : "")
                        + (isHourly ? ",\"new_since\":\"last\",\"dest\":{\"index\":\"hourly\"}" : "") + "}",
                Float.POSITIVE_INFINITY,
                between(1, 50));
        assertEquals(response.toString(), RestStatus.OK, response.status());
        return response;
    }

    /** Only some of the requests are written. */
    private void interrupt() throws IOException {
        AtomicInteger left = new AtomicInteger(between(0, 5));
        RequestHook.set(request -> request instanceof BulkRequest bulk
                        && bulk.requests().getFirst().index().equals(INDEX)
                        && left.getAndDecrement() <= 0
                ? failed(bulk, RestStatus.FORBIDDEN)
                : null);
        run(
                "{\"action\":\"tag\",\"linkage\":\"" + (isChain ? "chain" : "survivor") + "\""
                        + (isAll ? ",\"groups\":\"all\"" : "")
                        + (hasSizes ? ",\"size_field\":\"n.copies\"" : "") + "}",
                Float.POSITIVE_INFINITY,
                between(1, 3));
        RequestHook.clear();
        client().admin().indices().prepareRefresh(INDEX).get();
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
        Map<Integer, List<Integer>> stories = new TreeMap<>();
        Set<Integer> free = new HashSet<>(documents.keySet());
        for (int survivor : documents.keySet()) {
            if (free.remove(survivor)) {
                List<Integer> members = new ArrayList<>(List.of(survivor));
                for (int i = 0; i < members.size() && (i == 0 || isChain); i++) {
                    long bits = documents.get(members.get(i));
                    documents.forEach((other, theirs) -> {
                        if (Long.bitCount(bits ^ theirs) <= DISTANCE && free.remove(other)) {
                            members.add(other);
                        }
                    });
                }
                stories.put(survivor, members);
            }
        }
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

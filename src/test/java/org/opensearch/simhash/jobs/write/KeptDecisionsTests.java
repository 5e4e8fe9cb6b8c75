/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.jobs.DeletingTestCase;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.links.PairsAction;

/** The same job again keeps what people decided about groups that did not change, and puts the rest aside. */
public class KeptDecisionsTests extends DeletingTestCase {

    private static final String OPTIONS = "{\"dest\":{\"index\":\"groups\"}}";

    private Map<String, Object> group(String id) {
        return client().prepareGet("groups", id).get().getSourceAsMap();
    }

    private String first() {
        for (String id : ids("groups")) {
            if (((Map<?, ?>) group(id).get("survivor")).get("id").equals("1")) {
                return id;
            }
        }
        throw new AssertionError("no such group");
    }

    private JobResponse run() throws IOException {
        return run(OPTIONS, Float.POSITIVE_INFINITY, 100);
    }

    public void testADecisionStaysWithAGroupThatDidNotChange() throws IOException {
        fill(Settings.EMPTY);
        String before = run().run();
        String id = first();
        client().prepareUpdate("groups", id)
                .setDoc(Map.of("decision", "accepted", "decided_by", "ada"))
                .get();
        JobResponse again = run();
        Map<String, Object> group = group(id);
        assertNotEquals(before, again.run());
        assertEquals(again.run(), group.get("run"));
        assertEquals("accepted", group.get("decision"));
        assertEquals("ada", group.get("decided_by"));
        assertEquals(List.of(), again.warnings());
    }

    public void testADecisionAboutOtherTextsIsPutAside() throws IOException {
        fill(Settings.EMPTY);
        run();
        String id = first();
        client().prepareUpdate("groups", id)
                .setDoc(Map.of("decision", "accepted", "decided_by", "ada"))
                .get();
        client().prepareUpdate(INDEX, "2").setDoc(Map.of("other", 1)).get();
        client().admin().indices().prepareRefresh(INDEX).get();
        String before = run().run();
        assertEquals("the same text", "accepted", group(id).get("decision"));
        put(2, 1);
        client().admin().indices().prepareRefresh(INDEX).get();
        JobResponse again = run();
        Map<String, Object> group = group(id);
        assertNull(group.get("decision"));
        assertEquals(Map.of("decision", "accepted", "decided_by", "ada", "run", before), group.get("earlier_decision"));
        assertEquals(
                "[[dest] has decisions about 1 groups whose documents changed since: kept as [earlier_decision], to be"
                        + " decided again]",
                again.warnings().toString());
        run();
        assertNotNull("it stays there", group(id).get("earlier_decision"));
    }

    public void testADecisionThatIsMadeMeanwhileIsNotOverwritten() throws IOException {
        fill(Settings.EMPTY);
        run();
        String id = first();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> {
            if (bulk.requests().getFirst().index().equals("groups") && isFirst.getAndSet(false)) {
                client().prepareUpdate("groups", id)
                        .setDoc(Map.of("decision", "rejected"))
                        .get();
            }
        });
        JobResponse again = run();
        assertFalse(isFirst.get());
        assertEquals(again.run(), group(id).get("run"));
        assertEquals("rejected", group(id).get("decision"));
        assertEquals(0, again.count("version_conflicts"));
    }

    private void rejectFirst() {
        client().prepareUpdate("groups", first())
                .setDoc(Map.of("decision", "accepted", "rejected", List.of("2")))
                .get();
    }

    private Map<?, ?> tags(String id) {
        Map<?, ?> print = (Map<?, ?>)
                client().prepareGet(INDEX, id).get().getSourceAsMap().get("simhash");
        print.keySet().removeAll(given(0).keySet());
        return print;
    }

    public void testWhatIsRejectedWhileAJobRunsIsNotDeleted() throws IOException {
        fill(Settings.EMPTY);
        run();
        AtomicBoolean isFirst = new AtomicBoolean(true);
        RequestHook.onBulks(bulk -> {
            if (bulk.requests().getFirst().index().equals("groups") && isFirst.getAndSet(false)) {
                rejectFirst();
            }
        });
        JobResponse deleted = run(
                "{\"action\":\"delete\",\"verify\":false,\"archive\":false,\"dest\":{\"index\":\"groups\"}}",
                Float.POSITIVE_INFINITY,
                100);
        assertEquals(deleted.toString(), 1, deleted.count("deleted"));
        assertEquals(Set.of("1", "2", "3"), ids(INDEX));
        assertEquals(
                List.of("1 documents stay as they are: people have rejected them while the job ran"),
                deleted.warnings());
    }

    public void testWhatIsRejectedDuringTheJoinIsNotTagged() throws IOException {
        fill(Settings.EMPTY);
        run();
        AtomicBoolean isJoined = new AtomicBoolean();
        AtomicBoolean isRejected = new AtomicBoolean();
        RequestHook.set(request -> {
            isJoined.compareAndSet(false, request instanceof PairsAction.Request);
            if (isJoined.get() && request instanceof SearchRequest && isRejected.getAndSet(true) == false) {
                rejectFirst();
            }
            return null;
        });
        JobResponse tagged = run("{\"action\":\"tag\",\"dest\":{\"index\":\"groups\"}}", Float.POSITIVE_INFINITY, 100);
        assertTrue(isRejected.get());
        assertEquals(tagged.toString(), 1, tagged.count("tagged"));
        assertEquals(Map.of("apart", List.of("1")), tags("2"));
        assertEquals(Map.of("apart", List.of("2")), tags("1"));
        assertEquals("3", tags("4").get("duplicate_of"));
    }

    public void testAnIndexThatIsThereGetsWhatItDoesNotMapYet() throws IOException {
        fill(Settings.EMPTY);
        client().admin()
                .indices()
                .prepareCreate("groups")
                .setMapping("run", "type=keyword", "members.id", "type=keyword")
                .get();
        run();
        String mapping = client().admin()
                .indices()
                .prepareGetMappings("groups")
                .get()
                .mappings()
                .get("groups")
                .source()
                .toString();
        assertTrue(mapping, mapping.contains("\"decision\":{\"type\":\"keyword\"}"));
        assertTrue(mapping, mapping.contains("\"seq_no\":{\"type\":\"long\",\"index\":false,\"doc_values\":false}"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.index.get.GetResult;
import org.opensearch.simhash.arrivals.lookup.NodeLookups.LookupGate;
import org.opensearch.simhash.arrivals.lookup.StoredDocuments.Asked;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.test.client.NoOpClient;

/** Gets go in parts, and their answers are accounted until they are forgotten. */
public class StoredDocumentsTests extends OpenSearchTestCase {

    private static final BytesArray SOURCE = new BytesArray("{\"content\":\"text\"}");
    private static final long BYTES =
            StoredDocuments.BYTES_PER_DOCUMENT + (long) StoredDocuments.COPIES * SOURCE.length();

    /** Stores every document. */
    private static final class Node extends NoOpClient {

        private final List<List<String>> asked = new ArrayList<>();
        private boolean isRealtime = true;
        private boolean exists = true;

        Node(String name) {
            super(name);
        }

        @Override
        protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                ActionType<Response> action, Request request, ActionListener<Response> listener) {
            List<MultiGetRequest.Item> items =
                    ((MultiGetRequest) request).realtime(isRealtime).getItems();
            asked.add(items.stream()
                    .map(item -> item.id()
                            + Arrays.toString(item.fetchSourceContext().includes()))
                    .toList());
            MultiGetItemResponse[] answers = items.stream()
                    .map(item -> exists
                            ? new GetResult(item.index(), item.id(), 1, 1, 1, true, SOURCE, Map.of(), Map.of())
                            : new GetResult(item.index(), item.id(), -2, 0, -1, false, null, Map.of(), Map.of()))
                    .map(result -> new MultiGetItemResponse(new GetResponse(result), null))
                    .toArray(MultiGetItemResponse[]::new);
            @SuppressWarnings("unchecked") // there are no other requests
            Response response = (Response) new MultiGetResponse(answers);
            listener.onResponse(response);
        }
    }

    private final StoredDocuments originals = new StoredDocuments(this::account);
    private Node node;
    private long limit = Long.MAX_VALUE;
    private long used;

    private void account(long bytes) {
        if (bytes > 0 && used + bytes > limit) {
            throw new CircuitBreakingException("too much", CircuitBreaker.Durability.TRANSIENT);
        }
        used += bytes;
    }

    @Before
    public void start() {
        node = new Node(getTestName());
    }

    @After
    public void nothingIsHeld() {
        originals.close();
        node.close();
        assertEquals(0, used);
    }

    private static DocumentName name(int id) {
        return new DocumentName("docs", "" + id, null);
    }

    private static Asked answered(long number) {
        return new Asked(Set.of(number), Set.of());
    }

    private void fetch() {
        PlainActionFuture<Void> done = PlainActionFuture.newFuture();
        TimeValue timeout = TimeValue.timeValueMinutes(1);
        NodeLookups lookups = new NodeLookups(node, null, new LookupGate(1), () -> timeout, () -> timeout);
        originals.fetch(lookups, new String[] {"print"}, done);
        done.actionGet();
    }

    /** A security plugin turns real-time off for restricted users. */
    public void testWhatAGetThatIsNotRealTimeDoesNotFindIsNotGone() {
        for (boolean isRealtime : List.of(true, false)) {
            node.isRealtime = isRealtime;
            node.exists = false;
            DocumentName name = name(isRealtime ? 1 : 2);
            originals.want(name, Asked.NOTHING);
            fetch();
            assertEquals(isRealtime, originals.isMissing(name));
        }
    }

    public void testManyAreGotInParts() {
        int count = 2 * StoredDocuments.AT_ONCE + 7;
        for (int i = 0; i < count; i++) {
            originals.want(name(i), Asked.NOTHING);
        }
        fetch();
        assertEquals(
                List.of(StoredDocuments.AT_ONCE, StoredDocuments.AT_ONCE, 7),
                node.asked.stream().map(List::size).toList());
        assertEquals(count * BYTES, used);
        for (int i = 0; i < count; i++) {
            assertEquals(Map.of("content", "text"), originals.source(name(i)));
        }
        originals.keepOnly(Stream.of(name(3), name(count - 1)));
        assertEquals(2 * BYTES, used);
        assertNull(originals.source(name(4)));
        assertNotNull(originals.source(name(3)));
    }

    public void testWhatWasForgottenIsGotAgain() {
        originals.want(name(1), answered(5));
        originals.want(name(1), answered(6));
        fetch();
        assertTrue("since before it was asked for", originals.isSettled(name(1), 5));
        assertFalse(originals.isSettled(name(1), 6));
        originals.want(name(1), answered(6));
        assertTrue(originals.wantsNothing());
        originals.forget(name(1));
        assertEquals(0, used);
        originals.want(name(1), answered(6));
        fetch();
        assertTrue(originals.isSettled(name(1), 6));
        assertEquals(List.of(List.of("1[print]"), List.of("1[print]")), node.asked);
    }

    /** A bulk may take longer than its entries stay in the window. */
    public void testWritesThatWereOpenBeforeAChangeStayOpenUntilTheyAreAnswered() {
        originals.want(name(1), new Asked(Set.of(), Set.of(3L, 4L, 5L)));
        fetch();
        originals.forgetChanged(name(1));
        originals.want(name(1), new Asked(Set.of(4L), Set.of(6L)));
        fetch();
        assertEquals(Set.of(3L, 5L, 6L), originals.open(name(1)));
        originals.forgetChanged(name(1));
        originals.want(name(1), answered(5));
        fetch();
        assertEquals(Set.of(3L, 6L), originals.open(name(1)));
        assertTrue(originals.isSettled(name(1), 5));
    }

    public void testWhatTakesTooMuchMemoryIsNotKept() {
        limit = (StoredDocuments.AT_ONCE + 1) * BYTES;
        for (int i = 0; i < 3 * StoredDocuments.AT_ONCE; i++) {
            originals.want(name(i), Asked.NOTHING);
        }
        assertThrows(CircuitBreakingException.class, this::fetch);
        assertEquals("no more is asked for", 2, node.asked.size());
        assertTrue("nor later", originals.wantsNothing());
        assertEquals(limit, used);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.test.OpenSearchTestCase;

public class BulkChangesTests extends OpenSearchTestCase {

    private static final DocumentName X = new DocumentName("docs", "X", null);

    private final LookupScopes scopes = new LookupScopes(
            ClusterState.builder(new ClusterName("test")).build(),
            new IndexNameExpressionResolver(new ThreadContext(Settings.EMPTY)),
            new Archives(),
            List.of());

    private static IndexRequest index(String index) {
        return new IndexRequest(index).id("X").source("content", "text");
    }

    private static UpdateRequest upsert(String index) {
        return new UpdateRequest(index, "X").upsert("content", "text");
    }

    public void testCountsByKindAndIndex() {
        BulkChanges changes = BulkChanges.of(new BulkRequest()
                .add(index("docs"))
                .add(index("docs"))
                .add(index("docs").create(true))
                .add(index("other"))
                .add(new DeleteRequest("docs", "Y")));
        assertEquals(2, changes.count(X, scopes, OpType.INDEX));
        assertEquals(1, changes.count(X, scopes, OpType.CREATE));
        assertEquals(0, changes.count(X, scopes, OpType.UPDATE));
        assertFalse(changes.touches(X, scopes));
        assertFalse(changes.updates(X, scopes));
        assertTrue(changes.touches(new DocumentName("docs", "Y", null), scopes));
        assertFalse(changes.touches(new DocumentName("other", "Y", null), scopes));
    }

    public void testTheLastItemDecidesWhetherADocumentIsDeleted() {
        BulkRequest bulk = new BulkRequest().add(index("docs")).add(new DeleteRequest("docs", "X"));
        assertTrue(BulkChanges.of(bulk).endsWithoutIt(X, scopes));
        assertTrue(BulkChanges.of(bulk.add(index("other"))).endsWithoutIt(X, scopes));
        assertFalse(BulkChanges.of(bulk).endsWithoutIt(new DocumentName("docs", "X", "routing"), scopes));
        assertFalse(BulkChanges.of(bulk.add(index("docs"))).endsWithoutIt(X, scopes));
        bulk.add(new DeleteRequest("docs", "X").setIfSeqNo(1).setIfPrimaryTerm(1));
        assertFalse("it may not be deleted", BulkChanges.of(bulk).endsWithoutIt(X, scopes));
    }

    public void testAnUpdateOfAnotherIndexMayBecomeThisDocument() {
        BulkRequest bulk = new BulkRequest().add(upsert("other").routing("here"));
        assertTrue(BulkChanges.of(bulk).updates(X, scopes));
        assertEquals(X, BulkChanges.of(bulk).routed(X, scopes));
        assertFalse("this one is", BulkChanges.of(bulk.add(index("docs"))).updates(X, scopes));
        BulkChanges own = BulkChanges.of(bulk.add(upsert("docs").routing("there")));
        assertTrue(own.updates(X, scopes));
        assertEquals("there", own.routed(X, scopes).routing());
    }

    /** Each document with the id would walk through all of them. */
    public void testAnIdInManyIndicesIsNotToldApart() {
        BulkRequest bulk = new BulkRequest().add(index("docs"));
        for (int i = 1; i < BulkChanges.MOST_INDICES; i++) {
            bulk.add(new DeleteRequest("index-" + i, "X"));
        }
        assertFalse(BulkChanges.of(bulk).touches(X, scopes));
        bulk.add(new DeleteRequest("index-1", "X")).add(new DeleteRequest("one-more", "Y"));
        assertFalse(BulkChanges.of(bulk).touches(X, scopes));
        assertTrue(BulkChanges.of(bulk.add(new DeleteRequest("one-more", "X"))).touches(X, scopes));
    }

    /** Each document asks for all items of its id. Without counts that takes a minute. */
    public void testManyItemsOfOneId() {
        int items = 10_000;
        BulkRequest bulk = new BulkRequest();
        for (int i = 0; i < items; i++) {
            bulk.add(index("docs"));
        }
        BulkChanges changes = BulkChanges.of(bulk);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime(); // not the clock, which others of a busy machine take
        for (int i = 0; i < items; i++) {
            assertFalse(changes.updates(X, scopes));
            assertFalse(changes.touches(X, scopes));
            assertEquals(items, changes.count(X, scopes, OpType.INDEX));
        }
        long millis = (threads.getCurrentThreadCpuTime() - began) / 1_000_000;
        assertTrue("took " + millis + " ms", millis < 2_000 || Rounds.NIGHT == false);
    }
}

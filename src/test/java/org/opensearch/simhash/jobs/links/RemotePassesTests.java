/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.job.TestTask;
import org.opensearch.simhash.jobs.links.Passes.RemotePasses;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.tasks.TaskManager;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.FilterClient;

/** A job on another node sees what its passes do here, and ends them. */
public class RemotePassesTests extends OpenSearchSingleNodeTestCase {

    private final TaskId job = new TaskId("another-node", 7);
    private final JobTask task = TestTask.create();

    private final List<Runnable> onExit = new ArrayList<>();

    private PointInTime pointInTime;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        createIndex("docs");
        pointInTime = PointInTime.open(
                new String[] {"docs"},
                IndicesOptions.strictExpandOpen(),
                client(),
                getInstanceFromNode(NamedWriteableRegistry.class),
                getInstanceFromNode(ClusterService.class),
                new Retries(() -> {}));
        onExit.add(() -> pointInTime.close());
    }

    private JobTask register(TaskId parent) {
        TaskManager tasks = getInstanceFromNode(TransportService.class).getTaskManager();
        PairsAction.Request request = request();
        request.setParentTask(parent);
        JobTask pass = (JobTask) tasks.register("transport", PairsAction.NAME, request);
        onExit.add(() -> tasks.unregister(pass));
        return pass;
    }

    private PairsAction.Request request() {
        PairsAction.Pass wanted = new PairsAction.Pass(
                pointInTime.id(),
                QueryBuilders.matchAllQuery(),
                null,
                "simhash",
                List.of(),
                3,
                null,
                1,
                Chunks.WHOLE,
                Wanted.ALL);
        return new PairsAction.Request(pointInTime.indices(), wanted);
    }

    @Override
    public void tearDown() throws Exception {
        onExit.forEach(Runnable::run);
        super.tearDown();
    }

    public void testShowsWhatPassesOnOtherNodesDo() throws Exception {
        RemotePasses passes = new RemotePasses(client(), job, task);
        JobTask first = register(job);
        JobTask second = register(job);
        JobTask another = register(new TaskId("another-node", 8));
        task.enter(Phase.SCAN, 1);
        first.enter(Phase.JOIN, 0);
        first.read(100);
        first.compared(1_000);
        second.enter(Phase.SCAN, 0);
        second.read(10);
        another.read(1);
        assertShown(passes, "scan", 110, 1_000);
        second.pass(Phase.JOIN);
        second.compared(5);
        assertShown(passes, "join", 110, 1_005);
    }

    public void testWhatAnEndedPassDidStaysShown() {
        task.remote(110, 1_005, true);
        task.remoteEnded(100, 1_000);
        task.remote(10, 5, true);
        assertEquals(110, task.getStatus().read());
        assertEquals(1_005, task.getStatus().compared());
    }

    /** Each refusal was a line in the log of a security plugin, twice a second. */
    public void testAsksNoMoreWhereItMayNot() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Client forbidding = new FilterClient(client()) {
            @Override
            protected <Request extends ActionRequest, Response extends ActionResponse> void doExecute(
                    ActionType<Response> action, Request request, ActionListener<Response> listener) {
                asked.incrementAndGet();
                listener.onFailure(new OpenSearchStatusException("no permissions", RestStatus.FORBIDDEN));
            }
        };
        RemotePasses passes = new RemotePasses(forbidding, job, task);
        assertBusy(() -> {
            passes.look();
            assertEquals(1, asked.get());
        });
        assertFalse("longer than between two questions", new CountDownLatch(1).await(600, TimeUnit.MILLISECONDS));
        passes.look();
        assertEquals(1, asked.get());
    }

    private void assertShown(RemotePasses passes, String phase, long read, long compared) throws Exception {
        assertBusy(() -> {
            passes.look();
            JobStatus status = task.getStatus();
            assertEquals(phase, status.phase());
            assertEquals(read, status.read());
            assertEquals(compared, status.compared());
        });
    }

    public void testANodeThatLeftIsUnavailable() {
        DiscoveryNode left = new DiscoveryNode("left", buildNewFakeTransportAddress(), Version.CURRENT);
        Passes passes = new Passes(getInstanceFromNode(TransportService.class), client(), task);
        try (Account memory = new Account(bytes -> {})) {
            Exception e = expectThrows(
                    OpenSearchStatusException.class,
                    () -> passes.run(
                            List.of(Chunks.WHOLE), List.of(left), Wanted.ALL, memory, (pass, wanted) -> request()));
            assertEquals(RestStatus.SERVICE_UNAVAILABLE, ExceptionsHelper.status(e));
        }
    }

    public void testEndsPassesOfItsJobOnly() throws Exception {
        JobTask mine = register(job);
        JobTask another = register(new TaskId("another-node", 8));
        new RemotePasses(client(), job, task).cancel("the job failed");
        assertBusy(() -> assertTrue(mine.isCancelled()));
        expectThrows(RuntimeException.class, () -> mine.read(1));
        assertFalse(another.isCancelled());
    }
}

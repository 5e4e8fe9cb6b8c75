/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.deduplicate.job.DeduplicateTask;
import org.opensearch.simhash.deduplicate.job.JobStatus;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.job.TestTask;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.tasks.TaskManager;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.TransportService;

/** A job on another node sees what its passes do here, and ends them. */
public class RemotePassesTests extends OpenSearchSingleNodeTestCase {

    private final TaskId job = new TaskId("another-node", 7);
    private final DeduplicateTask task = TestTask.create();

    private final List<Runnable> onExit = new ArrayList<>();

    private PassTask register(TaskId parent) {
        TaskManager tasks = getInstanceFromNode(TransportService.class).getTaskManager();
        PairsAction.Request request = new PairsAction.Request(
                "", QueryBuilders.matchAllQuery(), "simhash", List.of(), 3, 1, Chunks.WHOLE, Wanted.ALL);
        request.setParentTask(parent);
        PassTask pass = (PassTask) tasks.register("transport", PairsAction.NAME, request);
        onExit.add(() -> tasks.unregister(pass));
        return pass;
    }

    @Override
    public void tearDown() throws Exception {
        onExit.forEach(Runnable::run);
        super.tearDown();
    }

    public void testShowsWhatPassesOnOtherNodesDo() throws Exception {
        RemotePasses passes = new RemotePasses(client(), job, task);
        PassTask first = register(job);
        PassTask second = register(job);
        PassTask another = register(new TaskId("another-node", 8));
        task.enter(Phase.SCAN, 1);
        first.enter(Phase.JOIN);
        first.read(100);
        first.compared(1_000);
        second.enter(Phase.SCAN);
        second.read(10);
        another.read(1);
        assertShown(passes, "scan", 110, 1_000);
        second.enter(Phase.JOIN);
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

    private void assertShown(RemotePasses passes, String phase, long read, long compared) throws Exception {
        assertBusy(() -> {
            passes.look();
            JobStatus status = task.getStatus();
            assertEquals(phase, status.phase());
            assertEquals(read, status.read());
            assertEquals(compared, status.compared());
        });
    }

    public void testEndsPassesOfItsJobOnly() throws Exception {
        PassTask mine = register(job);
        PassTask another = register(new TaskId("another-node", 8));
        new RemotePasses(client(), job, task).cancel("the job failed");
        assertBusy(() -> assertTrue(mine.isCancelled()));
        expectThrows(RuntimeException.class, () -> mine.read(1));
        assertFalse(another.isCancelled());
    }
}

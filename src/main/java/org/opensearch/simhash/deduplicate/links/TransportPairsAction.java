/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.UncheckedIOException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.DeduplicateThreads;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.JoinRows;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.scan.FingerprintPages;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.memory.Account;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Runs a pass on this node, on a thread of its own. The searches of its scan are children of its task. */
public final class TransportPairsAction extends HandledTransportAction<PairsAction.Request, PairsAction.Response> {

    private final JobServices services;

    @Inject
    public TransportPairsAction(JobServices services, ActionFilters filters) {
        super(PairsAction.NAME, services.transport(), filters, PairsAction.Request::new);
        this.services = services;
    }

    @Override
    protected void doExecute(Task task, PairsAction.Request request, ActionListener<PairsAction.Response> listener) {
        Account answer = new Account(services.memory());
        services.transport()
                .getThreadPool()
                .executor(DeduplicateThreads.PASS)
                .execute(ActionRunnable.supply(
                        ActionListener.runAfter(listener, answer::close), () -> run((PassTask) task, request, answer)));
    }

    /** @param answer accounts for the result until it is sent */
    private PairsAction.Response run(PassTask task, PairsAction.Request request, Account answer) {
        PairsAction.Pass pass = request.pass();
        Watch watch = new Watch(task, job(task));
        TaskId self = new TaskId(services.transport().getLocalNode().getId(), task.getId());
        PointInTime pointInTime = new PointInTime(
                pass.pointInTime(),
                new ParentTaskAssigningClient(services.client(), self),
                services.registry(),
                new Retries(task::ensureNotCancelled));
        request.requirePermitted(pointInTime.indices());
        FingerprintPages scan =
                new FingerprintPages(pointInTime, pass.field(), pass.same(), pass.chunks(), pass.wanted());
        long start = System.nanoTime();
        long scanned;
        NearJoin.Found found;
        try (JoinRows rows = services.memory().rowsFor(pass.expectedRows(), services.disk())) {
            watch.enter(Phase.SCAN);
            scan.read(pass.query(), null, rows, watch::read);
            scanned = System.nanoTime();
            watch.enter(Phase.JOIN);
            NearJoin join = DeduplicateThreads.join(
                    services.transport().getThreadPool(),
                    pass.distance(),
                    services.memory().allowance(),
                    watch::compared);
            found = join.join(rows, pass.chunks(), pass.wanted());
        } catch (UncheckedIOException e) {
            // As when there is no room at the start: another node may have some.
            throw (RuntimeException) new OpenSearchRejectedExecutionException(e.getMessage()).initCause(e);
        }
        if (isOfThisNode(task) == false) { // else the job accounts for it
            answer.take(found.cliques().bytes());
        }
        return new PairsAction.Response(found, PassCounts.of(scan, task.compared(), start, scanned));
    }

    /** The job, if it is on this node; the pass updates its status. */
    private JobTask job(Task task) {
        long parent = task.getParentTaskId().getId();
        return isOfThisNode(task) && services.transport().getTaskManager().getTask(parent) instanceof JobTask job
                ? job
                : null;
    }

    private boolean isOfThisNode(Task task) {
        String here = services.transport().getLocalNode().getId();
        return task.getParentTaskId().getNodeId().equals(here);
    }

    /** Reports progress to the pass, which checks for cancellation, and to the job. */
    private record Watch(PassTask task, JobTask job) {

        void enter(Phase phase) {
            task.enter(phase);
            if (job != null) {
                job.pass(phase);
            }
        }

        void read(long documents) {
            task.read(documents);
            if (job != null) {
                job.read(documents);
            }
        }

        void compared(long pairs) {
            task.compared(pairs);
            if (job != null) {
                job.compared(pairs);
            }
        }
    }
}

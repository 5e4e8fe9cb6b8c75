/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.admin.cluster.node.tasks.cancel.CancelTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksRequest;
import org.opensearch.action.admin.cluster.node.tasks.list.ListTasksResponse;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.NearJoin.MergedJoins;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries.Rejections;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Runs the passes of a job on several nodes, one per node at a time, and merges the results. A node without room gets a
 * pass only if no other node has room. Blocks its one thread.
 */
final class Passes {

    private static final long CHECK_MILLIS = 200;
    private static final Logger LOGGER = LogManager.getLogger(Passes.class);

    private final TransportService transportService;
    private final JobTask task;
    private final RemotePasses remote;
    /** Nodes that rejected a pass and have finished none since. */
    private final Set<DiscoveryNode> withoutRoom = new HashSet<>();

    private int count;
    private PassCounts counts = PassCounts.NONE;

    /** @param client lists and cancels tasks */
    Passes(TransportService transportService, Client client, JobTask task) {
        this.transportService = transportService;
        this.task = task;
        TaskId job = new TaskId(transportService.getLocalNode().getId(), task.getId());
        this.remote = new RemotePasses(client, job, task);
    }

    NearJoin.Joined run(
            List<Chunks> passes,
            List<DiscoveryNode> nodes,
            Wanted wanted,
            Account memory,
            BiFunction<Chunks, Wanted, PairsAction.Request> request) {
        try (EndedPasses ended = new EndedPasses(memory)) {
            return merge(passes, nodes, wanted, memory, request, ended);
        } catch (RuntimeException e) {
            // Cancelling the job cancels them already.
            if (task.isCancelled() == false) {
                remote.cancel("the job failed");
            }
            throw e;
        } finally {
            remote.end();
        }
    }

    private NearJoin.Joined merge(
            List<Chunks> passes,
            List<DiscoveryNode> nodes,
            Wanted wanted,
            Account memory,
            BiFunction<Chunks, Wanted, PairsAction.Request> request,
            EndedPasses ended) {
        boolean isHere = nodes.equals(List.of(transportService.getLocalNode()));
        Deque<Chunks> waiting = new ArrayDeque<>(passes);
        Deque<DiscoveryNode> free = new ArrayDeque<>(nodes);
        free.removeAll(withoutRoom);
        Deque<DiscoveryNode> lastResort = new ArrayDeque<>(nodes);
        lastResort.removeAll(free);
        MergedJoins merged = new MergedJoins(wanted, memory);
        for (int running = 0; running > 0 || waiting.isEmpty() == false; ) {
            if (running == 0 && free.isEmpty()) {
                free.addAll(lastResort);
                lastResort.clear();
            }
            while (waiting.isEmpty() == false && free.isEmpty() == false) {
                send(free.remove(), request.apply(waiting.remove(), wanted.atMost(merged.room())), ended);
                running++;
            }
            EndedPasses.Ended next = await(ended, isHere);
            running--;
            if (next.failure() != null) {
                boolean isLast = running == 0 && free.isEmpty() && lastResort.isEmpty();
                // This node sizes the passes, and another node may have less room.
                boolean isForOthers = next.isOfNode() && Rejections.isOne(next.failure());
                if (isForOthers == false || isLast) {
                    throw next.failure();
                }
                withoutRoom.add(next.node());
                LOGGER.info("no room for a pass on " + next.node() + ": other nodes do the passes", next.failure());
                waiting.addFirst(next.pass());
                continue;
            }
            free.add(next.node());
            withoutRoom.remove(next.node());
            add(next.response().counts());
            count++;
            if (next.node().equals(transportService.getLocalNode()) == false) {
                PassCounts remotely = next.response().counts();
                task.remoteEnded(remotely.documents(), remotely.compared());
            }
            NearJoin.Joined found = next.response().found();
            if (passes.size() == 1) {
                memory.take(found.cliques().bytes());
                return found;
            }
            merged.add(found);
        }
        return merged.build();
    }

    private EndedPasses.Ended await(EndedPasses passes, boolean isHere) {
        try {
            while (true) {
                task.ensureNotCancelled();
                if (isHere == false) {
                    remote.look();
                }
                EndedPasses.Ended next = passes.poll(CHECK_MILLIS);
                if (next != null) {
                    return next;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OpenSearchException("interrupted", e);
        }
    }

    private void send(DiscoveryNode node, PairsAction.Request request, EndedPasses ended) {
        task.pass(Phase.SCAN);
        Chunks pass = request.pass().chunks();
        ActionListener<PairsAction.Response> listener = ActionListener.wrap(
                response -> ended.add(node, pass, response),
                e -> ended.fail(node, pass, PointInTime.asUnavailable(ExceptionsHelper.convertToRuntime(cause(e)))));
        transportService.sendChildRequest(
                node,
                PairsAction.NAME,
                request,
                task,
                TransportRequestOptions.EMPTY,
                new ActionListenerResponseHandler<>(listener, PairsAction.Response::new));
    }

    private static Exception cause(Exception e) {
        return ExceptionsHelper.unwrapCause(e) instanceof Exception cause ? cause : e;
    }

    /** Adds work that was done outside the passes. */
    void add(PassCounts more) {
        counts = counts.and(more);
    }

    int count() {
        return count;
    }

    PassCounts counts() {
        return counts;
    }

    /** A queue of finished passes. It accounts for their results, because many nodes may answer at once. Thread-safe. */
    private static final class EndedPasses implements AutoCloseable {

        private final BlockingQueue<Ended> queue = new LinkedBlockingQueue<>();
        private final Account memory;
        private boolean isClosed;

        EndedPasses(LongConsumer memory) {
            this.memory = new Account(memory);
        }

        /** @param isOfNode whether the node failed, so that another one may succeed */
        record Ended(
                DiscoveryNode node,
                Chunks pass,
                PairsAction.Response response,
                RuntimeException failure,
                boolean isOfNode) {}

        synchronized void add(DiscoveryNode node, Chunks pass, PairsAction.Response response) {
            if (isClosed) {
                return;
            }
            try {
                memory.take(response.found().cliques().bytes());
                queue.add(new Ended(node, pass, response, null, false));
            } catch (RuntimeException e) {
                queue.add(new Ended(node, pass, null, e, false));
            }
        }

        void fail(DiscoveryNode node, Chunks pass, RuntimeException failure) {
            queue.add(new Ended(node, pass, null, failure, true));
        }

        /** The next pass, for whose result the caller now accounts; null after the time. */
        Ended poll(long millis) throws InterruptedException {
            EndedPasses.Ended next = queue.poll(millis, TimeUnit.MILLISECONDS);
            if (next != null && next.response != null) {
                memory.give(next.response.found().cliques().bytes());
            }
            return next;
        }

        /** Ignores passes that still run. */
        @Override
        public synchronized void close() {
            isClosed = true;
            memory.close();
        }
    }

    /** Follows the passes on other nodes by their tasks, for the job's status only. If the caller may not list tasks, the status shows less. */
    static final class RemotePasses {

        private static final Logger LOGGER = LogManager.getLogger(RemotePasses.class);
        private static final long PAUSE_NANOS = 500_000_000;

        private final Client client;
        private final TaskId job;
        private final JobTask task;
        private volatile boolean isAsking;
        private volatile boolean isForbidden;
        private final AtomicInteger round = new AtomicInteger();
        private long lastAsked = System.nanoTime();

        RemotePasses(Client client, TaskId job, JobTask task) {
            this.client = client;
            this.job = job;
            this.task = task;
        }

        /** Asks for their progress from time to time, without waiting. Called by one thread. */
        void look() {
            if (isForbidden || isAsking || System.nanoTime() - lastAsked < PAUSE_NANOS) {
                return;
            }
            isAsking = true;
            lastAsked = System.nanoTime();
            int asked = round.get();
            ListTasksRequest request = new ListTasksRequest()
                    .setParentTaskId(job)
                    .setActions(PairsAction.NAME)
                    .setDetailed(true);
            client.admin()
                    .cluster()
                    .listTasks(
                            request,
                            ActionListener.runAfter(
                                    ActionListener.wrap(response -> show(response, asked), this::notListed),
                                    () -> isAsking = false));
        }

        private void notListed(Exception e) {
            LOGGER.debug("passes not listed", e);
            // Each refusal would be a line in the audit log.
            isForbidden |= ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)) == RestStatus.FORBIDDEN;
        }

        /** No pass runs any more. A late answer is ignored. */
        void end() {
            round.incrementAndGet();
            task.remote(0, 0, false);
        }

        private void show(ListTasksResponse response, int asked) {
            if (asked != round.get()) {
                return;
            }
            List<JobStatus> remote = new ArrayList<>();
            boolean allJoin = true;
            for (TaskInfo pass : response.getTasks()) {
                if (pass.getStatus() instanceof JobStatus status) {
                    allJoin &= status.phase().equals(Phase.JOIN.toString());
                    if (pass.getTaskId().getNodeId().equals(job.getNodeId()) == false) {
                        remote.add(status);
                    }
                }
            }
            task.remote(
                    remote.stream().mapToLong(JobStatus::read).sum(),
                    remote.stream().mapToLong(JobStatus::compared).sum(),
                    allJoin && remote.isEmpty() == false);
        }

        void cancel(String reason) {
            CancelTasksRequest request = new CancelTasksRequest();
            request.setParentTaskId(job).setActions(PairsAction.NAME);
            request.setReason(reason);
            client.admin()
                    .cluster()
                    .cancelTasks(
                            request, ActionListener.wrap(ended -> {}, e -> LOGGER.debug("passes not cancelled", e)));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import org.opensearch.OpenSearchException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.job.DeduplicateTask;
import org.opensearch.simhash.deduplicate.job.Phase;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.MergedJoins;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.memory.Account;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportResponseHandler;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * The passes of a job, spread over nodes: each node has one at a time, and gets the next when it is done. Puts what they found
 * together. One thread, which waits.
 */
final class Passes {

    private static final long CHECK_MILLIS = 200;

    private final TransportService transportService;
    private final DeduplicateTask task;
    private final RemotePasses remote;
    private int count;
    private PassCounts counts = PassCounts.NONE;

    /** @param client lists and cancels tasks */
    Passes(TransportService transportService, Client client, DeduplicateTask task) {
        this.transportService = transportService;
        this.task = task;
        TaskId job = new TaskId(transportService.getLocalNode().getId(), task.getId());
        this.remote = new RemotePasses(client, job, task);
    }

    /**
     * Runs the passes.
     *
     * @param wanted of all of them together
     * @param memory pays for the answer
     * @param request for a pair of chunks, and what is wanted of it
     */
    NearJoin.Found run(
            List<Chunks> passes,
            List<DiscoveryNode> nodes,
            Wanted wanted,
            Account memory,
            BiFunction<Chunks, Wanted, PairsAction.Request> request) {
        try (EndedPasses ended = new EndedPasses(memory)) {
            return merge(passes, nodes, wanted, memory, request, ended);
        } catch (RuntimeException e) {
            // Of a job that was cancelled, they are cancelled already.
            if (task.isCancelled() == false) {
                remote.cancel("the job failed");
            }
            throw e;
        } finally {
            remote.end();
        }
    }

    private NearJoin.Found merge(
            List<Chunks> passes,
            List<DiscoveryNode> nodes,
            Wanted wanted,
            Account memory,
            BiFunction<Chunks, Wanted, PairsAction.Request> request,
            EndedPasses ended) {
        boolean isHere = nodes.equals(List.of(transportService.getLocalNode()));
        Deque<Chunks> waiting = new ArrayDeque<>(passes);
        MergedJoins merged = new MergedJoins(wanted, memory);
        for (DiscoveryNode node : nodes) {
            if (waiting.isEmpty() == false) {
                send(node, request.apply(waiting.remove(), wanted), ended);
            }
        }
        for (int i = 0; i < passes.size(); i++) {
            EndedPasses.Ended next = await(ended, isHere);
            if (next.failure() != null) {
                throw next.failure() instanceof RuntimeException failure
                        ? failure
                        : new OpenSearchException("a pass failed", next.failure());
            }
            add(next.response());
            if (next.node().equals(transportService.getLocalNode()) == false) {
                PassCounts remotely = next.response().counts();
                task.remoteEnded(remotely.documents(), remotely.compared());
            }
            NearJoin.Found found = next.response().found();
            if (passes.size() == 1) {
                memory.take(found.cliques().bytes());
                return found;
            }
            merged.add(found);
            if (waiting.isEmpty() == false) {
                send(next.node(), request.apply(waiting.remove(), wanted.atMost(merged.room())), ended);
            }
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
        transportService.sendChildRequest(
                node,
                PairsAction.NAME,
                request,
                task,
                TransportRequestOptions.EMPTY,
                new TransportResponseHandler<PairsAction.Response>() {
                    @Override
                    public PairsAction.Response read(StreamInput in) throws IOException {
                        return new PairsAction.Response(in);
                    }

                    @Override
                    public void handleResponse(PairsAction.Response response) {
                        ended.add(node, response);
                    }

                    @Override
                    public void handleException(TransportException e) {
                        ended.fail(node, e.unwrapCause() instanceof Exception cause ? cause : e);
                    }

                    @Override
                    public String executor() {
                        return ThreadPool.Names.SAME;
                    }
                });
    }

    void add(PairsAction.Response response) {
        count++;
        counts = counts.and(response.counts());
    }

    /** How many passes there were. */
    int count() {
        return count;
    }

    PassCounts counts() {
        return counts;
    }
}

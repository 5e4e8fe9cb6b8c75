/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.opensearch.OpenSearchException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.NearJoin;
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

    private record Ended(DiscoveryNode node, PairsAction.Response response, Exception failure) {}

    private final TransportService transportService;
    private final DeduplicateTask task;
    private final RemotePasses remote;
    private final Account memory;
    private int count;
    private PassCounts counts = PassCounts.NONE;

    /** @param client lists and cancels tasks */
    Passes(TransportService transportService, Client client, DeduplicateTask task, Account memory) {
        this.transportService = transportService;
        this.task = task;
        TaskId job = new TaskId(transportService.getLocalNode().getId(), task.getId());
        this.remote = new RemotePasses(client, job, task);
        this.memory = memory;
    }

    /**
     * Runs the passes.
     *
     * @param request for a pair of chunks
     */
    NearJoin.Found run(List<Chunks> passes, List<DiscoveryNode> nodes, Function<Chunks, PairsAction.Request> request) {
        Deque<Chunks> waiting = new ArrayDeque<>(passes);
        BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
        List<PairsAction.Response> responses = new ArrayList<>();
        for (DiscoveryNode node : nodes) {
            if (waiting.isEmpty() == false) {
                send(node, request.apply(waiting.remove()), ended);
            }
        }
        while (responses.size() < passes.size()) {
            Ended next = await(ended);
            if (next.failure != null) {
                remote.cancel("another pass failed");
                throw next.failure instanceof RuntimeException failure
                        ? failure
                        : new OpenSearchException("a pass failed", next.failure);
            }
            responses.add(next.response);
            task.step(1);
            if (next.node.equals(transportService.getLocalNode()) == false) {
                PassCounts remotely = next.response.counts();
                task.remoteEnded(remotely.documents(), remotely.compared());
            }
            if (waiting.isEmpty() == false) {
                send(next.node, request.apply(waiting.remove()), ended);
            }
        }
        responses.forEach(this::add);
        Cliques cliques = responses.size() == 1 ? responses.getFirst().found().cliques() : merge(responses);
        long pairs = responses.stream()
                .mapToLong(response -> response.found().pairs())
                .sum();
        boolean tooMany =
                responses.stream().anyMatch(response -> response.found().tooMany());
        return new NearJoin.Found(cliques, pairs, tooMany);
    }

    private Ended await(BlockingQueue<Ended> queue) {
        try {
            while (true) {
                task.ensureNotCancelled();
                remote.look();
                Ended next = queue.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    return next;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OpenSearchException("interrupted", e);
        }
    }

    private void send(DiscoveryNode node, PairsAction.Request request, BlockingQueue<Ended> ended) {
        ActionListener<PairsAction.Response> listener = ActionListener.wrap(
                response -> ended.add(new Ended(node, response, null)),
                failure -> ended.add(new Ended(node, null, failure)));
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
                        listener.onResponse(response);
                    }

                    @Override
                    public void handleException(TransportException e) {
                        listener.onFailure(e.unwrapCause() instanceof Exception cause ? cause : e);
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

    private record Key(long first, long bits) {}

    private Cliques merge(List<PairsAction.Response> responses) {
        Cliques.Builder merged = new Cliques.Builder(memory);
        Map<Key, Integer> known = new HashMap<>();
        for (PairsAction.Response response : responses) {
            Cliques cliques = response.found().cliques();
            int[] positions = new int[cliques.size()];
            for (int i = 0; i < positions.length; i++) {
                if (cliques.equalTexts()[i]) {
                    // Of a digest that is in three chunks, each pair of chunks knows a part.
                    positions[i] = merged.addEqualTexts(cliques.members(i));
                    continue;
                }
                Key key = new Key(cliques.addresses()[cliques.starts()[i]], cliques.bits()[i]);
                Integer position = known.get(key);
                if (position == null) {
                    position = merged.add(cliques.members(i), cliques.bits()[i]);
                    known.put(key, position);
                }
                positions[i] = position;
            }
            cliques.links().forEach((a, b, distance) -> merged.link(positions[a], positions[b], distance));
        }
        return merged.build();
    }

    /** How many passes there were. */
    int count() {
        return count;
    }

    PassCounts counts() {
        return counts;
    }
}

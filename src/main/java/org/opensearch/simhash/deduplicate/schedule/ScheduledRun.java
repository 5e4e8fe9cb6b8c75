/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.admin.indices.refresh.RefreshResponse;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.durable.Checkpoints;
import org.opensearch.transport.client.Client;

/** A run that has taken the document of its {@code dest}, until it is completed or given up. One thread, which waits. */
public final class ScheduledRun {

    /** Where others take the document at the same time. */
    private static final int TRIES = 10;

    private static final Logger LOGGER = LogManager.getLogger(ScheduledRun.class);

    private final Client client;
    private final String run;
    private final long at = System.currentTimeMillis();
    private final Map<ShardId, Long> seen = new HashMap<>();
    private RunDocument document;

    private ScheduledRun(Client client, String run, RunDocument document) {
        this.client = client;
        this.run = run;
        this.document = document;
    }

    /**
     * Fails with HTTP 409 when another run is at work. What else is wrong the run itself will say.
     *
     * @param dest a name that need not be there yet
     */
    public static void requireFree(Client client, String dest, ActionListener<Void> listener) {
        RunDocument.read(
                client,
                dest,
                ActionListener.wrap(
                        document -> document.requireFree(client, listener), e -> listener.onResponse(null)));
    }

    /**
     * Takes the document.
     *
     * @param client not one of the task, which may be cancelled: the document is given back all the same
     * @param dest the index, which is there
     * @param task of the run
     * @throws org.opensearch.OpenSearchStatusException with HTTP 409 when another run is at work
     */
    public static ScheduledRun begin(Client client, String dest, TaskId task, String run) {
        for (int tries = TRIES; ; tries--) {
            PlainActionFuture<RunDocument> read = new PlainActionFuture<>();
            RunDocument.read(client, dest, read);
            RunDocument document = read.actionGet();
            PlainActionFuture<Void> free = new PlainActionFuture<>();
            document.requireFree(client, free);
            free.actionGet();
            try {
                RunDocument taken = document.store(client, new RunDocument.Running(task, run), document.last());
                return new ScheduledRun(client, run, taken);
            } catch (VersionConflictEngineException e) {
                if (tries == 1) {
                    throw e;
                }
            }
        }
    }

    /** The last run that was completed; null before the first. */
    public LastRun last() {
        return document.last();
    }

    /**
     * Notes what there is at the moment, and shows it: what is read from now on, on primaries, has all of it. Of a shard that does not
     * answer it is what the last run saw.
     *
     * @param refreshing a client with the rights of the caller
     * @param indices names of the indices themselves
     */
    public void look(JobServices services, Client refreshing, List<String> indices) {
        if (last() != null) {
            seen.putAll(last().seen());
        }
        Map<ShardId, Long> checkpoints = Checkpoints.read(services.transport(), services.cluster(), indices);
        RefreshResponse shown = refreshing
                .admin()
                .indices()
                .prepareRefresh(indices.toArray(String[]::new))
                .get();
        if (shown.getFailedShards() == 0) {
            seen.putAll(checkpoints);
        } else {
            LOGGER.warn("some shards of {} cannot be refreshed: the next run looks at them once more", indices);
        }
        seen.keySet().removeIf(shard -> services.cluster().state().metadata().index(shard.getIndex()) == null);
    }

    /** The run is the last one from now on. */
    public void complete(String options) {
        document = document.store(client, null, new LastRun(run, at, options, seen));
    }

    /** The last one stays the last one. */
    public void giveUp() {
        try {
            document.store(client, null, document.last());
        } catch (RuntimeException e) {
            LOGGER.warn("the next run finds out by itself that run [" + run + "] has ended", e);
        }
    }
}

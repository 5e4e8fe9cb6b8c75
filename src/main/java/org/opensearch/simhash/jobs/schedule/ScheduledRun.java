/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.indices.refresh.RefreshResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.simhash.arrivals.durable.Checkpoints;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.RivalJobs;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.GroupMapping;
import org.opensearch.tasks.TaskInfo;
import org.opensearch.transport.client.Client;

/** A run that has the document of its {@code dest}. Blocks its one thread. */
public final class ScheduledRun implements AutoCloseable {

    private static final int TRIES = 10;

    private static final Logger LOGGER = LogManager.getLogger(ScheduledRun.class);

    private final Client client;
    private final String run;
    private final long at = System.currentTimeMillis();
    private final Map<ShardId, Long> seen = new HashMap<>();
    private final Set<Object> left = new HashSet<>();
    private RunDocument document;

    private ScheduledRun(Client client, String run, RunDocument document) {
        this.client = client;
        this.run = run;
        this.document = document;
    }

    /** Fails with HTTP 409 if another run is at work. Other errors are left to the run. Blocks. */
    public static void requireFree(Client client, String dest) {
        RunDocument document;
        try {
            document = RunDocument.read(client, dest);
        } catch (RuntimeException e) {
            return;
        }
        document.requireFree(client);
    }

    /**
     * Takes the document.
     *
     * @param client not the task's: a cancelled task must give the document back, too
     */
    public static ScheduledRun begin(Client client, String dest, TaskId task, String run) {
        for (int tries = TRIES; ; tries--) {
            RunDocument document = RunDocument.read(client, dest);
            document.requireFree(client);
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

    /** The last completed run; null before the first. */
    public LastRun last() {
        return document.last();
    }

    /**
     * Reads the checkpoints, then refreshes: readers on primaries then see all writes up to these. A shard that does not answer keeps
     * the number of the last run. An index that could not be written then, and can be now, is new; one that is not read now will be.
     *
     * @param refreshing has the caller's rights
     */
    public void look(JobServices services, Client refreshing, List<String> indices) {
        if (last() != null) {
            var blocks = services.state().blocks();
            left.addAll(last().left());
            left.removeIf(index -> blocks.indexBlocked(ClusterBlockLevel.WRITE, String.valueOf(index)) == false);
            Set<String> known = new HashSet<>(indices);
            known.removeIf(index -> last().left().contains(index) && left.contains(index) == false);
            last().seen().keySet().removeIf(shard -> known.contains(shard.getIndexName()) == false);
            seen.putAll(last().seen());
        }
        Map<ShardId, Long> checkpoints = Checkpoints.read(services.transport(), services.cluster(), indices);
        String[] names = indices.toArray(String[]::new);
        RefreshResponse shown =
                refreshing.admin().indices().prepareRefresh(names).get();
        if (shown.getFailedShards() == 0) {
            seen.putAll(checkpoints);
        } else {
            LOGGER.warn("some shards of {} cannot be refreshed: the next run looks at them once more", indices);
        }
        seen.keySet().removeIf(shard -> services.state().metadata().index(shard.getIndex()) == null);
    }

    public void complete(String options, List<String> indices, Predicate<String> isWritable) {
        indices.stream().filter(isWritable.negate()).forEach(left::add);
        document = document.store(client, null, new LastRun(run, at, options, seen, List.copyOf(left)));
    }

    /** Releases the document, which keeps the last run unless this one has completed. */
    @Override
    public void close() {
        if (document.running() == null) {
            return;
        }
        try {
            document.store(client, null, document.last());
        } catch (RuntimeException e) {
            LOGGER.warn("the next run finds out by itself that run [" + run + "] has ended", e);
        }
    }

    /**
     * A completed run.
     *
     * @param at its start, in milliseconds since 1970
     * @param seen highest sequence number, per shard, up to which it saw all documents
     * @param left indices that could not be written, in which it left duplicates as they were
     */
    public record LastRun(String run, long at, String options, Map<ShardId, Long> seen, List<?> left) {

        Map<String, Object> asMap() {
            List<Map<String, Object>> shards = new ArrayList<>();
            seen.forEach((shard, number) -> {
                Index index = shard.getIndex();
                shards.add(Map.of(
                        "index", index.getName(), "uuid", index.getUUID(), "shard", shard.id(), "seq_no", number));
            });
            return Map.of("run", run, "at", at, "options", options, "shards", shards, "left", left);
        }

        /** @param stored from {@link #asMap}; somebody may have changed it */
        static LastRun of(Map<?, ?> stored) {
            Map<ShardId, Long> seen = new HashMap<>();
            List<?> left = stored.get("left") instanceof List<?> names ? names : List.of();
            if (stored.get("shards") instanceof List<?> shards
                    && stored.get("run") instanceof String run
                    && stored.get("options") instanceof String options
                    && stored.get("at") instanceof Number at) {
                for (Object each : shards) {
                    if (each instanceof Map<?, ?> shard
                            && shard.get("index") instanceof String index
                            && shard.get("uuid") instanceof String uuid
                            && shard.get("shard") instanceof Number id
                            && shard.get("seq_no") instanceof Number number) {
                        seen.put(new ShardId(new Index(index, uuid), id.intValue()), number.longValue());
                    }
                }
                return new LastRun(run, at.longValue(), options, seen, left);
            }
            return null;
        }
    }

    /**
     * The document of {@code dest} that names the present run and the last one. A write names the version that was read, so
     * only one of two runs can take the document. Immutable.
     *
     * @param seqNo of the version, with {@code term}; negative if there is no document
     * @param running the run that has the document, or null
     * @param last null before the first run
     */
    record RunDocument(String index, long seqNo, long term, Running running, LastRun last) {

        static final String ID = "last_run";

        private static final String RUNNING = "running";
        private static final String COMPLETED = "completed";
        private static final String JOBS = "indices:data/write/simhash/deduplicate";
        private static final String RULE = "[dest] must be of one run with [new_since] last at a time, got: [";

        /** A run that took the document. It may be dead. */
        record Running(TaskId task, String run) {}

        /** @param index name of an index, or of an alias for one; it may be missing */
        static RunDocument read(Client client, String index) {
            try {
                return of(index, client.prepareGet(index, ID).get());
            } catch (IndexNotFoundException e) {
                return new RunDocument(index, -1, 0, null, null);
            }
        }

        private static RunDocument of(String index, GetResponse found) {
            if (found.isExists() == false) {
                return new RunDocument(index, -1, 0, null, null);
            }
            Running running = null;
            LastRun last = null;
            if (found.getSourceAsMap().get(GroupMapping.LAST_RUN) instanceof Map<?, ?> fields) {
                if (fields.get(RUNNING) instanceof Map<?, ?> there
                        && there.get("task") instanceof String task
                        && there.get("run") instanceof String run) {
                    running = new Running(new TaskId(task), run);
                }
                if (fields.get(COMPLETED) instanceof Map<?, ?> completed) {
                    last = LastRun.of(completed);
                }
            }
            return new RunDocument(index, found.getSeqNo(), found.getPrimaryTerm(), running, last);
        }

        /** Fails with HTTP 409 if a live run has the document. */
        void requireFree(Client client) {
            if (running == null) {
                return;
            }
            List<TaskInfo> jobs;
            try {
                jobs = RivalJobs.list(client, JOBS);
            } catch (RuntimeException e) {
                throw new OpenSearchStatusException(
                        RULE + index + "], of which it cannot be told whether task [" + running.task()
                                + "] is still at work: " + e.getMessage(),
                        RestStatus.SERVICE_UNAVAILABLE,
                        e);
            }
            // A restarted node reuses the numbers of tasks.
            if (jobs.stream()
                    .filter(job -> job.getTaskId().equals(running.task()))
                    .anyMatch(job -> (job.getStatus() instanceof JobStatus status
                                    && running.run().equals(status.run()) == false)
                            == false)) {
                throw new OpenSearchStatusException(
                        RULE + index + "], where task [" + running.task() + "] is at work", RestStatus.CONFLICT);
            }
        }

        /** Stores the document. Blocks. */
        RunDocument store(Client client, Running nowRunning, LastRun nowLast) {
            Map<String, Object> fields = new HashMap<>();
            if (nowRunning != null) {
                fields.put(RUNNING, Map.of("task", nowRunning.task().toString(), "run", nowRunning.run()));
            }
            if (nowLast != null) {
                fields.put(COMPLETED, nowLast.asMap());
            }
            IndexRequest request =
                    BulkWrites.asItIs(new IndexRequest(index).id(ID).source(Map.of(GroupMapping.LAST_RUN, fields)));
            if (seqNo < 0) {
                request.opType(OpType.CREATE);
            } else {
                request.setIfSeqNo(seqNo).setIfPrimaryTerm(term);
            }
            DocWriteResponse stored = client.index(request).actionGet();
            return new RunDocument(index, stored.getSeqNo(), stored.getPrimaryTerm(), nowRunning, nowLast);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import java.util.Map;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.deduplicate.options.WritePace;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.query.Archives;
import org.opensearch.simhash.request.RequestOnIndices;
import org.opensearch.simhash.warnings.RequestWarnings;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;

/** Starts a {@link JobTask} over indices, aliases or patterns. Its parser has checked the options. */
public abstract class JobRequest extends RequestOnIndices {

    private final WritePace pace;
    private boolean storesResult;

    protected JobRequest(String[] indices, WritePace pace) {
        super(indices);
        this.pace = pace;
    }

    /** Opens a point in time of {@code dest} with the decisions of the last second. */
    public final PointInTime openDest(
            String dest, JobServices services, Client client, Retries retries, JobOutcome outcome) {
        outcome.refresh(client, List.of(dest));
        return PointInTime.open(
                new String[] {dest}, indicesOptions(), client, services.registry(), services.cluster(), retries);
    }

    /**
     * Opens a point in time without archives: also without those that have become one since the names were looked at.
     *
     * @param preference as in {@link PointInTime#openOnCopies}
     */
    public final PointInTime open(
            String preference, JobServices services, Client client, Retries retries, JobOutcome outcome) {
        while (true) {
            PointInTime opened = PointInTime.openOnCopies(
                    preference, indices(), indicesOptions(), client, services.registry(), services.cluster(), retries);
            boolean isWithoutArchives = false;
            try {
                isWithoutArchives = leaveOutArchives(services, outcome) == false;
            } finally {
                if (isWithoutArchives == false) {
                    opened.close(services.client());
                }
            }
            if (isWithoutArchives) {
                return opened;
            }
        }
    }

    /** Leaves archives of deleted documents out, and says so in the answer and its headers. Returns whether there are any. */
    public final boolean leaveOutArchives(JobServices services, JobOutcome outcome) {
        ThreadContext threads = services.transport().getThreadPool().getThreadContext();
        Archives.Choice choice =
                new Archives().without(services.cluster().state(), new IndexNameExpressionResolver(threads), this);
        indices(choice.names().toArray(String[]::new));
        choice.warning().ifPresent(sentence -> {
            outcome.warn(sentence);
            RequestWarnings.of(threads).add("[deduplicate] " + sentence);
        });
        return choice.leftOut().isEmpty() == false;
    }

    /** Keeps the result with the task. */
    public void storeResult() {
        storesResult = true;
    }

    @Override
    public boolean getShouldStoreResult() {
        return storesResult;
    }

    @Override
    public abstract String getDescription();

    @Override
    public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
        return new JobTask(id, type, action, getDescription(), parent, headers, pace);
    }

    /**
     * A {@link JobRequest} with options, over data streams, too.
     *
     * @param <O> the options
     */
    public abstract static class WithOptions<O> extends JobRequest {

        private final O options;

        protected WithOptions(String[] indices, O options, WritePace pace) {
            super(indices, pace);
            this.options = options;
        }

        public final O options() {
            return options;
        }

        @Override
        public boolean includeDataStreams() {
            return true;
        }
    }
}

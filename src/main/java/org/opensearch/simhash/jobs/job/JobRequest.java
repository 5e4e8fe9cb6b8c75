/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.ActionType;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestStatusToXContentListener;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** Starts a {@link JobTask} over indices, aliases or patterns. Its parser has checked the options. */
public abstract class JobRequest<O> extends RequestOnIndices {

    private final O options;
    private final WritePace pace;
    private boolean storesResult;

    protected JobRequest(String[] indices, O options, WritePace pace) {
        super(indices);
        this.options = options;
        this.pace = pace;
    }

    public final O options() {
        return options;
    }

    @Override
    public boolean includeDataStreams() {
        return true;
    }

    /** Opens a point in time of {@code dest} or an archive with the writes of the last second: a job may have ended before a refresh. */
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
                    preference, read(), indicesOptions(), client, services.registry(), services.cluster(), retries);
            try {
                if (leaveOutArchives(services, outcome) == false) {
                    return opened;
                }
            } catch (RuntimeException e) {
                opened.close();
                throw e;
            }
            opened.close();
        }
    }

    /** The path, and what it is compared with. */
    protected List<Replaceable> sides() {
        return List.of(this);
    }

    public final String[] read() {
        return sides().stream().flatMap(side -> Stream.of(side.indices())).toArray(String[]::new);
    }

    /** Leaves archives of deleted documents out on all sides, and warns of it. Returns whether there are any. */
    public final boolean leaveOutArchives(JobServices services, JobOutcome outcome) {
        boolean areAny = false;
        for (Replaceable side : sides()) {
            Archives.Choice choice = new Archives().without(services.state(), services.resolver(), side);
            side.indices(choice.names().toArray(String[]::new));
            choice.warning().ifPresent(outcome::warn);
            areAny |= choice.leftOut().isEmpty() == false;
        }
        return areAny;
    }

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

    /** Starts jobs, with URL parameters of {@code _delete_by_query}. */
    public static final class JobRoutes {

        private JobRoutes() {}

        @FunctionalInterface
        public interface Reader<R> {

            R read(String[] indices, XContentParser parser, WritePace pace) throws IOException;
        }

        public static <R extends JobRequest<?>, A extends ActionResponse & StatusToXContentObject> Endpoint.Work job(
                ActionType<A> action, Reader<R> reader) {
            return (request, indices, client) -> start(request, client, action, read(request, indices, reader));
        }

        public static <R> R read(RestRequest request, String[] indices, Reader<R> reader) throws IOException {
            WritePace pace = WritePace.of(request.paramAsFloat("requests_per_second", -1));
            return Endpoint.optionalBody(request, parser -> reader.read(indices, parser, pace));
        }

        /**
         * Starts a job, which outlives the client's connection. Answers with its result, or with its task, which keeps the result,
         * if the client does not wait.
         */
        public static <A extends ActionResponse & StatusToXContentObject> CheckedConsumer<RestChannel, Exception> start(
                RestRequest request, NodeClient client, ActionType<A> action, JobRequest<?> job) {
            if (request.paramAsBoolean("wait_for_completion", true)) {
                return channel -> client.executeLocally(action, job, new RestStatusToXContentListener<>(channel));
            }
            Endpoint.requireMeant(request); // Its result is stored.
            job.storeResult();
            return channel -> sendTask(
                    channel,
                    client,
                    client.executeLocally(action, job, LoggingTaskListener.instance())
                            .getId());
        }

        public static void sendTask(RestChannel channel, NodeClient client, long task) throws IOException {
            try (XContentBuilder builder = channel.newBuilder()) {
                builder.startObject()
                        .field("task", client.getLocalNodeId() + ":" + task)
                        .endObject();
                channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
            }
        }
    }
}

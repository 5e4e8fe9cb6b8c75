/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.links;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.HandledTransportAction;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.Cliques;
import org.opensearch.simhash.core.join.FingerprintRows;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.job.JobStatus.Phase;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.scan.FingerprintPages;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.search.message.MessageForm;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * One pass of a job on one node: reads the fingerprints of two chunks and finds their links, on a thread of its own. The searches of
 * its scan are children of its task.
 */
public final class PairsAction extends HandledTransportAction<PairsAction.Request, PairsAction.Response> {

    public static final String NAME = "indices:data/read/simhash/pairs";
    public static final ActionType<Response> INSTANCE = new ActionType<>(NAME, Response::new);

    private final JobServices services;

    @Inject
    public PairsAction(JobServices services, ActionFilters filters) {
        super(NAME, services.transport(), filters, Request::new);
        this.services = services;
    }

    /** @param distance greatest number of differing bits; 0 for sketches */
    record Pass(
            String pointInTime,
            QueryBuilder query,
            QueryBuilder against,
            String field,
            List<String> same,
            int distance,
            Prints prints,
            int expectedRows,
            Chunks chunks,
            Wanted wanted)
            implements Writeable {

        private Pass(StreamInput in) throws IOException {
            this(
                    in.readString(),
                    in.readNamedWriteable(QueryBuilder.class),
                    in.readOptionalNamedWriteable(QueryBuilder.class),
                    in.readString(),
                    in.readStringList(),
                    in.readVInt(),
                    new Prints(in),
                    in.readVInt(),
                    new Chunks(in),
                    new Wanted(in));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(pointInTime);
            out.writeNamedWriteable(query);
            out.writeOptionalNamedWriteable(against);
            out.writeString(field);
            out.writeStringCollection(same);
            out.writeVInt(distance);
            prints.writeTo(out);
            out.writeVInt(expectedRows);
            chunks.writeTo(out);
            wanted.writeTo(out);
        }
    }

    /**
     * Asks for a pass. Only jobs send it. It names the indices, so that the security plugin can check them. If that
     * removes some, the pass fails, because the job relies on complete results.
     */
    public static final class Request extends ActionRequest implements IndicesRequest.Replaceable {

        private String[] indices;
        private final Pass pass;

        Request(String[] indices, Pass pass) {
            this.indices = indices;
            this.pass = pass;
        }

        Request(StreamInput in) throws IOException {
            super(in);
            this.indices = MessageForm.read(in).readStringArray();
            this.pass = new Pass(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
            MessageForm.write(out);
            out.writeStringArray(indices);
            pass.writeTo(out);
        }

        Pass pass() {
            return pass;
        }

        @Override
        public String[] indices() {
            return indices.clone();
        }

        @Override
        public IndicesRequest indices(String... permitted) {
            indices = permitted.clone();
            return this;
        }

        @Override
        public IndicesOptions indicesOptions() {
            return IndicesOptions.strictExpandOpenAndForbidClosed();
        }

        /** @throws OpenSearchStatusException if an index of the pass was removed */
        void requirePermitted(String[] read) {
            for (String index : read) {
                if (Arrays.asList(indices).contains(index) == false) {
                    throw new OpenSearchStatusException(
                            "[" + NAME + "] must be permitted on all indices of the job, got: none on [" + index + "]",
                            RestStatus.FORBIDDEN);
                }
            }
        }

        @Override
        public ActionRequestValidationException validate() {
            return null;
        }

        @Override
        public Task createTask(long id, String type, String action, TaskId parent, Map<String, String> headers) {
            Chunks chunks = pass.chunks;
            String description =
                    "pairs of chunks " + chunks.first() + " and " + chunks.second() + " of " + chunks.count();
            return new JobTask(id, type, action, description, parent, headers, WritePace.of(-1));
        }
    }

    public static final class Response extends ActionResponse {

        private final NearJoin.Joined found;
        private final PassCounts counts;

        Response(NearJoin.Joined found, PassCounts counts) {
            this.found = found;
            this.counts = counts;
        }

        Response(StreamInput in) throws IOException {
            this.found = new NearJoin.Joined(Cliques.read(MessageForm.read(in)), in.readVLong(), in.readBoolean());
            this.counts = new PassCounts(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            found.cliques().writeTo(out);
            out.writeVLong(found.pairs());
            out.writeBoolean(found.tooMany());
            counts.writeTo(out);
        }

        NearJoin.Joined found() {
            return found;
        }

        PassCounts counts() {
            return counts;
        }
    }

    @Override
    protected void doExecute(Task task, Request request, ActionListener<Response> listener) {
        Account answer = new Account(services.memory());
        services.transport()
                .getThreadPool()
                .executor(DeduplicateThreads.PASS)
                .execute(ActionRunnable.supply(
                        ActionListener.runAfter(listener, answer::close), () -> run((JobTask) task, request, answer)));
    }

    /** @param answer accounts for the result until it is sent */
    private Response run(JobTask task, Request request, Account answer) {
        Pass pass = request.pass();
        task.enter(Phase.SCAN, JobTask.UNKNOWN);
        List<JobTask> shown = shown(task);
        TaskId self = services.id(task);
        PointInTime pointInTime = new PointInTime(
                pass.pointInTime(),
                new ParentTaskAssigningClient(services.client(), self),
                services.registry(),
                new Retries(task::ensureNotCancelled));
        request.requirePermitted(pointInTime.indices());
        FingerprintPages scan = new FingerprintPages(
                pointInTime, pass.field(), pass.prints(), pass.same(), pass.chunks(), pass.wanted());
        NearJoin.Joined found;
        try (FingerprintRows rows = services.memory().rowsFor(pass.expectedRows(), pass.prints(), services.disk())) {
            shown.forEach(each -> each.pass(Phase.SCAN));
            scan.read(pass.query(), pass.against(), rows, read -> shown.forEach(each -> each.read(read)));
            shown.forEach(each -> each.pass(Phase.JOIN));
            NearJoin join = services.memory()
                    .join(
                            services.transport().getThreadPool(),
                            pass.distance(),
                            pairs -> shown.forEach(each -> each.compared(pairs)));
            found = join.join(rows, pass.chunks(), pass.wanted());
        } catch (UncheckedIOException | InternalError e) {
            // As when there is no room at the start: another node may have some. An error is of a mapped file that lost
            // its disk.
            throw (RuntimeException) new OpenSearchRejectedExecutionException(e.getMessage()).initCause(e);
        }
        if (isOfThisNode(task) == false) { // else the job accounts for it
            answer.take(found.cliques().bytes());
        }
        PassCounts counts = new PassCounts(
                scan.documents(), scan.fingerprinted(), task.getStatus().compared(), scan.schemes());
        return new Response(found, counts);
    }

    private List<JobTask> shown(JobTask task) {
        long parent = task.getParentTaskId().getId();
        return isOfThisNode(task) && services.transport().getTaskManager().getTask(parent) instanceof JobTask job
                ? List.of(task, job)
                : List.of(task);
    }

    private boolean isOfThisNode(Task task) {
        String here = services.transport().getLocalNode().getId();
        return task.getParentTaskId().getNodeId().equals(here);
    }
}

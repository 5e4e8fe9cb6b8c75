/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.deduplicate.job.JobStatus.Phase;
import org.opensearch.simhash.request.MessageForm;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/** A pass in {@code _tasks}, below its job. Thread-safe. */
public final class PassTask extends CancellableTask {

    private final AtomicLong read = new AtomicLong();
    private final AtomicLong compared = new AtomicLong();
    private volatile Phase phase = Phase.WAITING;

    PassTask(long id, String type, String action, String description, TaskId parent, Map<String, String> headers) {
        super(id, type, action, description, parent, headers);
    }

    @Override
    public boolean shouldCancelChildrenOnCancellation() {
        return true;
    }

    void enter(Phase next) {
        ensureNotCancelled();
        phase = next;
    }

    void read(long documents) {
        ensureNotCancelled();
        read.addAndGet(documents);
    }

    void compared(long pairs) {
        ensureNotCancelled();
        compared.addAndGet(pairs);
    }

    long compared() {
        return compared.get();
    }

    void ensureNotCancelled() {
        if (isCancelled()) {
            throw new TaskCancelledException("cancelled: " + getReasonCancelled());
        }
    }

    @Override
    public Status getStatus() {
        return new Status(phase, read.get(), compared.get());
    }

    /**
     * @param phase {@code waiting}, {@code scan} or {@code join}
     * @param read documents
     * @param compared pairs of fingerprints
     */
    public record Status(Phase phase, long read, long compared) implements Task.Status {

        public static final String NAME = "simhash_pass";

        public Status(StreamInput in) throws IOException {
            this(MessageForm.read(in).readEnum(Phase.class), in.readVLong(), in.readVLong());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            MessageForm.write(out);
            out.writeEnum(phase);
            out.writeVLong(read);
            out.writeVLong(compared);
        }

        @Override
        public String getWriteableName() {
            return NAME;
        }

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject()
                    .field("phase", phase.toString())
                    .field("documents_read", read)
                    .field("pairs_compared", compared)
                    .endObject();
        }
    }
}

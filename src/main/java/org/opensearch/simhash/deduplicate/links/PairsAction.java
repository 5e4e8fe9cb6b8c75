/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.deduplicate.join.Chunks;
import org.opensearch.simhash.deduplicate.join.Cliques;
import org.opensearch.simhash.deduplicate.join.LinkList;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.Wanted;
import org.opensearch.simhash.deduplicate.scan.ChunksStreams;
import org.opensearch.tasks.Task;

/** One pass of a job on one node: reads the fingerprints of two chunks and finds their links. */
public final class PairsAction extends ActionType<PairsAction.Response> {

    public static final String NAME = "indices:data/read/simhash/pairs";
    public static final PairsAction INSTANCE = new PairsAction();

    private PairsAction() {
        super(NAME, Response::new);
    }

    /**
     * @param pointInTime its id
     * @param query selects documents
     * @param field the fingerprint object
     * @param same fields that must have equal values in linked documents
     * @param distance greatest number of differing bits
     * @param expectedRows approximate number of fingerprints in the chunks
     */
    record Pass(
            String pointInTime,
            QueryBuilder query,
            String field,
            List<String> same,
            int distance,
            int expectedRows,
            Chunks chunks,
            Wanted wanted)
            implements Writeable {

        private Pass(StreamInput in) throws IOException {
            this(
                    in.readString(),
                    in.readNamedWriteable(QueryBuilder.class),
                    in.readString(),
                    in.readStringList(),
                    in.readVInt(),
                    in.readVInt(),
                    ChunksStreams.read(in),
                    new Wanted(in.readVLong(), in.readBoolean(), readOptionalLongs(in), readOptionalLongs(in)));
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(pointInTime);
            out.writeNamedWriteable(query);
            out.writeString(field);
            out.writeStringCollection(same);
            out.writeVInt(distance);
            out.writeVInt(expectedRows);
            ChunksStreams.write(out, chunks);
            out.writeVLong(wanted.mostLinks());
            out.writeBoolean(wanted.forest());
            writeOptionalLongs(out, wanted.linksOf());
            writeOptionalLongs(out, wanted.among());
        }

        private static long[] readOptionalLongs(StreamInput in) throws IOException {
            return in.readBoolean() ? in.readLongArray() : null;
        }

        private static void writeOptionalLongs(StreamOutput out, long[] longs) throws IOException {
            out.writeBoolean(longs != null);
            if (longs != null) {
                out.writeLongArray(longs);
            }
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
            this.indices = in.readStringArray();
            this.pass = new Pass(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            super.writeTo(out);
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
            return new PassTask(id, type, action, description, parent, headers);
        }
    }

    public static final class Response extends ActionResponse {

        private final NearJoin.Found found;
        private final PassCounts counts;

        Response(NearJoin.Found found, PassCounts counts) {
            this.found = found;
            this.counts = counts;
        }

        Response(StreamInput in) throws IOException {
            this.found = new NearJoin.Found(readCliques(in), in.readVLong(), in.readBoolean());
            this.counts = new PassCounts(in);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            writeCliques(out, found.cliques());
            out.writeVLong(found.pairs());
            out.writeBoolean(found.tooMany());
            counts.writeTo(out);
        }

        NearJoin.Found found() {
            return found;
        }

        PassCounts counts() {
            return counts;
        }

        private static Cliques readCliques(StreamInput in) throws IOException {
            int[] starts = in.readIntArray();
            long[] addresses = in.readLongArray();
            long[] bits = in.readLongArray();
            long[] strata = in.readLongArray();
            boolean[] equalTexts = new boolean[bits.length];
            for (int i = 0; i < equalTexts.length; i++) {
                equalTexts[i] = in.readBoolean();
            }
            long links = in.readVLong();
            // The reader accounts for the bytes.
            LinkList list = new LinkList(bytes -> {});
            for (long i = 0; i < links; i++) {
                list.add(in.readInt(), in.readInt(), in.readByte());
            }
            return new Cliques(starts, addresses, bits, strata, equalTexts, list);
        }

        private static void writeCliques(StreamOutput out, Cliques cliques) throws IOException {
            out.writeIntArray(cliques.starts());
            out.writeLongArray(cliques.addresses());
            out.writeLongArray(cliques.bits());
            out.writeLongArray(cliques.strata());
            for (boolean equal : cliques.equalTexts()) {
                out.writeBoolean(equal);
            }
            out.writeVLong(cliques.links().size());
            try {
                cliques.links().forEach((a, b, distance) -> {
                    try {
                        out.writeInt(a);
                        out.writeInt(b);
                        out.writeByte((byte) distance);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.sketch.BandLayout;
import org.opensearch.simhash.sketch.Sketch;

/**
 * Where a query's fingerprint comes from. Immutable. The numbers of the kinds in streams never change, because percolator indices
 * store them.
 */
sealed interface QuerySource {

    /** @param pipeline whose recipe fingerprints it; null for the recipe of the searched index */
    record Text(String text, String pipeline) implements QuerySource {
        public Text {
            requireName("pipeline", "an ingest pipeline", pipeline);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 1);
            out.writeString(text);
            out.writeOptionalString(pipeline);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            builder.field("text", text);
            writeOptional(builder, "pipeline", pipeline);
        }
    }

    /** Fingerprinted as the ingest processor does it. */
    record Document(Map<String, Object> document, String pipeline) implements QuerySource {
        public Document {
            requireName("pipeline", "an ingest pipeline", pipeline);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 2);
            out.writeMap(document);
            out.writeOptionalString(pipeline);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            builder.field("document", document);
            writeOptional(builder, "pipeline", pipeline);
        }
    }

    /**
     * @param index of the document, or null for the searched index
     * @param routing may be null
     * @param includeSelf whether the document itself may match
     * @param pipeline whose recipe prepares texts for verification; null for the recipe of the fingerprint
     */
    record Stored(String id, String index, String routing, boolean includeSelf, String pipeline)
            implements QuerySource {
        public Stored {
            requireName("id", "a document", id);
            requireName("index", "an index", index);
            requireName("pipeline", "an ingest pipeline", pipeline);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 3);
            out.writeString(id);
            out.writeOptionalString(index);
            out.writeOptionalString(routing);
            out.writeBoolean(includeSelf);
            out.writeOptionalString(pipeline);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            builder.field("id", id);
            writeOptional(builder, "index", index);
            writeOptional(builder, "routing", routing);
            builder.field("include_self", includeSelf);
            writeOptional(builder, "pipeline", pipeline);
        }
    }

    /**
     * The fingerprints that the coordinating node found for a source. A user writes it only as a hash, which has no scheme.
     *
     * @param targets a document near any of them matches; empty if the index of the stored document does not map the field
     * @param self the document that must not match, or null
     * @param text the text to verify with; null if nothing is verified
     * @param pipeline whose recipe prepares texts for verification; null for the recipe of the fingerprint
     */
    record Resolved(List<Target> targets, StoredDocument self, String text, String pipeline) implements QuerySource {
        public Resolved {
            targets = List.copyOf(targets);
        }

        public Resolved(List<Target> targets, StoredDocument self) {
            this(targets, self, null, null);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 4);
            out.writeCollection(targets, TargetStreams::write);
            out.writeOptionalWriteable(self);
            out.writeOptionalString(text);
            out.writeOptionalString(pipeline);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            if (isHash()) {
                writeTarget(builder, targets.getFirst());
                return;
            }
            writeTargets(builder, "resolved", targets);
            writeExcept(builder, self);
        }

        /** Whether a user wrote it. */
        boolean isHash() {
            boolean isBare = targets.size() == 1
                    && targets.getFirst().digest() == null
                    && targets.getFirst().scheme() == null;
            return isBare && self == null && text == null;
        }
    }

    /** Fingerprints of many documents on their way into an index: the nearest documents of each match. A user cannot write it. */
    record Lookup(List<Target> targets) implements QuerySource {
        public Lookup {
            targets = List.copyOf(targets);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 5);
            out.writeCollection(targets, TargetStreams::write);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            writeTargets(builder, "lookup", targets);
        }
    }

    /**
     * Like {@link Resolved}, for a {@code minhash} query. A user writes it only as a sketch.
     *
     * @param targets a document similar to any of them matches; empty if the index of the stored document does not map
     *     the field
     * @param self the document that must not match, or null
     * @param text the text to verify with; null if nothing is verified
     * @param pipeline whose recipe prepares texts for verification; null for the recipe of the sketch
     */
    record Sketched(List<SketchTarget> targets, StoredDocument self, String text, String pipeline)
            implements QuerySource {
        public Sketched {
            targets = List.copyOf(targets);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeByte((byte) 6);
            out.writeCollection(targets, QuerySource::writeSketch);
            out.writeOptionalWriteable(self);
            out.writeOptionalString(text);
            out.writeOptionalString(pipeline);
        }

        @Override
        public void toXContent(XContentBuilder builder) throws IOException {
            if (isSketch()) {
                builder.field("sketch", targets.getFirst().sketch().toBase64());
                return;
            }
            builder.startArray("resolved");
            for (SketchTarget target : targets) {
                builder.startObject();
                writeOptional(
                        builder,
                        "sketch",
                        target.sketch() == null ? null : target.sketch().toBase64());
                writeOptional(builder, "digest", target.digest());
                writeOptional(builder, "scheme", target.scheme());
                builder.endObject();
            }
            builder.endArray();
            writeExcept(builder, self);
        }

        /** Whether a user wrote it. */
        boolean isSketch() {
            return targets.size() == 1
                    && targets.getFirst().digest() == null
                    && targets.getFirst().scheme() == null
                    && self == null
                    && text == null;
        }
    }

    void writeTo(StreamOutput out) throws IOException;

    /** Writes the options of this source into an open object. */
    void toXContent(XContentBuilder builder) throws IOException;

    static QuerySource read(StreamInput in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case 1 -> new Text(in.readString(), in.readOptionalString());
            case 2 -> new Document(in.readMap(), in.readOptionalString());
            case 3 ->
                new Stored(
                        in.readString(),
                        in.readOptionalString(),
                        in.readOptionalString(),
                        in.readBoolean(),
                        in.readOptionalString());
            case 4 ->
                new Resolved(
                        in.readList(TargetStreams::read),
                        in.readOptionalWriteable(StoredDocument::new),
                        in.readOptionalString(),
                        in.readOptionalString());
            case 5 -> new Lookup(in.readList(TargetStreams::read));
            case 6 ->
                new Sketched(
                        in.readList(QuerySource::readSketch),
                        in.readOptionalWriteable(StoredDocument::new),
                        in.readOptionalString(),
                        in.readOptionalString());
            default -> throw new IOException("unknown kind of source [" + kind + "]");
        };
    }

    private static void requireName(String option, String what, String name) {
        if (name != null && name.isEmpty()) {
            throw new IllegalArgumentException("[" + option + "] must name " + what + ", got an empty name");
        }
    }

    private static void writeExcept(XContentBuilder builder, StoredDocument self) throws IOException {
        if (self != null) {
            builder.startObject("except");
            builder.field("index", self.index()).field("id", self.id());
            builder.endObject();
        }
    }

    private static void writeSketch(StreamOutput out, SketchTarget target) throws IOException {
        BandLayout layout = target.layout();
        out.writeBoolean(target.sketch() != null);
        if (target.sketch() != null) {
            out.writeByteArray(target.sketch().bytes());
        }
        out.writeBoolean(layout != null);
        if (layout != null) {
            out.writeVInt(layout.permutations());
            out.writeVInt(layout.bands());
            out.writeVInt(layout.rows());
        }
        out.writeOptionalString(target.digest());
        out.writeOptionalString(target.scheme());
    }

    private static SketchTarget readSketch(StreamInput in) throws IOException {
        Sketch sketch = in.readBoolean() ? new Sketch(in.readByteArray()) : null;
        BandLayout layout = in.readBoolean() ? new BandLayout(in.readVInt(), in.readVInt(), in.readVInt()) : null;
        return new SketchTarget(sketch, layout, in.readOptionalString(), in.readOptionalString());
    }

    private static void writeTargets(XContentBuilder builder, String name, List<Target> targets) throws IOException {
        builder.startArray(name);
        for (Target target : targets) {
            builder.startObject();
            writeTarget(builder, target);
            builder.endObject();
        }
        builder.endArray();
    }

    private static void writeTarget(XContentBuilder builder, Target target) throws IOException {
        if (target.bits().isPresent()) {
            builder.field("hash", Fingerprint.toHex(target.bits().getAsLong()));
        }
        writeOptional(builder, "digest", target.digest());
        writeOptional(builder, "scheme", target.scheme());
    }

    private static void writeOptional(XContentBuilder builder, String name, String value) throws IOException {
        if (value != null) {
            builder.field(name, value);
        }
    }
}

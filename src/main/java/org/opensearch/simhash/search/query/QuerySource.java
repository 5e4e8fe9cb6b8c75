/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.Target;

/** Where a query's prints come from. Immutable. The numbers of the kinds in streams never change, because percolator indices store them. */
sealed interface QuerySource {

    /** @param pipeline whose recipe fingerprints it; null for the recipe of the searched index */
    record Text(String text, String pipeline) implements QuerySource {}

    /** Fingerprinted as the ingest processor does it. */
    record Document(Map<String, Object> document, String pipeline) implements QuerySource {}

    /**
     * @param index of the document, or null for the searched index
     * @param routing may be null
     * @param includeSelf whether the document itself may match
     * @param pipeline whose recipe prepares texts for verification; null for the recipe of the fingerprint
     */
    record Stored(String id, String index, String routing, boolean includeSelf, String pipeline)
            implements QuerySource {}

    /**
     * The prints that the coordinating node found for a source. A user writes it only as a hash or a sketch, which has no scheme.
     *
     * @param prints of one kind; a document near any of them matches; empty if the index of the stored document does not map the field
     * @param self the document that must not match, or null
     * @param text the text to verify with; null if nothing is verified
     * @param language of the text by its document, for facts; null if it is unknown
     * @param pipeline whose recipe prepares texts for verification; null for the recipe of the print
     */
    record Resolved(List<Print> prints, StoredDocument self, String text, String language, String pipeline)
            implements QuerySource {
        public Resolved {
            prints = List.copyOf(prints);
        }

        Resolved(List<? extends Print> prints, StoredDocument self) {
            this(List.copyOf(prints), self, null, null, null);
        }

        boolean isTyped() {
            boolean isBare = prints.size() == 1
                    && prints.getFirst().digest() == null
                    && prints.getFirst().scheme() == null;
            return isBare && self == null && text == null;
        }
    }

    /**
     * A picture in Base64, hashed as the ingest processor does it.
     *
     * @param pipeline whose processor hashes it; null for those of the searched index
     */
    record Image(String image, String pipeline) implements QuerySource {}

    /** Fingerprints of many documents on their way into an index: the nearest documents of each match. A user cannot write it. */
    record Lookup(List<Target> targets) implements QuerySource {
        public Lookup {
            targets = List.copyOf(targets);
        }

        @Override
        public String pipeline() {
            return null;
        }
    }

    /** Null for none. */
    String pipeline();

    default void writeTo(StreamOutput out) throws IOException {
        out.writeOptionalString(pipeline());
        switch (this) {
            case Text source -> {
                out.writeByte((byte) 1);
                out.writeString(source.text);
            }
            case Document source -> {
                out.writeByte((byte) 2);
                out.writeMap(source.document);
            }
            case Stored source -> {
                out.writeByte((byte) 3);
                out.writeString(source.id);
                out.writeOptionalString(source.index);
                out.writeOptionalString(source.routing);
                out.writeBoolean(source.includeSelf);
            }
            case Resolved source -> {
                out.writeByte((byte) (source.language == null ? 4 : 7));
                out.writeCollection(source.prints, Prints::write);
                out.writeOptionalWriteable(source.self);
                out.writeOptionalString(source.text);
                if (source.language != null) {
                    out.writeString(source.language);
                }
            }
            case Lookup source -> {
                out.writeByte((byte) 5);
                out.writeCollection(source.targets, Prints::write);
            }
            case Image source -> {
                out.writeByte((byte) 6);
                out.writeByteArray(source.image.getBytes(StandardCharsets.UTF_8)); // longer than any string may be
            }
        }
    }

    /** Writes the options of this source into an open object. */
    default void toXContent(XContentBuilder builder) throws IOException {
        switch (this) {
            case Text source -> builder.field("text", source.text);
            case Document source -> builder.field("document", source.document);
            case Stored source -> {
                builder.field("id", source.id);
                Prints.writeOptional(builder, "index", source.index);
                Prints.writeOptional(builder, "routing", source.routing);
                builder.field("include_self", source.includeSelf);
            }
            case Resolved source -> {
                if (source.isTyped()) {
                    Prints.toXContent(builder, source.prints.getFirst());
                } else {
                    writePrints(builder, "resolved", source.prints);
                    if (source.self != null) {
                        builder.startObject("except");
                        builder.field("index", source.self.index()).field("id", source.self.id());
                        builder.endObject();
                    }
                }
            }
            case Lookup source -> writePrints(builder, "lookup", source.targets);
            case Image source -> builder.field("image", source.image);
        }
        if (this instanceof Resolved == false) {
            Prints.writeOptional(builder, "pipeline", pipeline());
        }
    }

    static QuerySource read(StreamInput in) throws IOException {
        String pipeline = in.readOptionalString();
        byte kind = in.readByte();
        return switch (kind) {
            case 1 -> new Text(in.readString(), pipeline);
            case 2 -> new Document(in.readMap(), pipeline);
            case 3 ->
                new Stored(
                        in.readString(), in.readOptionalString(), in.readOptionalString(), in.readBoolean(), pipeline);
            case 4, 7 ->
                new Resolved(
                        in.readList(Prints::read),
                        in.readOptionalWriteable(StoredDocument::new),
                        in.readOptionalString(),
                        kind == 7 ? in.readString() : null,
                        pipeline);
            case 5 -> new Lookup(in.readList(stream -> (Target) Prints.read(stream)));
            case 6 -> new Image(new String(in.readByteArray(), StandardCharsets.UTF_8), pipeline);
            default -> throw new IOException("unknown kind of source [" + kind + "]");
        };
    }

    private static void writePrints(XContentBuilder builder, String name, List<? extends Print> prints)
            throws IOException {
        builder.startArray(name);
        for (Print print : prints) {
            builder.startObject();
            Prints.toXContent(builder, print);
            builder.endObject();
        }
        builder.endArray();
    }

    /**
     * The place of a document.
     *
     * @param index name of the index, not of an alias
     * @param routing of the document; null if its id routes it. Another routing may have the same id again
     */
    record StoredDocument(String index, String id, String routing) implements Writeable {

        StoredDocument(StreamInput in) throws IOException {
            this(in.readString(), in.readString(), in.readOptionalString());
        }

        /** Whether the document is on this shard. An index of the same name in another cluster is not its index. */
        boolean isOn(QueryShardContext shard) {
            return index.equals(shard.getFullyQualifiedIndex().getName())
                    && shard.getShardId()
                            == OperationRouting.generateShardId(
                                    shard.getIndexSettings().getIndexMetadata(), id, routing);
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(index);
            out.writeString(id);
            out.writeOptionalString(routing);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.IOException;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.query.EvidenceRequest;

/** {@code "ext": {"simhash": {…}}} of a response: the work of {@code collapse_near_duplicates}. */
public final class CollapseCounts extends SearchExtBuilder {

    /** First byte on the wire, since other types share the name. */
    static final byte KIND = 1;

    static final ParseField WINDOW = new ParseField("window");
    static final ParseField HITS = new ParseField("hits");
    static final ParseField DISTINCT = new ParseField("distinct");
    static final ParseField HIDDEN = new ParseField("hidden");
    static final ParseField KEPT_APART = new ParseField("kept_apart");
    static final ParseField WINDOW_EXHAUSTED = new ParseField("window_exhausted");

    /**
     * @param window number of hits asked for
     * @param hits number of hits found
     * @param distinct number of hits that stay, on any page
     * @param hidden number of other hits
     * @param keptApart number of hits that stay, because people keep them apart from a better one that is near
     * @param windowExhausted whether the page is not full although there may be more distinct hits after the window
     */
    private record Work(int window, int hits, int distinct, int hidden, int keptApart, boolean windowExhausted) {}

    private final Work work;

    /** As in {@link Work}. */
    CollapseCounts(int window, int hits, int distinct, int hidden, int keptApart, boolean windowExhausted) {
        this.work = new Work(window, hits, distinct, hidden, keptApart, windowExhausted);
    }

    /** Reads the part after {@link #KIND}. */
    CollapseCounts(StreamInput in) throws IOException {
        this(in.readVInt(), in.readVInt(), in.readVInt(), in.readVInt(), in.readVInt(), in.readBoolean());
    }

    boolean isWindowExhausted() {
        return work.windowExhausted;
    }

    void addTo(Counters<CollapseCount> counts) {
        counts.increment(CollapseCount.SEARCHES);
        counts.add(CollapseCount.HITS, work.hits);
        counts.add(CollapseCount.HIDDEN, work.hidden);
        counts.add(CollapseCount.KEPT_APART, work.keptApart);
        counts.add(CollapseCount.WINDOW_EXHAUSTED, work.windowExhausted ? 1 : 0);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeByte(KIND);
        out.writeVInt(work.window);
        out.writeVInt(work.hits);
        out.writeVInt(work.distinct);
        out.writeVInt(work.hidden);
        out.writeVInt(work.keptApart);
        out.writeBoolean(work.windowExhausted);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject(EvidenceRequest.NAME)
                .field(WINDOW.getPreferredName(), work.window)
                .field(HITS.getPreferredName(), work.hits)
                .field(DISTINCT.getPreferredName(), work.distinct)
                .field(HIDDEN.getPreferredName(), work.hidden)
                .field(KEPT_APART.getPreferredName(), work.keptApart)
                .field(WINDOW_EXHAUSTED.getPreferredName(), work.windowExhausted)
                .endObject();
    }

    @Override
    public String getWriteableName() {
        return EvidenceRequest.NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CollapseCounts counts && work.equals(counts.work);
    }

    @Override
    public int hashCode() {
        return work.hashCode();
    }

    @Override
    public String toString() {
        return work.toString();
    }

    /** Counts of the node's {@code collapse_near_duplicates} processors. */
    public enum CollapseCount {
        /** Searches with compared hits. */
        SEARCHES,
        /** Compared hits. */
        HITS,
        /** Hits without fingerprint, which were not compared. */
        WITHOUT_FINGERPRINT,
        /** Hidden hits. */
        HIDDEN,
        /** Hits that stay, because people keep them apart from a better one. */
        KEPT_APART,
        /** Searches whose page was not full although there may be more hits after the window. */
        WINDOW_EXHAUSTED,
        /** Searches whose hits could not be compared. */
        FAILED
    }
}

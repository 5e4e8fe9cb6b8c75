/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.io.IOException;
import java.util.Objects;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.simhash.counts.Counters;
import org.opensearch.simhash.query.EvidenceRequest;

/** {@code "ext": {"simhash": {…}}} of a response: the work of {@code collapse_near_duplicates}. */
public final class CollapseCounts extends SearchExtBuilder {

    /** First byte on the wire, since other types share the name. */
    static final byte KIND = 1;

    static final ParseField WINDOW = new ParseField("window");
    static final ParseField HITS = new ParseField("hits");
    static final ParseField DISTINCT = new ParseField("distinct");
    static final ParseField HIDDEN = new ParseField("hidden");
    static final ParseField WINDOW_EXHAUSTED = new ParseField("window_exhausted");

    private final int window;
    private final int hits;
    private final int distinct;
    private final int hidden;
    private final boolean windowExhausted;

    /**
     * @param window number of hits asked for
     * @param hits number of hits found
     * @param distinct number of hits that stay, on any page
     * @param hidden number of other hits
     * @param windowExhausted whether the page is not full although there may be more distinct hits after the window
     */
    CollapseCounts(int window, int hits, int distinct, int hidden, boolean windowExhausted) {
        this.window = window;
        this.hits = hits;
        this.distinct = distinct;
        this.hidden = hidden;
        this.windowExhausted = windowExhausted;
    }

    /** Reads the part after {@link #KIND}. */
    CollapseCounts(StreamInput in) throws IOException {
        this(in.readVInt(), in.readVInt(), in.readVInt(), in.readVInt(), in.readBoolean());
    }

    boolean isWindowExhausted() {
        return windowExhausted;
    }

    void addTo(Counters<CollapseCount> counts) {
        counts.increment(CollapseCount.SEARCHES);
        counts.add(CollapseCount.HITS, hits);
        counts.add(CollapseCount.HIDDEN, hidden);
        counts.add(CollapseCount.WINDOW_EXHAUSTED, windowExhausted ? 1 : 0);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeByte(KIND);
        out.writeVInt(window);
        out.writeVInt(hits);
        out.writeVInt(distinct);
        out.writeVInt(hidden);
        out.writeBoolean(windowExhausted);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject(EvidenceRequest.NAME)
                .field(WINDOW.getPreferredName(), window)
                .field(HITS.getPreferredName(), hits)
                .field(DISTINCT.getPreferredName(), distinct)
                .field(HIDDEN.getPreferredName(), hidden)
                .field(WINDOW_EXHAUSTED.getPreferredName(), windowExhausted)
                .endObject();
    }

    @Override
    public String getWriteableName() {
        return EvidenceRequest.NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CollapseCounts counts
                && window == counts.window
                && hits == counts.hits
                && distinct == counts.distinct
                && hidden == counts.hidden
                && windowExhausted == counts.windowExhausted;
    }

    @Override
    public int hashCode() {
        return Objects.hash(window, hits, distinct, hidden, windowExhausted);
    }

    @Override
    public String toString() {
        return "window " + window + ", hits " + hits + ", distinct " + distinct + ", hidden " + hidden
                + ", window exhausted " + windowExhausted;
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
        /** Searches whose page was not full although there may be more hits after the window. */
        WINDOW_EXHAUSTED,
        /** Searches whose hits could not be compared. */
        FAILED
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchExtBuilder;

/** {@code "ext": {"simhash": {"evidence": true}}} in a search: each hit says why it matches. */
public final class EvidenceRequest extends SearchExtBuilder {

    public static final String NAME = "simhash";

    /** The first byte on the wire. It tells this request from others of the same name. */
    public static final byte KIND = 0;

    public static final ParseField EVIDENCE = new ParseField("evidence");

    private final boolean evidence;

    public EvidenceRequest(boolean evidence) {
        this.evidence = evidence;
    }

    /** Reads what follows the {@link #KIND}. */
    public EvidenceRequest(StreamInput in) throws IOException {
        this.evidence = in.readBoolean();
    }

    static boolean isWanted(SearchExtBuilder ext) {
        return ext instanceof EvidenceRequest request && request.evidence;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeByte(KIND);
        out.writeBoolean(evidence);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject(NAME)
                .field(EVIDENCE.getPreferredName(), evidence)
                .endObject();
    }

    @Override
    public String getWriteableName() {
        return NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EvidenceRequest request && evidence == request.evidence;
    }

    @Override
    public int hashCode() {
        return Boolean.hashCode(evidence);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;

/** {@code "ext": {"simhash": {"evidence": true}}} of a search: each hit is to say why it matches. */
public final class EvidenceRequest extends SearchExtBuilder {

    public static final String NAME = "simhash";

    private static final ParseField EVIDENCE = new ParseField("evidence");
    private static final ConstructingObjectParser<EvidenceRequest, Void> PARSER =
            new ConstructingObjectParser<>(NAME, arguments -> new EvidenceRequest((Boolean) arguments[0]));

    static {
        PARSER.declareBoolean(ConstructingObjectParser.constructorArg(), EVIDENCE);
    }

    private final boolean evidence;

    EvidenceRequest(boolean evidence) {
        this.evidence = evidence;
    }

    public EvidenceRequest(StreamInput in) throws IOException {
        this.evidence = in.readBoolean();
    }

    public static EvidenceRequest fromXContent(XContentParser parser) {
        return PARSER.apply(parser, null);
    }

    boolean evidence() {
        return evidence;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.search.query.EvidenceRequest;

/**
 * {@code "ext": {"simhash": {"distinct": {…}}}} in a search: a page without near-duplicates. The node that takes the search
 * removes it before shards and other clusters see it.
 */
final class DistinctRequest extends SearchExtBuilder {

    static final String NAME = "distinct";

    /** First byte on the wire, since other types share the name. */
    static final byte KIND = 2;

    private final Map<String, Object> typed;
    private final boolean evidence;
    private final CollapseOptions options;

    /**
     * @param typed the options, as in the request
     * @param evidence whether hits say why they match, as {@link EvidenceRequest}
     * @throws org.opensearch.OpenSearchParseException with the option, the rule and the value
     */
    DistinctRequest(Map<String, Object> typed, boolean evidence) {
        this.typed = typed;
        this.evidence = evidence;
        this.options = CollapseOptions.whole(typed);
    }

    /** Reads the part after {@link #KIND}. */
    DistinctRequest(StreamInput in) throws IOException {
        this(in.readMap(), in.readBoolean());
    }

    /** That of a search; null if it has none. */
    static DistinctRequest of(SearchRequest search) {
        return search.source() == null
                ? null
                : ours(search.source())
                        .map(DistinctRequest.class::cast)
                        .findFirst()
                        .orElse(null);
    }

    private static Stream<SearchExtBuilder> ours(SearchSourceBuilder source) {
        return source.ext().stream().filter(DistinctRequest.class::isInstance);
    }

    CollapseOptions options() {
        return options;
    }

    /** Leaves the other sections of a source, which is changed. */
    SearchSourceBuilder removeFrom(SearchSourceBuilder source) {
        Stream<SearchExtBuilder> others = source.ext().stream().filter(ext -> ext instanceof DistinctRequest == false);
        List<SearchExtBuilder> left = evidence
                ? Stream.concat(others, Stream.of(new EvidenceRequest(true))).toList()
                : others.toList();
        return source.ext(left);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeByte(KIND);
        out.writeMap(typed);
        out.writeBoolean(evidence);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject(EvidenceRequest.NAME)
                .field(EvidenceRequest.EVIDENCE.getPreferredName(), evidence)
                .field(NAME, typed)
                .endObject();
    }

    @Override
    public String getWriteableName() {
        return EvidenceRequest.NAME;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DistinctRequest request && evidence == request.evidence && typed.equals(request.typed);
    }

    @Override
    public int hashCode() {
        return typed.hashCode();
    }
}

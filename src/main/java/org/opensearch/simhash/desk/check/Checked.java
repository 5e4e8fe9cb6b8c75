/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;
import org.opensearch.simhash.jobs.request.LocalAction.LocalResponse;

/** What a check found. */
public final class Checked extends LocalResponse {

    private final PrintCounts counts;
    private final List<Scheme> schemes;
    private final List<Finding> findings;

    /** A scheme of stored fingerprints, and the pipeline that makes it, or null. */
    public record Scheme(String name, long documents, String pipeline, boolean isCurrent) implements ToXContentObject {

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            return builder.startObject()
                    .field("scheme", name)
                    .field("documents", documents)
                    .field("pipeline", pipeline)
                    .field("current", isCurrent)
                    .endObject();
        }
    }

    Checked(PrintCounts counts, List<Scheme> schemes, List<Finding> findings) {
        this.counts = counts;
        this.schemes = schemes;
        this.findings = findings;
    }

    public List<Scheme> schemes() {
        return schemes;
    }

    /** Whether documents have what a processor made, if only a digest. */
    public boolean hasPrints() {
        return counts.fingerprinted() + counts.tooShort() > 0;
    }

    public List<Finding> findings(Set<Code> codes) {
        return findings.stream()
                .filter(finding -> codes.contains(finding.code()))
                .toList();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject()
                .field("status", findings.isEmpty() ? "ok" : findings.getFirst().status())
                .field("documents", counts.documents())
                .field("fingerprinted", counts.fingerprinted())
                .field("too_short", counts.tooShort())
                .field("without", counts.without())
                .field("schemes", schemes)
                .field("findings", findings)
                .endObject();
    }
}

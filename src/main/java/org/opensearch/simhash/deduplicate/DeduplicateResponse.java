/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.deduplicate.groups.GroupReport;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobResponse;
import org.opensearch.simhash.deduplicate.write.GroupMapping;

public final class DeduplicateResponse extends JobResponse {

    private final String sinceRun;
    private final String dest;
    private final Map<String, Long> schemes;
    private final Map<String, Long> millis;
    private final List<GroupReport> examples;

    /**
     * @param sinceRun null without {@code "new_since": "last"}
     * @param dest null without one
     */
    DeduplicateResponse(
            String run,
            String sinceRun,
            String dest,
            Map<String, Long> counts,
            Map<String, Long> schemes,
            Map<String, Long> millis,
            JobOutcome outcome,
            List<GroupReport> examples) {
        super(run, counts, outcome);
        this.sinceRun = sinceRun;
        this.dest = dest;
        this.schemes = schemes;
        this.millis = millis;
        this.examples = examples;
    }

    @Override
    protected void more(XContentBuilder builder) throws IOException {
        if (sinceRun != null) {
            builder.field("new_since", sinceRun);
        }
        if (dest != null) {
            builder.field("page", GroupMapping.page(dest));
        }
        builder.field("schemes", schemes);
        builder.field("phases_millis", millis);
        builder.field("examples", examples);
    }
}

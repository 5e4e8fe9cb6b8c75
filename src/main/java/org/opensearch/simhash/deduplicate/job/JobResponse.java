/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.request.LocalAction.LocalResponse;

/** The result of a job: counts by name, in documented order. */
public class JobResponse extends LocalResponse {

    private final String run;
    private final Map<String, Long> counts;
    private final List<JobOutcome.WriteFailure> failures;
    private final List<String> warnings;

    /**
     * @param run null if it has no id
     * @param outcome has failures and warnings
     */
    public JobResponse(String run, Map<String, Long> counts, JobOutcome outcome) {
        this.run = run;
        this.counts = counts;
        this.failures = outcome.failures();
        this.warnings = outcome.warnings();
    }

    public final long count(String name) {
        return counts.get(name);
    }

    public final String run() {
        return run;
    }

    public final List<JobOutcome.WriteFailure> failures() {
        return failures;
    }

    public final List<String> warnings() {
        return warnings;
    }

    /** The status of the first failure. */
    @Override
    public final RestStatus status() {
        return failures.isEmpty() ? RestStatus.OK : failures.getFirst().status();
    }

    @Override
    public final XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            builder.field(count.getKey(), count.getValue());
        }
        builder.field("failures", failures);
        builder.field("warnings", warnings);
        if (run != null) {
            builder.field("run", run);
        }
        more(builder);
        return builder.endObject();
    }

    /** Adds further fields. */
    protected void more(XContentBuilder builder) throws IOException {}
}

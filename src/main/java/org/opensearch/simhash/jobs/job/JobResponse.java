/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.jobs.request.LocalAction.LocalResponse;

/** The result of a job: counts by name, in documented order. */
public final class JobResponse extends LocalResponse {

    private final String run;
    private final Map<String, Long> counts;
    private final List<JobOutcome.WriteFailure> failures;
    private final List<String> warnings;

    private final Map<String, Object> more;

    /** @param more further fields, in documented order */
    public JobResponse(String run, Map<String, Long> counts, JobOutcome outcome, Map<String, Object> more) {
        this.run = run;
        this.counts = counts;
        this.failures = outcome.failures();
        this.warnings = outcome.warnings();
        this.more = more;
    }

    public JobResponse(String run, Map<String, Long> counts, JobOutcome outcome) {
        this(run, counts, outcome, Map.of());
    }

    public long count(String name) {
        return counts.get(name);
    }

    public String run() {
        return run;
    }

    public List<JobOutcome.WriteFailure> failures() {
        return failures;
    }

    public List<String> warnings() {
        return warnings;
    }

    @Override
    public RestStatus status() {
        return failures.isEmpty() ? RestStatus.OK : failures.getFirst().status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            builder.field(count.getKey(), count.getValue());
        }
        builder.field("failures", failures);
        builder.field("warnings", warnings);
        if (run != null) {
            builder.field("run", run);
        }
        for (Map.Entry<String, Object> field : more.entrySet()) {
            builder.field(field.getKey(), field.getValue());
        }
        return builder.endObject();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.simhash.core.join.Linkage.LinkVisitor;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobRun;

/**
 * Writes all links of a run into {@code dest}, a thousand in a document, so that a job with the same parameters replaces them like its
 * groups. Keeps a page. Not thread-safe.
 */
public final class PairPages {

    private static final int PAGE = 1_000;

    /** Some gigabytes of {@code dest}. */
    private static final int MOST = 50_000_000;

    private final JobRun run;
    private final String runId;
    private final String parameters;
    private final JobOutcome outcome;
    private final BulkWrites writes;
    private List<List<Object>> page = new ArrayList<>();
    private int pages;

    public PairPages(JobRun run, String runId, JobOutcome outcome) {
        this.run = run;
        this.runId = runId;
        this.parameters = run.options().asMap().toString();
        this.outcome = outcome;
        this.writes = new BulkWrites(run.client(), run.task(), outcome);
        GroupMapping.complete(
                run.client(), run.services().state(), run.options().dest());
    }

    public LinkVisitor of(DocumentTable table) {
        boolean hasDistances = run.options().passages() == null;
        return (a, b, distance, similarity) -> {
            page.add(Arrays.asList(
                    table.indexOf(a),
                    table.id(a),
                    table.indexOf(b),
                    table.id(b),
                    hasDistances && distance >= 0 ? distance : null,
                    Double.isNaN(similarity) ? null : similarity));
            if (page.size() == PAGE) {
                end();
            }
        };
    }

    public void end() {
        List<List<Object>> full = page;
        page = new ArrayList<>();
        if (full.isEmpty() || outcome.isStopped()) {
            return;
        }
        if (pages >= MOST / PAGE) {
            throw new IllegalArgumentException("[pairs] must be at most " + MOST + " links, got: more");
        }
        IndexRequest request = new IndexRequest(run.options().dest())
                .id(GroupDocument.id(parameters + "\npairs\n" + pages))
                .source(GroupMapping.RUN, runId, GroupMapping.PAGE, pages++, GroupMapping.PAIRS, full);
        writes.write(List.of(BulkWrites.asItIs(request)), all -> all, one -> one, (one, written) -> {});
    }
}

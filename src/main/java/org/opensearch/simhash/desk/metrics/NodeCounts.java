/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.ingest.FingerprintCounts;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.query.SearchCounts;

/** All counts of a node as shown: a section per part of the plugin, and one for errors. Thread-safe. */
public record NodeCounts(
        FingerprintCounts fingerprints,
        SearchCounts searches,
        Counters<DuplicateCount> duplicates,
        Counters<CollapseCount> collapse,
        Counters<JobCount> jobs) {

    static final List<String> SECTIONS = List.of("fingerprints", "queries", "duplicates", "collapse", "jobs", "errors");

    private static final String FAILED = "failed";

    /** Counts by name, for the given sections. Unknown names are ignored. */
    Map<String, Object> sections(List<String> names) {
        // Read first: a job that ends meanwhile still counts as running.
        long ended = jobs.get(JobCount.COMPLETED) + jobs.get(JobCount.CANCELLED) + jobs.get(JobCount.FAILED);
        Map<String, Map<String, Object>> sections = new LinkedHashMap<>();
        counters().forEach((name, counts) -> sections.put(name, new LinkedHashMap<>(counts.toMap())));
        sections.values().forEach(section -> section.remove(FAILED));
        sections.get("fingerprints").remove("indexed");
        sections.get("fingerprints").put("time_in_millis", fingerprints.times().total() / 1_000_000);
        sections.get("queries").put("leaves_by_plan", searches.leaves().toMap());
        Map<String, Object> ofJobs = sections.get("jobs");
        ofJobs.put("running", (long) ofJobs.get("started") - ended);
        Map<String, Object> all = new LinkedHashMap<>(sections);
        all.put("errors", errors());
        all.keySet().retainAll(names);
        return all;
    }

    private Map<String, Counters<?>> counters() {
        Map<String, Counters<?>> counters = new LinkedHashMap<>();
        counters.put("fingerprints", fingerprints.documents());
        counters.put("queries", searches.counts());
        counters.put("duplicates", duplicates);
        counters.put("collapse", collapse);
        counters.put("jobs", jobs);
        return counters;
    }

    public Map<String, Long> errors() {
        Map<String, Long> errors = new LinkedHashMap<>();
        counters().forEach((name, counts) -> errors.put(name, counts.toMap().get(FAILED)));
        return errors;
    }
}

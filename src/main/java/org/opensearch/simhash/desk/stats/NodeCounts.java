/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.stats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.ingest.FingerprintCounts;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.query.SearchCounts;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;

/**
 * All counts of a node as shown: a section per part of the plugin, and one for errors. Thread-safe.
 *
 * @param searches of the {@code simhash} queries
 */
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
        Map<String, Object> sections = new LinkedHashMap<>();
        sections.put("fingerprints", ofFingerprints());
        sections.put("queries", ofQueries());
        sections.put("duplicates", succeeded(duplicates));
        sections.put("collapse", succeeded(collapse));
        sections.put("jobs", ofJobs());
        sections.put("errors", errors());
        sections.keySet().retainAll(names);
        return sections;
    }

    private Map<String, Object> ofFingerprints() {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("documents", fingerprints.documents().get(FingerprintCount.DOCUMENTS));
        section.put("too_short", fingerprints.documents().get(FingerprintCount.TOO_SHORT));
        section.put("no_text", fingerprints.documents().get(FingerprintCount.NO_TEXT));
        section.put("time_in_millis", fingerprints.times().total() / 1_000_000);
        return section;
    }

    private Map<String, Object> ofQueries() {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("total", searches.counts().get(SearchCount.TOTAL));
        section.put("leaves_by_plan", searches.leaves().toMap());
        section.putAll(succeeded(searches.counts()));
        return section;
    }

    private Map<String, Object> ofJobs() {
        // Read first: a job that ends meanwhile still counts as running.
        long ended = jobs.get(JobCount.COMPLETED) + jobs.get(JobCount.CANCELLED) + jobs.get(JobCount.FAILED);
        Map<String, Object> section = succeeded(jobs);
        section.put("running", (long) section.get("started") - ended);
        return section;
    }

    /** Failures by section. */
    public Map<String, Long> errors() {
        Map<String, Long> section = new LinkedHashMap<>();
        section.put("fingerprints", fingerprints.documents().get(FingerprintCount.FAILED));
        section.put("queries", searches.counts().get(SearchCount.FAILED));
        section.put("duplicates", duplicates.get(DuplicateCount.FAILED));
        section.put("collapse", collapse.get(CollapseCount.FAILED));
        section.put("jobs", jobs.get(JobCount.FAILED));
        return section;
    }

    private static Map<String, Object> succeeded(Counters<?> counters) {
        Map<String, Object> section = new LinkedHashMap<>(counters.toMap());
        section.remove(FAILED);
        return section;
    }
}

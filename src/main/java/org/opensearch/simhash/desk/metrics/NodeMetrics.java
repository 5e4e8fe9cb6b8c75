/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.arrivals.NearDuplicates;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.desk.check.CheckAction.LastChecks;
import org.opensearch.simhash.desk.stats.NodeCounts;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.schedules.Schedules;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;

/**
 * All metrics of a node; the counts are those of {@code stats}. Reading takes less than a millisecond and blocks no
 * counting. Thread-safe.
 */
public record NodeMetrics(
        NodeCounts counts,
        JobRunner jobs,
        LastChecks checks,
        Schedules schedules,
        NearDuplicates duplicates,
        FingerprintMemory memory,
        RequestCounts requests) {

    static final String PREFIX = "opensearch_simhash_";

    /** @param nodeId prefix of task ids */
    List<Metric> read(String nodeId) {
        return Stream.of(
                        ofTimes(),
                        ofDocuments(),
                        ofSearches(),
                        ofJobs(),
                        ofMemory(),
                        ofStates(),
                        new RunningJobs(jobs, nodeId).metrics())
                .flatMap(List::stream)
                .toList();
    }

    /** Metrics with fixed labels. */
    List<Metric> lasting() {
        return Stream.of(ofDocuments(), ofSearches(), ofJobs(), ofMemory())
                .flatMap(List::stream)
                .filter(metric -> metric.name().equals(PREFIX + "requests") == false)
                .toList();
    }

    private List<Metric> ofTimes() {
        Metric queries = Metric.histogram(
                "query_seconds",
                "Query phases of shards with simhash queries, by the plan that did most of their work.");
        counts.searches().times().forEach((plan, times) -> queries.add(Map.of("plan", lower(plan)), times.histogram()));
        Metric phases =
                Metric.histogram("job_phase_seconds", "What each ended job spent in a phase altogether, by phase.");
        JobRunner.PHASES.forEach(phase ->
                phases.add(Map.of("phase", phase.toString()), jobs.times(phase).histogram()));
        return List.of(
                Metric.histogram("fingerprint_seconds", "Documents in the processors simhash and image_hash.")
                        .add(Map.of(), counts.fingerprints().times().histogram()),
                queries,
                Metric.histogram(
                                "lookup_seconds",
                                "Documents that near_duplicate decided on together, from arrival to decision.")
                        .add(Map.of(), duplicates.times().histogram()),
                Metric.histogram(
                                "verification_seconds", "Comparisons of two texts by queries, near_duplicate and jobs.")
                        .add(Map.of(), counts.searches().comparisons().histogram()),
                phases);
    }

    private List<Metric> ofDocuments() {
        Counters<FingerprintCount> made = counts.fingerprints().documents();
        Counters<DuplicateCount> near = counts.duplicates();
        return List.of(
                Metric.counter("documents", "Documents by what the processors made of them.")
                        .add("outcome", "indexed", made.get(FingerprintCount.INDEXED))
                        .add("outcome", "too_short", made.get(FingerprintCount.TOO_SHORT))
                        .add("outcome", "no_text", made.get(FingerprintCount.NO_TEXT))
                        .add("outcome", "tagged", near.get(DuplicateCount.TAGGED))
                        .add("outcome", "dropped", near.get(DuplicateCount.DROPPED))
                        .add("outcome", "refused", near.get(DuplicateCount.REFUSED))
                        .add("outcome", "stale_fingerprint", near.get(DuplicateCount.STALE_FINGERPRINT))
                        .add("outcome", "short_text", near.get(DuplicateCount.SHORT_TEXT))
                        .add("outcome", "own_text", near.get(DuplicateCount.OWN_TEXT))
                        .add("outcome", "failed", made.get(FingerprintCount.FAILED) + near.get(DuplicateCount.FAILED)),
                Metric.counter("fingerprinted_documents", "Documents that got a fingerprint or a digest.")
                        .add(made.get(FingerprintCount.DOCUMENTS)),
                Metric.counter("looked_up_documents", "Documents that near_duplicate compared with others.")
                        .add(near.get(DuplicateCount.LOOKED_UP)),
                Metric.counter(
                                "documents_without_fingerprint",
                                "Documents and hits compared with nothing for want of a fingerprint, by who would compare.")
                        .add("by", "near_duplicate", near.get(DuplicateCount.WITHOUT_FINGERPRINT))
                        .add("by", "collapse", counts.collapse().get(CollapseCount.WITHOUT_FINGERPRINT))
                        .add("by", "job", counts.jobs().get(JobCount.WITHOUT_FINGERPRINT)),
                Metric.counter(
                                "window_incomplete_documents",
                                "Documents compared without what some node accepted lately.")
                        .add(near.get(DuplicateCount.WINDOW_INCOMPLETE)),
                Metric.counter("errors", "What failed, by part of the plugin.").addAll("part", counts.errors()),
                Metric.counter("requests", "Answers to HTTP requests, by kind and status.")
                        .addSamples(requests.samples()));
    }

    private List<Metric> ofSearches() {
        Counters<SearchCount> searches = counts.searches().counts();
        Map<String, Long> work = searches.toMap();
        work.remove(lower(SearchCount.TOTAL));
        work.remove(lower(SearchCount.FAILED));
        Map<String, Long> collapsed = counts.collapse().toMap();
        long collapsedSearches = collapsed.remove(lower(CollapseCount.SEARCHES));
        collapsed.keySet().retainAll(List.of(lower(CollapseCount.HITS), lower(CollapseCount.HIDDEN)));
        return List.of(
                Metric.counter("queries", "Fingerprints that shards were searched for.")
                        .add(searches.get(SearchCount.TOTAL)),
                Metric.counter("query_leaves", "Lucene leaves that queries searched, by plan.")
                        .addAll("plan", counts.searches().leaves().toMap()),
                Metric.counter("query_steps", "What queries did, by kind.").addAll("kind", work),
                Metric.counter("collapsed_searches", "Searches whose hits were compared.")
                        .add(collapsedSearches),
                Metric.counter("collapsed_hits", "Hits that were compared, and those of them that were hidden.")
                        .addAll("kind", collapsed));
    }

    private List<Metric> ofJobs() {
        Counters<JobCount> jobCounts = counts.jobs();
        Map<String, Long> ends = new LinkedHashMap<>();
        Map<String, Long> documents = jobCounts.toMap();
        for (JobCount end : List.of(JobCount.COMPLETED, JobCount.CANCELLED, JobCount.FAILED)) {
            ends.put(lower(end), documents.remove(lower(end)));
        }
        long started = documents.remove(lower(JobCount.STARTED));
        documents.remove(lower(JobCount.WITHOUT_FINGERPRINT));
        return List.of(
                Metric.counter("started_jobs", "Jobs that began.").add(started),
                Metric.counter("ended_jobs", "Jobs that ended, by how.").addAll("outcome", ends),
                Metric.counter("job_documents", "Documents that jobs wrote or left alone, by what became of them.")
                        .addAll("outcome", documents));
    }

    private List<Metric> ofStates() {
        Metric findings = Metric.gauge("check_findings", "What the last check of an index found, by code.");
        Metric checked =
                Metric.gauge("last_check_timestamp_seconds", "When an index was checked last, in seconds since 1970.");
        checks.all().forEach((index, check) -> {
            check.findings().forEach((code, count) -> findings.add(Map.of("index", index, "code", code), count));
            checked.add("index", index, check.at() / 1_000.0);
        });
        Metric runs = Metric.gauge(
                "last_run_timestamp_seconds",
                "When the last job with this dest completed without failures, in seconds since 1970.");
        jobs.lastRuns().toMap().forEach((dest, at) -> runs.add("dest", dest, at / 1_000.0));
        Metric completed = Metric.gauge(
                "schedule_last_success_timestamp_seconds",
                "When the last run of a schedule completed without failures, or the schedule was put, in seconds since 1970.");
        Metric every = Metric.gauge("schedule_interval_seconds", "Time between the runs of a schedule.");
        schedules.times().forEach((name, times) -> {
            completed.add("schedule", name, times.completed() / 1_000.0);
            every.add("schedule", name, times.every() / 1_000.0);
        });
        return List.of(findings, checked, runs, completed, every);
    }

    private List<Metric> ofMemory() {
        var window = duplicates.window();
        return List.of(
                Metric.gauge("window_entries", "Documents in the window of near_duplicate.")
                        .add(window.entries()),
                Metric.gauge("window_oldest_age_seconds", "Age of the oldest document in the window.")
                        .add(window.oldest() / 1_000.0),
                Metric.counter(
                                "window_evictions",
                                "Documents that left the window before their time, or never got in, for want of room.")
                        .add(window.evicted()),
                Metric.gauge("breaker_used_bytes", "Memory that the circuit breaker simhash accounts for.")
                        .add(memory.used()),
                Metric.gauge("breaker_limit_bytes", "Limit of the circuit breaker simhash.")
                        .add(memory.limit()));
    }

    private static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The running jobs of a node, labelled by task.
     *
     * @param nodeId prefix of task ids
     */
    private record RunningJobs(JobRunner jobs, String nodeId) {

        private static final double SECONDS = 1e9;

        List<Metric> metrics() {
            Metric progress =
                    Metric.gauge("job_progress_ratio", "How much of its phase a job has done, where that is known.");
            Metric idle = Metric.gauge(
                    "job_idle_seconds",
                    "How long ago a job last did anything; 0 while it waits for a thread or its pace.");
            Metric read = Metric.gauge("job_read_documents", "Documents that a running job has read.");
            Metric written = Metric.gauge("job_written_documents", "Documents that a running job has written.");
            int waiting = 0;
            int running = 0;
            for (JobTask job : jobs.underWay()) {
                JobStatus status = job.getStatus();
                if (job.hasBegun()) {
                    running++;
                } else {
                    waiting++;
                }
                Map<String, String> labels = labels(job, status);
                if (status.total() > 0) {
                    progress.add(labels, (double) status.done() / status.total());
                }
                idle.add(labels, job.idleNanos() / SECONDS);
                read.add(labels, status.read());
                written.add(labels, status.written());
            }
            return List.of(
                    Metric.gauge("jobs", "Jobs of this node, by whether they run or wait for a thread.")
                            .add("state", "running", running)
                            .add("state", "waiting", waiting),
                    progress,
                    idle,
                    read,
                    written);
        }

        private Map<String, String> labels(JobTask job, JobStatus status) {
            String action = job.getAction();
            return Map.of(
                    "kind",
                    action.substring(action.lastIndexOf('/') + 1),
                    "task",
                    new TaskId(nodeId, job.getId()).toString(),
                    "phase",
                    status.phase());
        }
    }
}

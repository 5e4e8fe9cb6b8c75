/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.simhash.arrivals.NearDuplicates;
import org.opensearch.simhash.arrivals.decision.DuplicateCount;
import org.opensearch.simhash.desk.check.CheckAction.LastChecks;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.schedules.Schedules;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.FingerprintCounts.FingerprintCount;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.query.SearchCounts.SearchCount;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.tags.Tags;

/** All metrics of a node. The type of a name never changes between releases. Blocks no counting. Thread-safe. */
public record NodeMetrics(
        NodeCounts counts,
        JobRunner jobs,
        LastChecks checks,
        Schedules schedules,
        NearDuplicates duplicates,
        FingerprintMemory memory,
        RequestCounts requests) {

    private static final String PREFIX = "opensearch_simhash_";

    /** By the end of a name. */
    private static final Map<String, Unit> UNITS =
            Map.of("seconds", Unit.SECONDS, "bytes", Unit.BYTES, "ratio", Unit.RATIO);

    /** What becomes of a document. */
    private static final Set<String> OUTCOMES = Set.of(new String[] {
        "indexed", "too_short", "no_text", "tagged", "dropped", "refused", "stale_fingerprint", "short_text", "own_text"
    });

    MetricSnapshots read(String nodeId) {
        return new MetricSnapshots(
                Stream.of(ofTimes(), ofDocuments(), ofSearches(), ofJobs(), ofMemory(), ofStates(), ofRunning(nodeId))
                        .flatMap(List::stream)
                        .filter(metric -> metric.getDataPoints().isEmpty() == false)
                        .toList());
    }

    /** Registers what has fixed labels in OpenSearch's telemetry, which reads it when it collects. Free without telemetry. */
    public List<Closeable> register(MetricsRegistry registry) {
        List<Closeable> gauges = new ArrayList<>();
        for (MetricSnapshot metric : lasting()) {
            MetricMetadata known = metric.getMetadata();
            // In OpenTelemetry's notation.
            String unit = Unit.BYTES.equals(known.getUnit()) ? "By" : Unit.SECONDS.equals(known.getUnit()) ? "s" : "1";
            for (DataPointSnapshot point : metric.getDataPoints()) {
                Tags tags = Tags.create();
                for (Label label : point.getLabels()) {
                    tags = tags.addTag(label.getName(), label.getValue());
                }
                gauges.add(registry.createGauge(
                        known.getName(), known.getHelp(), unit, () -> value(known.getName(), point.getLabels()), tags));
            }
        }
        return gauges;
    }

    private List<MetricSnapshot> lasting() {
        return Stream.of(ofDocuments(), ofSearches(), ofJobs(), ofMemory())
                .flatMap(List::stream)
                .filter(metric -> metric.getMetadata().getName().equals(PREFIX + "requests") == false)
                .toList();
    }

    private double value(String name, Labels labels) {
        return lasting().stream()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> metric.getDataPoints().stream())
                .filter(point -> point.getLabels().equals(labels))
                .mapToDouble(NodeMetrics::value)
                .findFirst()
                .orElseThrow();
    }

    static double value(DataPointSnapshot point) {
        return point instanceof CounterDataPointSnapshot counted
                ? counted.getValue()
                : ((GaugeDataPointSnapshot) point).getValue();
    }

    private static MetricMetadata metadata(String name, String help) {
        return new MetricMetadata(PREFIX + name, help, UNITS.get(name.substring(name.lastIndexOf('_') + 1)));
    }

    /** Of what only grows from the start of the node. */
    static MetricSnapshot counter(String name, String help, Map<Labels, ? extends Number> values) {
        return new CounterSnapshot(
                metadata(name, help),
                values.entrySet().stream()
                        .map(one -> new CounterDataPointSnapshot(one.getValue().doubleValue(), one.getKey(), null, 0))
                        .toList());
    }

    private static MetricSnapshot counter(String name, String help, Number value) {
        return counter(name, help, Map.of(Labels.EMPTY, value));
    }

    static MetricSnapshot gauge(String name, String help, Map<Labels, ? extends Number> values) {
        return new GaugeSnapshot(
                metadata(name, help),
                values.entrySet().stream()
                        .map(one -> new GaugeDataPointSnapshot(one.getValue().doubleValue(), one.getKey(), null))
                        .toList());
    }

    private static MetricSnapshot gauge(String name, String help, Number value) {
        return gauge(name, help, Map.of(Labels.EMPTY, value));
    }

    static MetricSnapshot histogram(String name, String help, Map<Labels, Durations> times) {
        return new HistogramSnapshot(
                metadata(name, help),
                times.entrySet().stream()
                        .map(one -> {
                            Durations.Histogram read = one.getValue().histogram();
                            List<Double> bounds = new ArrayList<>(read.bounds());
                            bounds.add(Double.POSITIVE_INFINITY);
                            return HistogramDataPointSnapshot.builder()
                                    .labels(one.getKey())
                                    .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, read.counts()))
                                    .sum(read.sum())
                                    .build();
                        })
                        .toList());
    }

    private static <V> Map<Labels, V> by(String label, Map<String, V> values) {
        Map<Labels, V> labelled = new LinkedHashMap<>();
        values.forEach((name, value) -> labelled.put(Labels.of(label, name), value));
        return labelled;
    }

    private List<MetricSnapshot> ofTimes() {
        Map<String, Durations> queries = new LinkedHashMap<>();
        counts.searches().times().forEach((plan, times) -> queries.put(lower(plan), times));
        Map<String, Durations> phases = new LinkedHashMap<>();
        JobRunner.PHASES.forEach(phase -> phases.put(phase.toString(), jobs.times(phase)));
        return List.of(
                histogram(
                        "fingerprint_seconds",
                        "Documents in the processors simhash and image_hash.",
                        Map.of(Labels.EMPTY, counts.fingerprints().times())),
                histogram(
                        "query_seconds",
                        "Query phases of shards with simhash queries, by the plan that did most of their work.",
                        by("plan", queries)),
                histogram(
                        "lookup_seconds",
                        "Documents that near_duplicate decided on together, from arrival to decision.",
                        Map.of(Labels.EMPTY, duplicates.times())),
                histogram(
                        "verification_seconds",
                        "Comparisons of two texts by queries, near_duplicate and jobs.",
                        Map.of(Labels.EMPTY, counts.searches().comparisons())),
                histogram(
                        "job_phase_seconds",
                        "What each ended job spent in a phase altogether, by phase.",
                        by("phase", phases)));
    }

    private List<MetricSnapshot> ofDocuments() {
        Counters<FingerprintCount> made = counts.fingerprints().documents();
        Counters<DuplicateCount> near = counts.duplicates();
        Map<String, Long> outcomes = near.toMap();
        outcomes.putAll(made.toMap());
        outcomes.keySet().retainAll(OUTCOMES);
        outcomes.put("failed", made.get(FingerprintCount.FAILED) + near.get(DuplicateCount.FAILED));
        Map<String, Long> without = Map.of(
                "near_duplicate", near.get(DuplicateCount.WITHOUT_FINGERPRINT),
                "collapse", counts.collapse().get(CollapseCount.WITHOUT_FINGERPRINT),
                "job", counts.jobs().get(JobCount.WITHOUT_FINGERPRINT));
        return List.of(
                counter("documents", "Documents by what the processors made of them.", by("outcome", outcomes)),
                counter(
                        "fingerprinted_documents",
                        "Documents that got a fingerprint or a digest.",
                        made.get(FingerprintCount.DOCUMENTS)),
                counter(
                        "looked_up_documents",
                        "Documents that near_duplicate compared with others.",
                        near.get(DuplicateCount.LOOKED_UP)),
                counter(
                        "documents_without_fingerprint",
                        "Documents and hits compared with nothing for want of a fingerprint, by who would compare.",
                        by("by", without)),
                counter(
                        "window_incomplete_documents",
                        "Documents compared without what some node accepted lately.",
                        near.get(DuplicateCount.WINDOW_INCOMPLETE)),
                counter("errors", "What failed, by part of the plugin.", by("part", counts.errors())),
                counter("requests", "Answers to HTTP requests, by kind and status.", requests.counts()));
    }

    private List<MetricSnapshot> ofSearches() {
        Counters<SearchCount> searches = counts.searches().counts();
        Map<String, Long> work = searches.toMap();
        work.remove(lower(SearchCount.TOTAL));
        work.remove(lower(SearchCount.FAILED));
        Map<String, Long> collapsed = counts.collapse().toMap();
        long collapsedSearches = collapsed.remove(lower(CollapseCount.SEARCHES));
        collapsed.keySet().retainAll(List.of(lower(CollapseCount.HITS), lower(CollapseCount.HIDDEN)));
        return List.of(
                counter("queries", "Fingerprints that shards were searched for.", searches.get(SearchCount.TOTAL)),
                counter(
                        "query_leaves",
                        "Lucene leaves that queries searched, by plan.",
                        by("plan", counts.searches().leaves().toMap())),
                counter("query_steps", "What queries did, by kind.", by("kind", work)),
                counter("collapsed_searches", "Searches whose hits were compared.", collapsedSearches),
                counter(
                        "collapsed_hits",
                        "Hits that were compared, and those of them that were hidden.",
                        by("kind", collapsed)));
    }

    private List<MetricSnapshot> ofJobs() {
        Map<String, Long> ends = new LinkedHashMap<>();
        Map<String, Long> documents = counts.jobs().toMap();
        for (JobCount end : List.of(JobCount.COMPLETED, JobCount.CANCELLED, JobCount.FAILED)) {
            ends.put(lower(end), documents.remove(lower(end)));
        }
        long started = documents.remove(lower(JobCount.STARTED));
        documents.remove(lower(JobCount.WITHOUT_FINGERPRINT));
        return List.of(
                counter("started_jobs", "Jobs that began.", started),
                counter("ended_jobs", "Jobs that ended, by how.", by("outcome", ends)),
                counter(
                        "job_documents",
                        "Documents that jobs wrote or left alone, by what became of them.",
                        by("outcome", documents)));
    }

    private List<MetricSnapshot> ofStates() {
        Map<Labels, Long> findings = new LinkedHashMap<>();
        Map<String, Double> checked = new LinkedHashMap<>();
        checks.all().forEach((index, check) -> {
            check.findings().forEach((code, count) -> findings.put(Labels.of("index", index, "code", code), count));
            checked.put(index, check.at() / 1_000.0);
        });
        Map<String, Double> runs = new LinkedHashMap<>();
        jobs.lastRuns().toMap().forEach((dest, at) -> runs.put(dest, at / 1_000.0));
        Map<String, Double> completed = new LinkedHashMap<>();
        Map<String, Double> every = new LinkedHashMap<>();
        schedules.times().forEach((name, times) -> {
            completed.put(name, times.completed() / 1_000.0);
            every.put(name, times.every() / 1_000.0);
        });
        return List.of(
                gauge("check_findings", "What the last check of an index found, by code.", findings),
                gauge(
                        "last_check_timestamp_seconds",
                        "When an index was checked last, in seconds since 1970.",
                        by("index", checked)),
                gauge(
                        "last_run_timestamp_seconds",
                        "When the last job with this dest completed without failures, in seconds since 1970.",
                        by("dest", runs)),
                gauge(
                        "schedule_last_success_timestamp_seconds",
                        "When the last run of a schedule completed without failures, or the schedule was put, in seconds since 1970.",
                        by("schedule", completed)),
                gauge("schedule_interval_seconds", "Time between the runs of a schedule.", by("schedule", every)));
    }

    private List<MetricSnapshot> ofMemory() {
        var window = duplicates.window();
        return List.of(
                gauge("window_entries", "Documents in the window of near_duplicate.", window.entries()),
                gauge(
                        "window_oldest_age_seconds",
                        "Age of the oldest document in the window.",
                        window.oldest() / 1_000.0),
                counter(
                        "window_evictions",
                        "Documents that left the window before their time, or never got in, for want of room.",
                        window.evicted()),
                gauge("breaker_used_bytes", "Memory that the circuit breaker simhash accounts for.", memory.used()),
                gauge("breaker_limit_bytes", "Limit of the circuit breaker simhash.", memory.limit()));
    }

    private static String lower(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    /** The jobs that run or wait, labelled by task. */
    private List<MetricSnapshot> ofRunning(String nodeId) {
        Map<Labels, Double> progress = new LinkedHashMap<>();
        Map<Labels, Double> idle = new LinkedHashMap<>();
        Map<Labels, Long> read = new LinkedHashMap<>();
        Map<Labels, Long> written = new LinkedHashMap<>();
        int running = 0;
        for (JobTask job : jobs.underWay()) {
            JobStatus status = job.getStatus();
            running += job.hasBegun() ? 1 : 0;
            String action = job.getAction();
            String kind = action.substring(action.lastIndexOf('/') + 1);
            String task = new TaskId(nodeId, job.getId()).toString();
            Labels labels = Labels.of("kind", kind, "task", task, "phase", status.phase());
            if (status.total() > 0) {
                progress.put(labels, (double) status.done() / status.total());
            }
            idle.put(labels, job.idleNanos() / 1e9);
            read.put(labels, status.read());
            written.put(labels, status.written());
        }
        Map<String, Integer> states = Map.of("running", running, "waiting", idle.size() - running);
        return List.of(
                gauge("jobs", "Jobs of this node, by whether they run or wait for a thread.", by("state", states)),
                gauge("job_progress_ratio", "How much of its phase a job has done, where that is known.", progress),
                gauge(
                        "job_idle_seconds",
                        "How long ago a job last did anything; 0 while it waits for a thread or its pace.",
                        idle),
                gauge("job_read_documents", "Documents that a running job has read.", read),
                gauge("job_written_documents", "Documents that a running job has written.", written));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.schedules.Schedules.Times;
import org.opensearch.simhash.search.options.RequestOptions;

/**
 * A job that is started again and again. Immutable. Times are milliseconds since 1970.
 *
 * @param next when the next run is due; the runs after it are due each {@code every}
 * @param missed times at which no run was started, because another one was at work, or no node
 * @param completed when the last run without failures ended, or when the schedule was put
 * @param running null between two runs
 * @param last null before the end of the first run
 */
record Schedule(
        Plan plan,
        Caller by,
        long at,
        long next,
        long missed,
        long completed,
        Running running,
        Map<String, Object> last) {

    static final TimeValue MOST = TimeValue.timeValueDays(365);

    static final String TIMES = "times";

    /** What is stored, and nothing to users. */
    private static final String[] HIDDEN = {TIMES, "roles", "running.repeated"};

    private static final int ERROR_CHARACTERS = 1_000;

    /** What is run, and when. */
    record Plan(List<String> index, TimeValue every, Map<String, Object> job, WritePace pace) {

        static final String EVERY = "every";

        /** Of the stored form: each change of a schedule writes it. */
        static final int MOST_BYTES = 64 << 10;

        private static final String INDEX = "index";

        /** Reads a body: the options of a job, and two more. Whether the job's are right is checked by {@link #request}. */
        static Plan fromXContent(XContentParser parser, WritePace pace) throws IOException {
            Map<String, Object> job = RequestOptions.requiredBody(
                    (json, context) -> {
                        if (json.nextToken() != XContentParser.Token.START_OBJECT) {
                            throw RequestOptions.wrong("the body must be an object", json);
                        }
                        return json.mapOrdered();
                    },
                    parser);
            if (job.containsKey("cron")) {
                throw new IllegalArgumentException("[every] must be the time between two runs, as in 1h, in place of a"
                        + " [cron], got: " + job.get("cron"));
            }
            Plan plan = new Plan(indices(job.remove(INDEX)), every(job.remove(EVERY)), job, pace);
            int bytes = BytesReference.bytes(JsonXContent.contentBuilder().map(plan.asMap()))
                    .length();
            TypedNumber.requireAtMost("[body] of a schedule", MOST_BYTES, "bytes", bytes);
            return plan;
        }

        private Map<String, Object> asMap() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put(INDEX, index);
            fields.put(EVERY, every.getStringRep());
            fields.put("job", job);
            fields.put("requests_per_second", pace.typedRequestsPerSecond());
            return fields;
        }

        private static List<String> indices(Object typed) {
            List<?> names = typed instanceof List<?> several ? several : List.of(typed == null ? "" : typed);
            if (names.stream().allMatch(String.class::isInstance) == false) {
                throw new IllegalArgumentException("[index] must be a string or a list of strings, got: " + typed);
            }
            return List.of(Endpoint.names(
                    INDEX,
                    String.join(",", names.stream().map(String.class::cast).toList())));
        }

        private static TimeValue every(Object typed) {
            try {
                return TimeValue.parseTimeValue(typed instanceof String time ? time : "", EVERY);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("[every] must be a time such as 1h, got: " + typed, e);
            }
        }

        /** @throws IllegalArgumentException if it is run too often, or as good as never */
        void requireBetween(TimeValue min, TimeValue max) {
            if (every.millis() < min.millis() || every.millis() > max.millis()) {
                throw new IllegalArgumentException(
                        "[every] must be between " + min + " and " + max + ", got: " + every);
            }
        }

        DeduplicateAction.Request request(NamedXContentRegistry contents) throws IOException {
            try (XContentBuilder json = JsonXContent.contentBuilder().map(job);
                    XContentParser parser = JsonXContent.jsonXContent.createParser(
                            contents, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.toString())) {
                return DeduplicateAction.Request.fromXContent(index.toArray(String[]::new), parser, pace);
            }
        }
    }

    /**
     * A run that was started.
     *
     * @param task null until it is known
     * @param isRepeated in the place of one that died with its node
     */
    record Running(String claim, String process, String node, String task, long since, boolean isRepeated) {}

    static final String COMPLETED = "completed";

    static final String FAILED = "failed";

    static final String INTERRUPTED = "interrupted";

    /**
     * A run that ended, as users see it.
     *
     * @param groups null if it failed
     * @param error null if it completed
     */
    static Map<String, Object> lastRun(String result, String run, long since, long until, Number groups, String error) {
        Map<String, Object> last = new LinkedHashMap<>();
        last.put("result", result);
        last.put("run", run);
        last.put("started_at", time(since));
        last.put("ended_at", time(until));
        last.put("groups", groups);
        last.put("error", error == null ? null : Strings.cleanTruncate(error, ERROR_CHARACTERS));
        last.values().removeIf(Objects::isNull);
        return last;
    }

    static Schedule of(Plan plan, Caller by, long now) {
        return new Schedule(plan, by, now, now, 0, now, null, null);
    }

    /** With another plan. A run that is at work goes on, and the first one of the new plan starts after it. */
    Schedule replaced(Plan other, Caller now, long when) {
        return new Schedule(other, now, when, when, 0, when, running, last);
    }

    /** Each missed time is caught up by this run. */
    Schedule started(Running run) {
        if (run.isRepeated()) {
            return new Schedule(plan, by, at, next, missed, completed, run, last);
        }
        long every = plan.every().millis();
        long due = next > run.since() ? run.since() : next;
        long over = (run.since() - due) / every;
        return new Schedule(plan, by, at, due + (over + 1) * every, missed + over, completed, run, last);
    }

    /** @param process empty for a run that was lost: the next look starts it again, once */
    Schedule with(String process, String task) {
        Running known = new Running(running.claim, process, running.node, task, running.since, running.isRepeated);
        return new Schedule(plan, by, at, next, missed, completed, known, last);
    }

    Schedule ended(Map<String, Object> run) {
        long success = run.get("result").equals(COMPLETED) ? millis(run, "ended_at") : completed;
        return new Schedule(plan, by, at, next, missed, success, null, run);
    }

    boolean isRunning(String claim) {
        return running != null && running.claim.equals(claim);
    }

    /** What tells whether it is to be started. */
    Times times() {
        String claim = running == null ? null : running.claim;
        String process = running == null ? null : running.process;
        return new Times(plan.every.millis(), next, completed, claim, process);
    }

    Map<String, Object> shown(String name) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.putAll(asMap());
        return XContentMapValues.filter(fields, null, HIDDEN);
    }

    Map<String, Object> asMap() {
        Map<String, Object> fields = plan.asMap();
        fields.put("created_by", by.name());
        fields.put("roles", by.roles());
        fields.put("created_at", time(at));
        fields.put("next_run", time(next));
        fields.put("missed_runs", missed);
        fields.put(TIMES, times().toString());
        if (running != null) {
            Map<String, Object> run = new LinkedHashMap<>();
            run.put("node", running.node);
            run.put("task", running.task);
            run.put("since", time(running.since));
            run.put("repeated", running.isRepeated);
            fields.put("running", run);
        }
        if (last != null) {
            fields.put("last_run", last);
        }
        return fields;
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    /** @param stored from {@link #asMap} */
    @SuppressWarnings("unchecked")
    static Schedule of(Map<String, Object> stored) {
        Times times = Times.of((String) stored.get(TIMES));
        Map<String, Object> run = (Map<String, Object>) stored.get("running");
        return new Schedule(
                new Plan(
                        (List<String>) stored.get(Plan.INDEX),
                        TimeValue.parseTimeValue((String) stored.get(Plan.EVERY), Plan.EVERY),
                        (Map<String, Object>) stored.get("job"),
                        WritePace.of(((Number) stored.get("requests_per_second")).floatValue())),
                new Caller((String) stored.get("created_by"), (String) stored.get("roles")),
                millis(stored, "created_at"),
                times.next(),
                ((Number) stored.get("missed_runs")).longValue(),
                times.completed(),
                run == null
                        ? null
                        : new Running(
                                times.claim(),
                                times.process(),
                                (String) run.get("node"),
                                (String) run.get("task"),
                                millis(run, "since"),
                                (Boolean) run.get("repeated")),
                (Map<String, Object>) stored.get("last_run"));
    }

    static long millis(Map<String, Object> fields, String name) {
        return Instant.parse((String) fields.get(name)).toEpochMilli();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.JobQuery;
import org.opensearch.simhash.deduplicate.schedule.ScheduledRun;
import org.opensearch.simhash.deduplicate.schedule.ScheduledRun.LastRun;
import org.opensearch.simhash.deduplicate.write.GroupIndex;
import org.opensearch.simhash.deduplicate.write.JobIndex;
import org.opensearch.transport.client.Client;

/**
 * A job of {@code "new_since": "last"}: finds what is new since the last run, and stores what this run saw. Blocks its
 * one thread.
 *
 * @param client sends requests as children of the task
 */
record ScheduledJob(
        JobServices services,
        Client client,
        TaskId task,
        DeduplicateOptions options,
        List<String> indices,
        String run,
        JobOutcome outcome) {

    @FunctionalInterface
    interface Job {

        DeduplicateResponse run(QueryBuilder newSince, String sinceRun) throws IOException;
    }

    DeduplicateResponse run(Job job) throws IOException {
        GroupIndex.create(client, services.cluster().state(), options.dest());
        ScheduledRun scheduled = ScheduledRun.begin(services.client(), dest(), task, run);
        boolean isCompleted = false;
        try {
            LastRun last = comparable(scheduled.last());
            scheduled.look(services, client, indices);
            QueryBuilder changed = last == null ? null : JobQuery.changedAfter(last.seen());
            DeduplicateResponse response = job.run(changed, last == null ? null : last.run());
            if (outcome.failures().isEmpty()) {
                isCompleted = complete(scheduled);
            }
            return response;
        } finally {
            if (isCompleted == false) {
                scheduled.giveUp();
            }
        }
    }

    private String dest() {
        return JobIndex.written(services.cluster().state(), options.dest())
                .map(index -> index.getIndex().getName())
                .orElse(options.dest());
    }

    private boolean complete(ScheduledRun scheduled) throws IOException {
        try {
            scheduled.complete(asText());
            return true;
        } catch (RuntimeException e) {
            outcome.warn("[new_since] last: what this run saw is not remembered, the next one starts where it did: "
                    + e.getMessage());
            return false;
        }
    }

    /** Null if the last run had other options: they may have left out what matters now. */
    private LastRun comparable(LastRun last) throws IOException {
        if (last == null || last.options().equals(asText())) {
            return last;
        }
        outcome.warn("[new_since] last: the last run [" + last.run() + "] into [" + options.dest()
                + "] had other options, so this one looks at all documents");
        return null;
    }

    private String asText() throws IOException {
        String action = options.action().name().toLowerCase(Locale.ROOT);
        String more = switch (options.action()) {
            case REPORT -> "";
            case TAG -> " groups=" + options.groups() + " size_field=" + options.sizeField();
            case DELETE -> " max_own_words=" + options.maxOwnWords();
        };
        more += options.merge().isEmpty() ? "" : " merge=" + options.merge();
        return action + more + " " + new TreeMap<>(options.asMap());
    }
}

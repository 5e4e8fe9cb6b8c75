/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.admin.indices.refresh.RefreshResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.core.action.support.DefaultShardOperationFailedException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.arrivals.ending.Obstacle;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.search.warnings.RequestWarnings;
import org.opensearch.transport.client.Client;

/** The outcome of a job's writes. Not thread-safe. */
public final class JobOutcome {

    private static final int MOST_FAILURES = 100;
    private static final int MOST_WARNINGS = 100;

    /** Ignores deleted and closed indices. */
    private static final IndicesOptions THOSE_THERE =
            IndicesOptions.fromOptions(true, true, true, false, true, true, false, false);

    private static final Set<JobCount> CHANGES = EnumSet.of(
            JobCount.DELETED,
            JobCount.PUT_BACK,
            JobCount.TAGGED,
            JobCount.CLEARED,
            JobCount.GROUPED,
            JobCount.MERGED,
            JobCount.RESTORED);

    /** Counts in the answer, in its order. */
    private static final Set<JobCount> WRITTEN = EnumSet.range(JobCount.TAGGED, JobCount.READ_ONLY);

    private final Map<JobCount, Long> counts = new EnumMap<>(JobCount.class);
    private final List<WriteFailure> failures = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<Obstacle, Long> obstacles = new EnumMap<>(Obstacle.class);
    private Set<String> readOnly = Set.of();
    private boolean isStopped;

    /** Nothing is written into these indices. Their documents count as any others. */
    public void leaveAsTheyAre(List<String> indices) {
        readOnly = Set.copyOf(indices);
        if (indices.isEmpty() == false) {
            warn("duplicates in read-only or write-blocked indices are left as they are: " + indices);
        }
    }

    public boolean isWritable(String index) {
        return readOnly.contains(index) == false;
    }

    public void stays(Obstacle obstacle) {
        if (obstacle.kind() != null) {
            add(JobCount.valueOf(obstacle.kind().name()), 1);
        }
        obstacles.merge(obstacle, 1L, Long::sum);
    }

    /** Says why documents stay. Call it once, at the end. */
    public void warnOfObstacles(Collection<String> indices) {
        String names = String.join(",", indices);
        obstacles.forEach((obstacle, documents) -> {
            if (obstacle.isUnexpected()) {
                String mend = switch (obstacle) {
                    case ROUNDED -> ": POST /_plugins/_simhash/check/" + names + "/mend rewrites them";
                    case SHORT_TEXT -> "; [short_texts] lets such texts end";
                    default -> ": GET /_plugins/_simhash/check/" + names + " says more";
                };
                warn(documents + (documents == 1 ? " document stays" : " documents stay") + ", because "
                        + obstacle.reason().replace("original", "survivor") + mend);
            }
        });
    }

    /** A negative number takes documents back. */
    public void add(JobCount what, long documents) {
        counts.merge(what, documents, Long::sum);
    }

    public long count(JobCount what) {
        return counts.getOrDefault(what, 0L);
    }

    public void addWritten(Map<String, Long> answer) {
        WRITTEN.forEach(what -> answer.put(what.toString().toLowerCase(Locale.ROOT), count(what)));
    }

    Map<JobCount, Long> counts() {
        return counts;
    }

    /** The counts in words; empty if nothing was done. */
    String describe() {
        return counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getValue() + " " + count.getKey().toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    }

    /** @param id null if it concerns no single document */
    public void fail(String index, String id, String reason, RestStatus status) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(new WriteFailure(index, id, reason, status));
        }
    }

    /** Adds a document that does not fit into memory, even alone. */
    public void noRoom(SearchHit document, RuntimeException rejection) {
        fail(document.getIndex(), document.getId(), ReadSlices.noRoom(rejection), RestStatus.TOO_MANY_REQUESTS);
    }

    public void warn(String warning) {
        if (warnings.size() < MOST_WARNINGS && warnings.contains(warning) == false) {
            warnings.add(warning);
        }
    }

    /** Ends the writes of the job, because the rest would fail the same way. The first reason becomes the first failure, even in a full list. */
    public void stop(String index, String reason, RestStatus status) {
        if (isStopped) {
            return;
        }
        isStopped = true;
        if (failures.size() == MOST_FAILURES) {
            failures.removeLast();
        }
        failures.addFirst(new WriteFailure(index, null, "the job ends early: " + reason, status));
    }

    /** Handles a failed job. If documents have changed, it adds the failure and stops the job. Else, and for a cancelled job, it throws the error. */
    public void failed(RuntimeException e, JobTask task, String... indices) {
        if (task.isCancelled() || changes() == 0) {
            throw e;
        }
        stop(String.join(",", indices), e.toString(), ExceptionsHelper.status(e));
    }

    public long changes() {
        return CHANGES.stream().mapToLong(this::count).sum();
    }

    public boolean isStopped() {
        return isStopped;
    }

    /** Refreshes the indices. A failed refresh becomes a failure of the outcome. */
    public void refresh(Client client, Collection<String> indices) {
        if (indices.isEmpty()) {
            return; // None would be all.
        }
        try {
            RefreshResponse response = client.admin()
                    .indices()
                    .prepareRefresh(indices.toArray(String[]::new))
                    .setIndicesOptions(THOSE_THERE)
                    .get();
            for (DefaultShardOperationFailedException shard : response.getShardFailures()) {
                fail(shard.index(), null, "not refreshed: " + shard.reason(), shard.status());
            }
        } catch (RuntimeException e) {
            fail(String.join(",", indices), null, "not refreshed: " + e.getMessage(), ExceptionsHelper.status(e));
        }
    }

    /** Adds the warnings to the headers of an answer, after the last part of the action's name. */
    public void tell(RequestWarnings headers, String action) {
        String name = "[" + action.substring(action.lastIndexOf('/') + 1) + "] ";
        warnings.forEach(sentence -> headers.add(name + sentence));
    }

    public List<String> warnings() {
        return warnings;
    }

    public List<WriteFailure> failures() {
        return failures;
    }

    /**
     * A document that could not be written, or an index that could not be refreshed.
     *
     * @param id of the document, or null
     */
    public record WriteFailure(String index, String id, String reason, RestStatus status) implements ToXContentObject {

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject();
            builder.field("index", index);
            if (id != null) {
                builder.field("id", id);
            }
            builder.field("cause", reason);
            builder.field("status", status.getStatus());
            return builder.endObject();
        }
    }

    /** Counts of the jobs that this node coordinates, restores included. */
    public enum JobCount {
        STARTED,
        COMPLETED,
        CANCELLED,
        FAILED,
        /** Documents without fingerprint, which were compared with nothing. */
        WITHOUT_FINGERPRINT,
        /** Documents that became duplicates, or duplicates of another survivor or in another group. */
        TAGGED,
        /** Documents that were duplicates, and are none any more. */
        CLEARED,
        /** Other documents whose id of a group, or size, was written or removed: survivors, and those that are alone. */
        GROUPED,
        /** Without those put back. */
        DELETED,
        /** Documents that were deleted while their survivor changed, then created again. */
        PUT_BACK,
        /** Documents kept, because their survivor might not outlive a crash. */
        UNCONFIRMED,
        ARCHIVED,
        /** Survivors that got values of their duplicates. */
        MERGED,
        /** Documents left alone because they had changed. */
        VERSION_CONFLICTS,
        /** Documents left alone, because their fingerprint or that of their survivor is not that of its text. */
        STALE_FINGERPRINT,
        /** Documents whose text has no words: duplicates of nothing. */
        NO_TEXT,
        /** Documents kept, because their text is too short. */
        SHORT_TEXT,
        /** Documents kept, because they have a long run of words that their survivor lacks. */
        OWN_TEXT,
        /** Documents kept, because their text or hash is not near enough to that of the survivor. */
        NOT_SIMILAR,
        /** Documents left alone, because their index is read-only or write-blocked. */
        READ_ONLY,
        RESTORED
    }
}

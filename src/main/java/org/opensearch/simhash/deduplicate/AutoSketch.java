/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.Arrays;
import java.util.Optional;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.deduplicate.job.JobOutcome;
import org.opensearch.simhash.deduplicate.job.JobRun.JobQueries;
import org.opensearch.simhash.deduplicate.job.JobServices;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.PointInTime;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.transport.client.Client;

/**
 * Chooses what a job with {@code "sketch": "auto"} compares: fingerprints, or sketches where most pairs of fingerprints within the distance
 * are near by chance ({@link ChancePairs}), or where there are no fingerprints. It tells which, and why. Blocks its thread for two searches.
 */
record AutoSketch(JobServices services, JobTask task, Client client, DeduplicateOptions options, JobOutcome outcome) {

    /**
     * The options of the job that runs.
     *
     * @param pointInTime the caller closes it
     */
    DeduplicateOptions choose(PointInTime pointInTime) {
        DeduplicateOptions sketches = options.bySketches();
        if (isMapped(options, pointInTime) == false && isMapped(sketches, pointInTime)) {
            return take(sketches, "no index has fingerprints in [" + options.field() + "]");
        }
        JobQueries queries = JobQueries.lookUp(options.query(), null, pointInTime, services, client, task.retries());
        Optional<String> chance = ChancePairs.warning(pointInTime, queries, options, task);
        if (chance.isEmpty()) {
            return take(
                    options,
                    "by a sample of the fingerprints, few pairs within " + options.maxDistance()
                            + " bits are near by chance");
        }
        if (isMapped(sketches, pointInTime) == false) {
            return take(options, "no index has sketches in [" + sketches.field() + "]");
        }
        return take(sketches, chance.get());
    }

    private boolean isMapped(DeduplicateOptions some, PointInTime pointInTime) {
        Metadata metadata = services.cluster().state().metadata();
        String print = some.field() + "." + some.kind().part();
        return Arrays.stream(pointInTime.indices())
                .anyMatch(index -> metadata.hasIndex(index) && new IndexMapping(metadata.index(index)).maps(print));
    }

    private DeduplicateOptions take(DeduplicateOptions chosen, String reason) {
        outcome.warn("[sketch] auto takes " + chosen.kind() + ": " + reason);
        return chosen;
    }
}

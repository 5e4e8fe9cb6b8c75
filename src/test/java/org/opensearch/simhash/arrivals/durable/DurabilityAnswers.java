/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.util.List;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;

/** Answers that a test gives in the place of the primary shards. */
public final class DurabilityAnswers {

    private DurabilityAnswers() {}

    /** Says what a shard knows of a version. */
    @FunctionalInterface
    public interface Shard {

        Durability durability(String id, long sequenceNumber);
    }

    /** To a request for as many versions. */
    public static DurabilityAction.Response of(List<Durability> answers) {
        return new DurabilityAction.Response(answers);
    }

    /** To each version what a shard says of it. */
    public static DurabilityAction.Response of(DurabilityAction.Request request, Shard shard) {
        return of(request.versions().stream()
                .map(version -> shard.durability(version.id(), version.sequenceNumber()))
                .toList());
    }

    /** The same for each version of a request. */
    public static DurabilityAction.Response toAll(DurabilityAction.Request request, Durability answer) {
        return of(request, (id, sequenceNumber) -> answer);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

/** What a primary shard answers, made up. */
public final class DurabilityAnswers {

    private DurabilityAnswers() {}

    /** Says what a shard knows of a version. */
    @FunctionalInterface
    public interface Shard {

        Durability durability(String id, long sequenceNumber);
    }

    public static DurabilityAction.Response of(DurabilityAction.Request request, Shard shard) {
        return new DurabilityAction.Response(request.versions().stream()
                .map(version -> shard.durability(version.id(), version.sequenceNumber()))
                .toList());
    }
}

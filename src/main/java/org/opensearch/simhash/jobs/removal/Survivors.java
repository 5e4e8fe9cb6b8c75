/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.translog.Translog;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.jobs.groups.DocumentTable;
import org.opensearch.simhash.jobs.job.JobOutcome;
import org.opensearch.simhash.jobs.job.JobOutcome.JobCount;
import org.opensearch.simhash.jobs.scan.Retries;
import org.opensearch.simhash.jobs.write.JobWrites;
import org.opensearch.transport.client.Client;

/**
 * Confirms survivors. A survivor is confirmed if its current version is the one that was read, and durable. A duplicate is
 * deleted only for a confirmed survivor. One thread, which blocks.
 */
final class Survivors {

    private static final Logger LOGGER = LogManager.getLogger(Survivors.class);

    private final DocumentTable table;
    private final JobWrites job;
    private final JobOutcome outcome;
    private final DurableVersions before;
    private final DurableVersions after;

    /** In the last check. */
    private Set<Integer> unconfirmed = Set.of();

    Survivors(JobWrites job, DurableVersions before) {
        this.table = job.table();
        this.job = job;
        this.outcome = job.outcome();
        this.before = before;
        this.after = new DurableVersions(
                job.run().services().client(),
                job.run().services().cluster(),
                job.run().task().retriesAfterCancellation());
    }

    /**
     * The duplicates whose survivor is confirmed. If the survivor has changed or is gone, its duplicates are conflicts. If it
     * cannot be confirmed within a minute, that is a failure.
     */
    List<Duplicate> confirmed(List<Duplicate> batch) {
        Set<Durability> unsettled = EnumSet.of(Durability.PENDING, Durability.UNKNOWN);
        Map<Integer, Durability> answers = before.of(survivors(batch), this::version, unsettled);
        Metadata there = job.run().services().state().metadata();
        List<Duplicate> confirmed = new ArrayList<>();
        Set<Integer> pending = new LinkedHashSet<>();
        for (Duplicate duplicate : batch) {
            Durability answer = answers.get(duplicate.survivor());
            if (answer == Durability.DURABLE && there.index(table.index(duplicate.rank())) != null) {
                confirmed.add(duplicate);
            } else if (unsettled.contains(answer)) {
                outcome.add(JobCount.UNCONFIRMED, 1);
                pending.add(duplicate.survivor());
            } else {
                outcome.add(JobCount.VERSION_CONFLICTS, 1);
            }
        }
        pending.forEach(survivor -> fail(survivor, answers.get(survivor)));
        unconfirmed = pending;
        return confirmed;
    }

    private void fail(int survivor, Durability answer) {
        String index = table.indexOf(survivor);
        boolean isUnknown = answer == Durability.UNKNOWN;
        if (isUnknown) {
            outcome.stop(
                    index, "no primary shard tells of [" + table.id(survivor) + "]", RestStatus.SERVICE_UNAVAILABLE);
        }
        // Once per survivor: its duplicates may fill several bulks.
        if (unconfirmed.contains(survivor) == false) {
            String reason = isUnknown ? "not read" : "its last write may get lost in a crash yet";
            outcome.fail(index, table.id(survivor), reason + ": its duplicates stay", RestStatus.SERVICE_UNAVAILABLE);
        }
    }

    /** The duplicates whose survivor has changed, is gone or unknown. A confirmed version stays durable. */
    Collection<Duplicate> orphans(Collection<Duplicate> gone) {
        Set<Integer> lost = new HashSet<>();
        try {
            after.of(survivors(gone), this::version, EnumSet.of(Durability.UNKNOWN))
                    .forEach((survivor, answer) -> {
                        if (answer == Durability.CHANGED || answer == Durability.UNKNOWN) {
                            lost.add(survivor);
                        }
                    });
        } catch (RuntimeException e) {
            LOGGER.warn("survivors cannot be asked for: what was deleted for them is put back", e);
            return gone;
        }
        return gone.stream()
                .filter(duplicate -> lost.contains(duplicate.survivor()))
                .toList();
    }

    private static Set<Integer> survivors(Collection<Duplicate> duplicates) {
        return duplicates.stream().map(Duplicate::survivor).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private StoredVersion version(int rank) {
        return new StoredVersion(
                table.shard(rank), table.id(rank), table.sequenceNumber(rank), table.primaryTerm(rank));
    }

    /** A document to delete and its survivor, by rank. */
    record Duplicate(int rank, int survivor) {}

    /**
     * Asks whether versions are durable, and asks again for about a minute if that is not settled. Flushes an index with
     * {@code index.translog.durability: async} instead of waiting. After a minute in vain, it asks only once until everything is
     * settled again. Blocks its thread; not for transport threads.
     */
    static final class DurableVersions {

        private static final Logger LOGGER = LogManager.getLogger(DurableVersions.class);

        private final Client client;
        private final ClusterService cluster;
        private final Retries retries;
        private boolean isPatient = true;

        DurableVersions(Client client, ClusterService cluster, Retries retries) {
            this.client = client;
            this.cluster = cluster;
            this.retries = retries;
        }

        /** The answers, by item. */
        <T> Map<T, Durability> of(Collection<T> items, Function<T, StoredVersion> version, Set<Durability> unsettled) {
            Map<T, Durability> answers = new HashMap<>();
            List<T> rest = ask(List.copyOf(items), version, answers, unsettled);
            if (flush(rest, version, answers)) {
                rest = ask(rest, version, answers, unsettled);
            }
            Iterator<TimeValue> delays = isPatient ? retries.delays() : Collections.emptyIterator();
            while (rest.isEmpty() == false && delays.hasNext()) {
                retries.pause(delays.next());
                flush(rest, version, answers);
                rest = ask(rest, version, answers, unsettled);
            }
            isPatient = rest.isEmpty();
            return answers;
        }

        /** Returns the items that are not settled. */
        private <T> List<T> ask(
                List<T> items,
                Function<T, StoredVersion> version,
                Map<T, Durability> answers,
                Set<Durability> unsettled) {
            if (items.isEmpty()) {
                return items;
            }
            DurabilityAction.Request request =
                    new DurabilityAction.Request(items.stream().map(version).toList());
            List<Durability> durabilities = retries.call(() ->
                            client.execute(DurabilityAction.INSTANCE, request).actionGet())
                    .answers();
            List<T> rest = new ArrayList<>();
            for (int i = 0; i < durabilities.size(); i++) {
                // A job does not know which writes were answered.
                Durability answer = durabilities.get(i) == Durability.SYNCED ? Durability.PENDING : durabilities.get(i);
                answers.put(items.get(i), answer);
                if (unsettled.contains(answer)) {
                    rest.add(items.get(i));
                }
            }
            return rest;
        }

        /** Returns whether an index was flushed. If that is forbidden, OpenSearch flushes after a while. */
        private <T> boolean flush(List<T> items, Function<T, StoredVersion> version, Map<T, Durability> answers) {
            String[] indices = items.stream()
                    .filter(item -> answers.get(item) == Durability.PENDING)
                    .map(item -> version.apply(item).shard())
                    .filter(this::isAsync)
                    .map(ShardId::getIndexName)
                    .distinct()
                    .toArray(String[]::new);
            if (indices.length == 0) {
                return false;
            }
            try {
                client.admin().indices().prepareFlush(indices).get();
                return true;
            } catch (RuntimeException e) {
                LOGGER.debug("not flushed", e);
                return false;
            }
        }

        private boolean isAsync(ShardId shard) {
            IndexMetadata index = cluster.state().metadata().index(shard.getIndex());
            return index != null
                    && IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.get(index.getSettings())
                            == Translog.Durability.ASYNC;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.translog.Translog;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.durable.DurabilityAction;
import org.opensearch.simhash.durable.StoredVersion;
import org.opensearch.transport.client.Client;

/**
 * Asks whether versions are durable, and asks again for about a minute if that is not settled. Flushes an index with
 * {@code index.translog.durability: async} instead of waiting. After a minute in vain, it asks only once until everything is
 * settled again. Blocks its thread; not for transport threads.
 */
final class DurableVersions {

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

    /**
     * The answers, by item.
     *
     * @param unsettled the answers to ask again for
     */
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
            List<T> items, Function<T, StoredVersion> version, Map<T, Durability> answers, Set<Durability> unsettled) {
        if (items.isEmpty()) {
            return items;
        }
        DurabilityAction.Request request =
                new DurabilityAction.Request(items.stream().map(version).toList());
        List<Durability> told = retries.call(
                        () -> client.execute(DurabilityAction.INSTANCE, request).actionGet())
                .answers();
        List<T> rest = new ArrayList<>();
        for (int i = 0; i < told.size(); i++) {
            // A job does not know which writes were answered.
            Durability answer = told.get(i) == Durability.SYNCED ? Durability.PENDING : told.get(i);
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

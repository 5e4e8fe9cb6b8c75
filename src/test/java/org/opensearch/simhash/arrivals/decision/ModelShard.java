/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;

/**
 * A model of a shard. Writes take effect at once, searches see them after a refresh, and they are safe once they are on
 * disk. Its index may be deleted and recreated. One thread.
 */
final class ModelShard {

    /**
     * The contents of a document.
     *
     * @param print null without a fingerprint
     * @param tag of a near-duplicate, or null
     */
    record Content(Long print, Map<String, Object> tag) {}

    /**
     * The source of a write.
     *
     * @param node that took the bulk with a pipeline, or null
     * @param number of the document's last entry in that node's window, or -1
     * @param begun arrival of the request
     */
    record Writer(ModelNode node, long number, long begun) {}

    /**
     * An operation on the shard.
     *
     * @param uuid of the index
     * @param content null for a delete
     */
    record Operation(String uuid, String id, Version version, Content content, Writer writer) {}

    /** Of the present index. */
    private final TreeMap<Long, Operation> log = new TreeMap<>();

    private final Set<Operation> synced = new HashSet<>();
    private final Map<Operation, Long> answered = new HashMap<>();
    private final Map<String, Operation> current = new HashMap<>();
    private final Map<String, Long> absentUntil = new HashMap<>();
    private final Map<String, Long> currentSince = new HashMap<>();
    private Map<String, Operation> refreshed = Map.of();
    private long term = 1;
    private int incarnation;

    String uuid() {
        return "uuid-" + incarnation;
    }

    Operation apply(String id, Content content, Writer writer, long now) {
        if (stored(id) == null) {
            absentUntil.put(id, now);
        }
        long seqNo = log.isEmpty() ? 0 : log.lastKey() + 1;
        Operation operation = new Operation(uuid(), id, new Version(seqNo, term), content, writer);
        log.put(seqNo, operation);
        currentSince.put(id, now);
        current.put(id, operation);
        return operation;
    }

    /** The current version, or null. */
    Operation stored(String id) {
        Operation operation = current.get(id);
        return operation == null || operation.content() == null ? null : operation;
    }

    List<Operation> stored() {
        return current.values().stream()
                .filter(operation -> operation.content() != null)
                .toList();
    }

    /** Whether a version was always current after a time. */
    boolean isCurrentSince(Operation operation, long time) {
        return operation.equals(current.get(operation.id())) && currentSince.get(operation.id()) < time;
    }

    /** Whether a document was always stored after a time. */
    boolean isStoredSince(String id, long time) {
        return stored(id) != null && absentUntil.get(id) < time;
    }

    /** Whether an operation was not lost in a crash or with its index. */
    boolean holds(Operation operation) {
        return operation.equals(log.get(operation.version().seqNo()));
    }

    void sync(Operation operation) {
        synced.add(operation);
    }

    boolean isSynced(Operation operation) {
        return synced.contains(operation);
    }

    /** The client was told. */
    void answered(Operation operation, long now) {
        answered.put(operation, now);
    }

    /** Whether the client was told before a time. */
    boolean isAnsweredBefore(Operation operation, long time) {
        return answered.getOrDefault(operation, Long.MAX_VALUE) < time;
    }

    /** As a primary says it: an answered write may be above the checkpoint. */
    Durability durability(StoredVersion version, boolean isAsync) {
        Operation operation = stored(version.id());
        if (version.isNone()) {
            return operation == null ? Durability.DURABLE : Durability.CHANGED;
        }
        if (version.shard().getIndex().getUUID().equals(uuid()) == false
                || operation == null
                || operation.version().equals(new Version(version.sequenceNumber(), version.primaryTerm())) == false) {
            return Durability.CHANGED;
        }
        boolean isDurable =
                synced.containsAll(log.headMap(version.sequenceNumber(), true).values());
        if (isDurable) {
            return Durability.DURABLE;
        }
        return isAsync ? Durability.PENDING : Durability.SYNCED;
    }

    void refresh() {
        refreshed = Map.copyOf(current);
    }

    /** Documents that a search sees. */
    Map<String, Operation> visible() {
        return refreshed;
    }

    /** Loses some or all writes that are not on disk. Others get their sequence numbers. */
    void crash(Random random, long now) {
        List<Operation> lost = new ArrayList<>(log.values());
        lost.removeIf(operation -> synced.contains(operation) || random.nextBoolean());
        lost.forEach(operation -> log.remove(operation.version().seqNo()));
        Map<String, Operation> before = Map.copyOf(current);
        current.clear();
        log.values().forEach(operation -> current.put(operation.id(), operation));
        for (Operation operation : before.values()) {
            Operation left = current.get(operation.id());
            if (operation.equals(left) == false) {
                currentSince.put(operation.id(), now);
                absentUntil.put(operation.id(), now);
            }
        }
        synced.addAll(log.values());
        term++;
        refresh();
    }

    /** Deletes the index, and creates another one of its name. */
    void remake() {
        log.clear();
        current.clear();
        absentUntil.clear();
        currentSince.clear();
        synced.clear();
        answered.clear();
        refreshed = Map.of();
        term = 1;
        incarnation++;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.opensearch.simhash.durable.Durability;
import org.opensearch.simhash.durable.StoredVersion;
import org.opensearch.simhash.nearduplicate.arrival.Original.Version;

/**
 * A shard, made up: writes take effect at once, are seen by searches after a refresh, and are safe once they are on disk. Its index may
 * be deleted and made again. One thread.
 */
final class ModelShard {

    /**
     * What a document holds.
     *
     * @param print null when it has no fingerprint
     * @param tag of a near-duplicate, or null
     */
    record Content(Long print, Map<String, Object> tag) {}

    /**
     * Whoever writes.
     *
     * @param node that took the bulk with a pipeline, or null
     * @param number of the document's last entry in the window of that node, or -1
     * @param begun when the request came
     */
    record Writer(ModelNode node, long number, long begun) {}

    /**
     * What the shard did.
     *
     * @param uuid of the index
     * @param content null of a delete
     */
    record Operation(String uuid, String id, Version version, Content content, Writer writer) {}

    /** Of the index in its present incarnation. */
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

    /** The current version of a document; null when there is none. */
    Operation stored(String id) {
        Operation operation = current.get(id);
        return operation == null || operation.content() == null ? null : operation;
    }

    List<Operation> stored() {
        return current.values().stream()
                .filter(operation -> operation.content() != null)
                .toList();
    }

    /** Whether a version was the current one all the time from a moment on. */
    boolean isCurrentSince(Operation operation, long time) {
        return operation.equals(current.get(operation.id())) && currentSince.get(operation.id()) < time;
    }

    /** Whether a document was there all the time from a moment on. */
    boolean isStoredSince(String id, long time) {
        return stored(id) != null && absentUntil.get(id) < time;
    }

    /** Whether an operation was not lost by a crash or with its index. */
    boolean holds(Operation operation) {
        return operation.equals(log.get(operation.version().seqNo()));
    }

    void sync(Operation operation) {
        synced.add(operation);
    }

    boolean isSynced(Operation operation) {
        return synced.contains(operation);
    }

    /** Whoever sent it was told. */
    void answered(Operation operation, long now) {
        answered.put(operation, now);
    }

    /** Whether whoever sent it was told before a moment. */
    boolean isAnsweredBefore(Operation operation, long time) {
        return answered.getOrDefault(operation, Long.MAX_VALUE) < time;
    }

    /** As a primary says it: what was answered may be above the checkpoint. */
    Durability durability(StoredVersion version) {
        Operation operation = stored(version.id());
        if (version.shard().getIndex().getUUID().equals(uuid()) == false
                || operation == null
                || operation.version().equals(new Version(version.sequenceNumber(), version.primaryTerm())) == false) {
            return Durability.CHANGED;
        }
        boolean isDurable =
                synced.containsAll(log.headMap(version.sequenceNumber(), true).values());
        return isDurable ? Durability.DURABLE : Durability.PENDING;
    }

    void refresh() {
        refreshed = Map.copyOf(current);
    }

    /** What a search sees. */
    Map<String, Operation> visible() {
        return refreshed;
    }

    /** What is not on disk is lost, or some of it, and others get its sequence numbers. */
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

    /** The index is deleted, and another one made under its name. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.store.AlreadyClosedException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.RecoverySource;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.lease.Releasables;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.CountDown;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.VersionType;
import org.opensearch.index.get.GetResult;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardClosedException;
import org.opensearch.index.shard.ReplicationGroup;
import org.opensearch.index.shard.ShardNotFoundException;
import org.opensearch.index.translog.Translog;
import org.opensearch.indices.IndicesService;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.arrivals.durable.InSyncCopies.Copy;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.threadpool.ThreadPool;

/**
 * Answers for the primary shards of this node. An answer counts if this node still was the primary after it was read: all in-sync copies
 * follow it, or the current cluster state names it. A shard keeps an operation permit until then, as for a write.
 */
public record PrimaryShards(ClusterService cluster, IndicesService indices, InSyncCopies copies, CurrentState current) {

    private static final Logger LOGGER = LogManager.getLogger(PrimaryShards.class);

    private static final String OF_PERMIT = "simhash: durable";

    /** How long to wait for the other copies, and for each of the two steps of {@link CurrentState}. The asking node waits longer. */
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(4);

    /** Reads documents, and may write translogs to disk. The listener gets an answer for each version, in order, and no failure. */
    void answer(List<StoredVersion> versions, ActionListener<List<Durability>> listener) {
        Durability[] answers = new Durability[versions.size()];
        Arrays.fill(answers, Durability.UNKNOWN);
        Map<ShardId, List<Integer>> places = new HashMap<>();
        for (int i = 0; i < answers.length; i++) {
            places.computeIfAbsent(versions.get(i).shard(), any -> new ArrayList<>())
                    .add(i);
        }
        if (places.isEmpty()) {
            listener.onResponse(List.of());
            return;
        }
        Runnable done = after(places.size(), () -> listener.onResponse(Arrays.asList(answers)));
        Started started = new Started(done);
        places.forEach((shard, some) -> {
            Reading reading = new Reading(shard, some, versions, answers);
            reading.start(() -> started.add(reading));
        });
        started.end();
    }

    /**
     * The readings that go on together. One whose permit is late, because its shard is handed off, goes on alone, so that none
     * keeps a permit while it waits for another: two questions and two hand-offs could wait for one another.
     */
    private final class Started {

        private final Runnable done;
        private List<Reading> together = new ArrayList<>();

        /** @param done runs once for each reading */
        Started(Runnable done) {
            this.done = done;
        }

        void add(Reading reading) {
            synchronized (this) {
                if (together != null) {
                    together.add(reading);
                    return;
                }
            }
            prove(List.of(reading), done);
        }

        void end() {
            List<Reading> all;
            synchronized (this) {
                all = together;
                together = null;
            }
            prove(all, () -> all.forEach(reading -> done.run()));
        }
    }

    /** A step that runs {@code next} when it is called for the last of {@code times} times. */
    static Runnable after(int times, Runnable next) {
        CountDown left = new CountDown(times);
        return () -> {
            if (left.countDown()) {
                next.run();
            }
        };
    }

    private void prove(List<Reading> all, Runnable then) {
        Map<DiscoveryNode, Map<Reading, Copy>> questions = new HashMap<>();
        List<Reading> unaskable = new ArrayList<>();
        for (Reading reading : all) {
            if (reading.isRead()) {
                Map<DiscoveryNode, Copy> others = reading.others(cluster.state());
                others.forEach((node, copy) -> questions
                        .computeIfAbsent(node, any -> new LinkedHashMap<>())
                        .put(reading, copy));
                int inSync = reading.group.getInSyncAllocationIds().size();
                if (others.isEmpty() || others.size() < inSync - 1) {
                    unaskable.add(reading);
                }
            }
        }
        Runnable done = after(1 + questions.size(), () -> {
            all.forEach(Reading::conclude);
            then.run();
        });
        questions.forEach((node, some) -> copies.ask(node, List.copyOf(some.values()), PATIENCE, checkpoints -> {
            Iterator<Long> next = checkpoints.iterator();
            some.forEach((reading, copy) -> reading.followed(copy, next.next()));
            done.run();
        }));
        if (unaskable.isEmpty()) {
            done.run();
        } else {
            current.read(TimeValue.timeValueNanos(2 * PATIENCE.nanos()), state -> {
                unaskable.forEach(reading -> reading.named(state));
                done.run();
            });
        }
    }

    /** The versions of one shard. Answers of other nodes come on any thread. */
    private final class Reading {

        private final ShardId id;
        private final List<Integer> places;
        private final List<StoredVersion> versions;
        private final Durability[] answers;
        private final Map<String, Long> checkpoints = new HashMap<>();
        private IndexShard shard;
        private Releasable permit;
        private long term;

        /** Null until the versions are read. */
        private ReplicationGroup group;

        /** Whether a version that must be on disk by now may be missing there. */
        private boolean syncs;

        private boolean isRefused;

        /** @param places of the versions of this shard */
        Reading(ShardId id, List<Integer> places, List<StoredVersion> versions, Durability[] answers) {
            this.id = id;
            this.places = places;
            this.versions = versions;
            this.answers = answers;
        }

        /** @param done runs once, also after a failure */
        void start(Runnable done) {
            ActionListener<Releasable> permitted = ActionListener.wrap(
                    acquired -> {
                        permit = acquired;
                        read();
                    },
                    failure -> LOGGER.debug("{} does not answer", id, failure));
            try {
                shard = indices.indexServiceSafe(id.getIndex()).getShard(id.id());
                if (shard.routingEntry().primary()) {
                    shard.acquirePrimaryOperationPermit(
                            ActionListener.runAfter(permitted, done), ThreadPool.Names.GET, OF_PERMIT);
                    return;
                }
            } catch (IndexNotFoundException
                    | ShardNotFoundException
                    | IndexShardClosedException
                    | AlreadyClosedException e) {
                LOGGER.debug("{} is not here", id, e); // Deleted, or it moves.
            }
            done.run();
        }

        private void read() throws IOException {
            term = shard.getOperationPrimaryTerm();
            for (int place : places) {
                answers[place] = isCurrent(versions.get(place)) ? Durability.PENDING : Durability.CHANGED;
            }
            // Read after the versions: an earlier checkpoint may belong to another primary.
            long checkpoint = shard.getLastKnownGlobalCheckpoint();
            // Writes that were answered while the durability was another one may wait for this.
            syncs = shard.getTranslogDurability() == Translog.Durability.REQUEST
                    && places.stream()
                            .anyMatch(place -> answers[place] == Durability.PENDING
                                    && versions.get(place).sequenceNumber() > checkpoint);
            if (syncs && shard.isSyncNeeded()) {
                shard.sync();
            }
            group = shard.getReplicationGroup();
        }

        private boolean isCurrent(StoredVersion version) {
            GetResult current = shard.getService()
                    .get(
                            version.id(),
                            new String[0],
                            true,
                            Versions.MATCH_ANY,
                            VersionType.INTERNAL,
                            FetchSourceContext.DO_NOT_FETCH_SOURCE);
            return version.isNone()
                    ? current.isExists() == false
                    : current.isExists()
                            && current.getSeqNo() == version.sequenceNumber()
                            && current.getPrimaryTerm() == version.primaryTerm();
        }

        boolean isRead() {
            return group != null;
        }

        /** The other in-sync copies that can be asked. No node has two. */
        Map<DiscoveryNode, Copy> others(ClusterState state) {
            Map<DiscoveryNode, Copy> others = new HashMap<>();
            for (ShardRouting copy : group.getReplicationTargets()) {
                String allocation = copy.allocationId().getId();
                DiscoveryNode node = state.nodes().get(copy.currentNodeId());
                if (node != null
                        && copy.isSameAllocation(shard.routingEntry()) == false
                        && group.getInSyncAllocationIds().contains(allocation)) {
                    others.put(node, new Copy(id, allocation, term, syncs));
                }
            }
            return others;
        }

        /** @param checkpoint of the copy */
        synchronized void followed(Copy copy, long checkpoint) {
            isRefused |= checkpoint == InSyncCopies.REFUSED;
            checkpoints.put(copy.allocation(), checkpoint);
        }

        /** @param state null if it is not known */
        synchronized void named(ClusterState state) {
            IndexMetadata index = state == null ? null : state.metadata().index(id.getIndex());
            ShardRouting primary = index == null || state.routingTable().hasIndex(id.getIndex()) == false
                    ? null
                    : state.routingTable().shardRoutingTable(id).primaryShard();
            isRefused |= primary == null
                    || primary.isSameAllocation(shard.routingEntry()) == false
                    || index.primaryTerm(id.id()) != term;
        }

        synchronized void conclude() {
            try {
                boolean isProven = isRead() && isRefused == false;
                if (isProven && syncs) {
                    String own = shard.routingEntry().allocationId().getId();
                    shard.updateLocalCheckpointForShard(own, shard.getLocalCheckpoint());
                    checkpoints.forEach(shard::updateLocalCheckpointForShard);
                }
                for (int place : places) {
                    answers[place] = isProven ? concluded(place) : Durability.UNKNOWN;
                }
            } catch (IndexShardClosedException | AlreadyClosedException e) {
                places.forEach(place -> answers[place] = Durability.UNKNOWN);
            } finally {
                Releasables.close(permit);
            }
        }

        private Durability concluded(int place) {
            if (answers[place] != Durability.PENDING) {
                return answers[place];
            }
            if (versions.get(place).sequenceNumber() <= shard.getLastKnownGlobalCheckpoint()) {
                return Durability.DURABLE;
            }
            return syncs ? Durability.SYNCED : Durability.PENDING;
        }
    }

    /** Shards that hold nothing yet. */
    public static final class NewShards {

        private NewShards() {}

        /** Whether the shard belongs to a new index and was never started. */
        public static boolean isNew(ClusterState state, IndexMetadata index, int shard) {
            IndexRoutingTable routing = state.routingTable().index(index.getIndex());
            IndexShardRoutingTable copies = routing == null ? null : routing.shard(shard);
            ShardRouting primary = copies == null ? null : copies.primaryShard();
            return primary != null
                    && primary.active() == false
                    && index.inSyncAllocationIds(shard).isEmpty()
                    && primary.recoverySource() != null
                    && primary.recoverySource().getType() == RecoverySource.Type.EMPTY_STORE;
        }
    }
}

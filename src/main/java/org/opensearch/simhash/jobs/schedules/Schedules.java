/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.search.SearchHit;
import org.opensearch.transport.client.Client;

/** The schedules of the cluster, a document each. Reads and writes with the plugin's own rights, and blocks. Thread-safe. */
public final class Schedules {

    static final String INDEX = ".plugins-simhash-schedules";

    static final int MOST = 1_000;

    private static final int TRIES = 20;

    private static final String DEFINITION = """
            {"settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-all", "hidden": true}},
             "mappings": {"_doc": {"dynamic": false, "properties": {"times": {"type": "keyword", "index": false}}}}}""";

    private final Client client;
    private final ClusterService cluster;
    private List<?> version;
    private volatile Map<String, Times> here = Map.of();

    public Schedules(Client client, ClusterService cluster) {
        this.client = client;
        this.cluster = cluster;
    }

    public static SystemIndexDescriptor descriptor() {
        return new SystemIndexDescriptor(INDEX, "Schedules of jobs that find near-duplicates");
    }

    /** Null if there is none. */
    Schedule read(String name) {
        return stored(name).schedule;
    }

    /** A version of a document; its number is negative if there is none. */
    private record Stored(Schedule schedule, long seqNo, long term) {}

    private Stored stored(String name) {
        try {
            GetResponse found = asItself(() -> client.prepareGet(INDEX, name)
                    .setPreference(Preference.PRIMARY.type())
                    .get());
            if (found.isExists()) {
                return new Stored(Schedule.of(found.getSourceAsMap()), found.getSeqNo(), found.getPrimaryTerm());
            }
        } catch (IndexNotFoundException e) {
            // None was ever put.
        }
        return new Stored(null, -1, 0);
    }

    private <T> T asItself(Supplier<T> work) {
        StoredContext callers = client.threadPool().getThreadContext().stashContext();
        try {
            return work.get();
        } finally {
            callers.restore();
        }
    }

    /**
     * Changes a schedule.
     *
     * @param change is given the present one, or null; returns the new one, or null for none; may be called several times
     */
    Schedule change(String name, UnaryOperator<Schedule> change) {
        for (int tries = TRIES; ; tries--) {
            Stored stored = stored(name);
            Schedule after = change.apply(stored.schedule);
            if (Objects.equals(after, stored.schedule)) {
                return after;
            }
            try {
                asItself(() -> write(name, stored, after));
                return after;
            } catch (VersionConflictEngineException e) {
                if (tries == 1) {
                    throw e;
                }
            }
        }
    }

    private DocWriteResponse write(String name, Stored stored, Schedule after) {
        if (after == null) {
            return client.prepareDelete(INDEX, name)
                    .setIfSeqNo(stored.seqNo)
                    .setIfPrimaryTerm(stored.term)
                    .get();
        }
        IndexRequest request = new IndexRequest(INDEX).id(name).source(after.asMap());
        if (stored.seqNo >= 0) {
            return client.index(request.setIfSeqNo(stored.seqNo).setIfPrimaryTerm(stored.term))
                    .actionGet();
        }
        create();
        requireAtMost(MOST - 1, name);
        DocWriteResponse written = client.index(request.opType(OpType.CREATE)).actionGet();
        try {
            requireAtMost(MOST, name); // Others may have been put meanwhile.
        } catch (IllegalArgumentException e) {
            client.prepareDelete(INDEX, name).get();
            throw e;
        }
        return written;
    }

    private void requireAtMost(int most, String name) {
        if (all().size() > most) {
            throw new IllegalArgumentException("[name] must be one of at most " + MOST + " schedules, got: " + name);
        }
    }

    private void create() {
        try {
            if (cluster.state().metadata().hasIndex(INDEX) == false) {
                CreateIndexRequest request = new CreateIndexRequest(INDEX).source(DEFINITION, MediaTypeRegistry.JSON);
                client.admin().indices().create(request).actionGet();
            }
        } catch (ResourceAlreadyExistsException e) {
            // Another request was first.
        }
    }

    /**
     * What tells whether a schedule is to be started, in milliseconds.
     *
     * @param claim of its run; null between two runs, as is {@code process}
     */
    public record Times(long every, long next, long completed, String claim, String process) {

        static Times of(String stored) {
            String[] parts = stored.split(" ", -1);
            boolean isAtWork = parts.length > 3;
            return new Times(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    Long.parseLong(parts[2]),
                    isAtWork ? parts[3] : null,
                    isAtWork ? parts[4] : null);
        }

        @Override
        public String toString() {
            return every + " " + next + " " + completed + (claim == null ? "" : " " + claim + " " + process);
        }

        /** Also after a clock that was ahead was set right. */
        boolean isDue(long now) {
            return now >= next || next - now > every;
        }
    }

    /** By name. Reads their doc values, not the documents. */
    Map<String, Times> all() {
        Map<String, Times> all = new TreeMap<>();
        try {
            asItself(() -> client.admin().indices().prepareRefresh(INDEX).get());
            SearchRequestBuilder search = client.prepareSearch(INDEX)
                    .setPreference(Preference.PRIMARY.type())
                    .setAllowPartialSearchResults(false)
                    .setSize(2 * MOST)
                    .setFetchSource(false)
                    .addDocValueField(Schedule.TIMES);
            for (SearchHit hit : asItself(search::get).getHits()) {
                all.put(hit.getId(), Times.of(hit.field(Schedule.TIMES).getValue()));
            }
        } catch (IndexNotFoundException e) {
            // None was ever put.
        }
        return all;
    }

    /**
     * Reads all again if one has changed. One thread.
     *
     * @param primary of their index; null on a node that does not start them
     */
    void look(IndexShard primary) {
        List<?> now = primary == null
                ? null
                : List.of(
                        primary.routingEntry().allocationId(),
                        primary.getOperationPrimaryTerm(),
                        primary.seqNoStats().getMaxSeqNo());
        if (Objects.equals(now, version) == false) {
            here = now == null ? Map.of() : all();
            version = now;
        }
    }

    /** Those that this node starts, as it saw them last. */
    public Map<String, Times> times() {
        return here;
    }
}

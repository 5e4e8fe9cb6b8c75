/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.Preference;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.transport.client.Client;

/** All schedules of the cluster by name, in one document. Reads and writes with the plugin's own rights, and blocks. Thread-safe. */
public final class Schedules {

    static final String INDEX = ".plugins-simhash-schedules";

    /** The most schedules. */
    static final int MOST = 100;

    private static final String ID = "schedules";

    /** For concurrent changes. */
    private static final int TRIES = 20;

    private final Client client;
    private final ClusterService cluster;
    private volatile Map<String, Schedule> started = Map.of();

    public Schedules(Client client, ClusterService cluster) {
        this.client = client;
        this.cluster = cluster;
    }

    public static SystemIndexDescriptor descriptor() {
        return new SystemIndexDescriptor(INDEX, "Schedules of jobs that find near-duplicates");
    }

    /** A version of the document; its number is negative if there is none. */
    private record Stored(Map<String, Schedule> schedules, long seqNo, long term) {}

    Map<String, Schedule> read() {
        return stored().schedules;
    }

    @SuppressWarnings("unchecked")
    private Stored stored() {
        StoredContext callers = client.threadPool().getThreadContext().stashContext();
        try {
            GetResponse found = client.prepareGet(INDEX, ID)
                    .setPreference(Preference.PRIMARY.type())
                    .get();
            Map<String, Schedule> schedules = new TreeMap<>();
            if (found.isExists()) {
                found.getSourceAsMap()
                        .forEach((name, fields) -> schedules.put(name, Schedule.of((Map<String, Object>) fields)));
                return new Stored(schedules, found.getSeqNo(), found.getPrimaryTerm());
            }
            return new Stored(schedules, -1, 0);
        } catch (IndexNotFoundException e) {
            return new Stored(new TreeMap<>(), -1, 0);
        } finally {
            callers.restore();
        }
    }

    /**
     * Changes a schedule.
     *
     * @param change is given the present one, or null; returns the new one, or null for none; may be called several times
     * @return what it returned at last
     */
    Schedule change(String name, UnaryOperator<Schedule> change) {
        for (int tries = TRIES; ; tries--) {
            Stored stored = stored();
            Schedule before = stored.schedules.get(name);
            Schedule after = change.apply(before);
            if (Objects.equals(after, before)) {
                return after;
            }
            if (after == null) {
                stored.schedules.remove(name);
            } else {
                stored.schedules.put(name, after);
            }
            if (stored.schedules.size() > MOST) {
                throw new IllegalArgumentException(
                        "[name] must be one of at most " + MOST + " schedules, got: " + name);
            }
            try {
                write(stored);
                return after;
            } catch (VersionConflictEngineException e) {
                if (tries == 1) {
                    throw e;
                }
            }
        }
    }

    private void write(Stored stored) {
        Map<String, Object> fields = new TreeMap<>();
        stored.schedules.forEach((name, schedule) -> fields.put(name, schedule.asMap()));
        IndexRequest request = new IndexRequest(INDEX).id(ID).source(fields);
        StoredContext callers = client.threadPool().getThreadContext().stashContext();
        try {
            if (stored.seqNo < 0) {
                create();
                request.opType(OpType.CREATE);
            } else {
                request.setIfSeqNo(stored.seqNo).setIfPrimaryTerm(stored.term);
            }
            client.index(request).actionGet();
        } finally {
            callers.restore();
        }
    }

    private void create() {
        if (cluster.state().metadata().hasIndex(INDEX)) {
            return;
        }
        try {
            client.admin()
                    .indices()
                    .prepareCreate(INDEX)
                    .setSettings(Settings.builder()
                            .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
                            .put(IndexMetadata.SETTING_AUTO_EXPAND_REPLICAS, "0-all")
                            .put(IndexMetadata.SETTING_INDEX_HIDDEN, true))
                    .setMapping(Map.of("dynamic", false))
                    .get();
        } catch (ResourceAlreadyExistsException e) {
            // Another request was first.
        }
    }

    /** Those that this node starts, as it saw them last. */
    public Map<String, Times> times() {
        Map<String, Times> times = new TreeMap<>();
        started.forEach((name, schedule) ->
                times.put(name, new Times(schedule.plan().every().millis(), schedule.completed())));
        return times;
    }

    /** For metrics, in milliseconds. */
    public record Times(long every, long completed) {}

    void startedHere(Map<String, Schedule> here) {
        started = here;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.schedules;

import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexService;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.schedules.Schedule.Running;
import org.opensearch.simhash.jobs.schedules.Schedules.Times;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.Scheduler.Cancellable;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/** Starts the runs that are due, on the node with the primary shard of {@link Schedules}. Thread-safe. */
public final class Scheduler extends AbstractLifecycleComponent implements ClusterStateListener {

    /** How often a node looks what is due. A schedule cannot be shorter than {@value #INTERVALS} of it. */
    public static final Setting<TimeValue> INTERVAL = Setting.timeSetting(
            "plugins.simhash.schedules.interval",
            TimeValue.timeValueSeconds(10),
            TimeValue.timeValueMillis(100),
            TimeValue.timeValueDays(1),
            Property.NodeScope);

    static final int INTERVALS = 6;

    /** Runs of this node at a time, in the queue for a thread, too. Others wait for a later look. */
    static final int MOST_AT_WORK = 50;

    private static final Logger logger = LogManager.getLogger(Scheduler.class);

    private final Schedules schedules;
    private final JobServices services;
    private final IndicesService indices;
    private final NodeClient client;
    private final ThreadPool threads;
    private final TimeValue interval;
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private volatile Cancellable ticks;
    private volatile boolean hasState;

    @Inject
    public Scheduler(Schedules schedules, JobServices services, IndicesService indices, NodeClient client) {
        this.schedules = schedules;
        this.services = services;
        this.indices = indices;
        this.client = client;
        this.threads = services.transport().getThreadPool();
        this.interval = INTERVAL.get(services.cluster().getSettings());
    }

    /** A run of this node, until its end is stored. */
    private final class Run implements ActionListener<JobResponse> {

        private final String schedule;
        private final String claim;
        private final long since;
        private Task task;
        private boolean isLost;
        private UnaryOperator<Schedule> end;

        Run(String schedule, String claim, long since) {
            this.schedule = schedule;
            this.claim = claim;
            this.since = since;
        }

        @Override
        public void onResponse(JobResponse response) {
            boolean isWhole = response.failures().isEmpty();
            String error = isWhole ? null : response.failures().getFirst().reason();
            end(isWhole ? Schedule.COMPLETED : Schedule.FAILED, response.run(), response.count("groups"), error);
        }

        @Override
        public void onFailure(Exception e) {
            end(Schedule.FAILED, null, null, String.valueOf(e.getMessage()));
        }

        private void end(String result, String run, Long groups, String error) {
            Map<String, Object> how = Schedule.lastRun(result, run, since, System.currentTimeMillis(), groups, error);
            synchronized (this) {
                boolean isInterrupted = isLost && result.equals(Schedule.FAILED);
                end = isInterrupted ? there -> there.with("", there.running().task()) : there -> there.ended(how);
            }
            threads.generic().execute(this::store);
        }

        synchronized void began(Task job) {
            task = job;
            cancelIfLost();
        }

        synchronized void lose() {
            isLost = true;
            cancelIfLost();
        }

        private void cancelIfLost() {
            if (isLost && task instanceof CancellableTask job && job.isCancelled() == false) {
                var tasks = services.transport().getTaskManager();
                tasks.cancelTaskAndDescendants(job, "its node left the cluster", false, ActionListener.wrap(() -> {}));
            }
        }

        /** Stores the end of the run, if it has ended. Tried again at each tick until it succeeds. */
        void store() {
            UnaryOperator<Schedule> how;
            synchronized (this) {
                how = end;
            }
            if (how == null) {
                return;
            }
            try {
                changeRun(schedule, claim, how);
                runs.remove(claim);
            } catch (RuntimeException e) {
                logger.debug("the end of a run of schedule [{}] is stored later", schedule, e);
            }
        }
    }

    @Override
    protected void doStart() {
        services.cluster().addListener(this);
        ticks = threads.scheduleWithFixedDelay(
                () -> {
                    try {
                        if (hasState) {
                            tick(System.currentTimeMillis());
                        }
                    } catch (RuntimeException e) {
                        logger.warn("schedules are looked at again in " + interval, e);
                    }
                },
                interval,
                ThreadPool.Names.GENERIC);
    }

    @Override
    protected void doStop() {
        services.cluster().removeListener(this);
        ticks.cancel();
    }

    @Override
    protected void doClose() {}

    static TimeValue least(Settings node) {
        return TimeValue.timeValueMillis(INTERVALS * INTERVAL.get(node).millis());
    }

    /** Ends the runs of this node when it sees no cluster manager: if it has left the cluster, another node starts them again. */
    @Override
    public void clusterChanged(ClusterChangedEvent event) {
        hasState = true;
        if (event.state().nodes().getClusterManagerNodeId() == null) {
            runs.values().forEach(Run::lose);
        }
    }

    /** Starts what is due. Blocks. */
    synchronized void tick(long now) {
        runs.values().forEach(Run::store);
        ClusterState state = services.state();
        schedules.look(primaryHere(state));
        schedules.times().entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getValue().next()))
                .filter(each -> isToStart(each.getValue(), now, state) && runs.size() < MOST_AT_WORK)
                .forEach(each -> look(each.getKey(), now, state));
    }

    /** Of the index of schedules; null if it is on another node. */
    private IndexShard primaryHere(ClusterState state) {
        IndexRoutingTable index = state.routingTable().index(Schedules.INDEX);
        ShardRouting primary = index == null ? null : index.shard(0).primaryShard();
        boolean isHere = primary != null
                && primary.active()
                && state.nodes().getLocalNodeId().equals(primary.currentNodeId());
        IndexService here = isHere ? indices.indexService(primary.index()) : null;
        return here == null ? null : here.getShardOrNull(0);
    }

    private boolean isToStart(Times times, long now, ClusterState state) {
        return times.process() == null ? times.isDue(now) : isAtWork(times, state) == false;
    }

    private void look(String name, long now, ClusterState state) {
        Schedule schedule = schedules.read(name);
        if (schedule == null || isToStart(schedule.times(), now, state) == false) {
            return;
        }
        Running running = schedule.running();
        if (running == null) {
            start(name, schedule, now, false);
            return;
        }
        logger.warn("a run of schedule [{}] was interrupted: node [{}] left the cluster", name, running.node());
        if (running.isRepeated()) {
            // A run whose node ended twice may be the cause: it must not end one node after the other.
            Map<String, Object> end =
                    Schedule.lastRun(Schedule.INTERRUPTED, null, running.since(), now, null, "its node left, twice");
            changeRun(name, running.claim(), there -> there.ended(end));
        } else {
            start(name, schedule, now, true);
        }
    }

    private boolean isAtWork(Times times, ClusterState state) {
        DiscoveryNode self = state.nodes().getLocalNode();
        if (times.process().equals(self.getEphemeralId())) {
            return runs.containsKey(times.claim());
        }
        return state.nodes().getNodes().values().stream()
                .anyMatch(node -> times.process().equals(node.getEphemeralId()));
    }

    private void start(String name, Schedule seen, long now, boolean isRepeated) {
        String claim = UUID.randomUUID().toString();
        DiscoveryNode self = services.cluster().localNode();
        Run run = new Run(name, claim, now);
        runs.put(claim, run);
        boolean isMine = false;
        try {
            Running mine = new Running(claim, self.getEphemeralId(), self.getName(), null, now, isRepeated);
            Schedule claimed = schedules.change(
                    name, stored -> stored == null || stored.equals(seen) == false ? stored : stored.started(mine));
            isMine = claimed != null && claimed.isRunning(claim);
        } finally {
            if (isMine == false) {
                runs.remove(claim);
            }
        }
        if (isMine) {
            execute(run, seen);
        }
    }

    private void execute(Run run, Schedule schedule) {
        ThreadContext context = threads.getThreadContext();
        Task task;
        StoredContext own = context.stashContext();
        try {
            schedule.by().act(context);
            context.putHeader(Task.X_OPAQUE_ID, "simhash-schedule-" + run.schedule);
            task = client.executeLocally(
                    DeduplicateAction.INSTANCE, schedule.plan().request(services.contents()), run);
        } catch (Exception e) {
            run.onFailure(e);
            return;
        } finally {
            own.restore();
        }
        run.began(task);
        String id = services.id(task).toString();
        String user = schedule.by().name();
        logger.info("schedule [{}] of [{}] started task [{}]", run.schedule, user, id);
        changeRun(run.schedule, run.claim, there -> there.with(there.running().process(), id));
    }

    /** Changes nothing after the end of the run. */
    private void changeRun(String schedule, String claim, UnaryOperator<Schedule> change) {
        schedules.change(schedule, there -> there != null && there.isRunning(claim) ? change.apply(there) : there);
    }
}

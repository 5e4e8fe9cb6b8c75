/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.lucene.tests.util.LuceneTestCase.SuppressFileSystems;
import org.junit.AfterClass;
import org.junit.Rule;
import org.junit.rules.TestWatcher;
import org.junit.runner.Description;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.cluster.InternalClusterInfoService;
import org.opensearch.cluster.coordination.FollowersChecker;
import org.opensearch.cluster.coordination.LeaderChecker;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.indices.IndicesService;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.percolator.PercolatorModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SharedClusters.Kind;
import org.opensearch.simhash.arrivals.SearchGuard;
import org.opensearch.simhash.jobs.RequestHook;
import org.opensearch.simhash.jobs.schedules.Scheduler;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.NodeConfigurationSource;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.TestCluster;
import org.opensearch.test.transport.MockTransportService;

/**
 * Nodes in this JVM. Their indices have settings that the framework chooses at random, where a test has none. Classes with equal
 * numbers of nodes and equal plugins share a cluster, and its pipelines end with a class; one with {@link OwnNodes} has its own.
 */
// A file of a join has no name from its opening on, which the mock of Windows takes for a failure.
@SuppressFileSystems({"ExtrasFS", "WindowsFS"})
public abstract class ClusterTestCase extends OpenSearchIntegTestCase {

    /** On a class that starts or stops nodes or needs other settings of them. */
    @Inherited
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface OwnNodes {}

    /** In place of the numbers that classes say. */
    private static final Integer NODES = Integer.getInteger("cluster.nodes");

    private static InternalTestCluster shared;
    private static Set<String> nodes;
    private static boolean isSpoilt;

    /** Whatever a test that failed may have left behind: other classes need not fail of it. */
    @Rule
    public final TestWatcher failures = new TestWatcher() {
        @Override
        protected void failed(Throwable failure, Description test) {
            isSpoilt = true;
        }
    };

    @AfterClass
    public static void passOn() {
        InternalTestCluster cluster = shared;
        shared = null;
        if (cluster == null) {
            return;
        }
        boolean isWhole = Set.of(cluster.getNodeNames()).equals(nodes);
        if (isWhole && isSpoilt == false) {
            SharedClusters.keep(cluster);
        } else {
            SharedClusters.forget(cluster);
        }
        isSpoilt = false;
        assertTrue("a test that starts or stops nodes needs @OwnNodes", isWhole);
    }

    /** For as long as a busy machine needs. */
    public static void assertBusy(CheckedRunnable<Exception> state) throws Exception {
        assertBusy(state, 2, TimeUnit.MINUTES);
    }

    @Override
    protected TestCluster buildTestCluster(Scope scope, long seed) throws IOException {
        if (scope == Scope.TEST || getClass().isAnnotationPresent(OwnNodes.class)) {
            return super.buildTestCluster(scope, seed);
        }
        ClusterScope numbers = scope(getClass());
        int nodesWithData = NODES == null ? numbers.numDataNodes() : NODES;
        Kind kind = new Kind(nodesWithData, numbers.numClientNodes(), Set.copyOf(nodePlugins()));
        try {
            shared = SharedClusters.open(kind, (of, folder) -> cluster(kind, of, folder));
        } catch (Exception e) {
            throw new IOException(e);
        }
        nodes = Set.of(shared.getNodeNames());
        return shared;
    }

    private static ClusterScope scope(Class<?> test) {
        ClusterScope scope = test.getAnnotation(ClusterScope.class);
        return scope == null ? scope(test.getSuperclass()) : scope;
    }

    /** As the framework does, in a folder that outlives this class. */
    private InternalTestCluster cluster(Kind kind, long seed, Path folder) {
        NodeConfigurationSource configuration = new NodeConfigurationSource() {
            @Override
            public Settings nodeSettings(int node) {
                return Settings.builder()
                        .put(NetworkModule.TRANSPORT_TYPE_KEY, getTestTransportType())
                        .put(ClusterTestCase.this.nodeSettings(node))
                        // Between two classes the framework gives nodes no memory for a message.
                        .put(FollowersChecker.FOLLOWER_CHECK_INTERVAL_SETTING.getKey(), "1h")
                        // A node that was taken for gone comes back by it.
                        .put(LeaderChecker.LEADER_CHECK_INTERVAL_SETTING.getKey(), "10s")
                        .put(InternalClusterInfoService.INTERNAL_CLUSTER_INFO_UPDATE_INTERVAL_SETTING.getKey(), "1h")
                        .build();
            }

            @Override
            public Path nodeConfigPath(int node) {
                return null;
            }

            @Override
            public Collection<Class<? extends Plugin>> nodePlugins() {
                return ClusterTestCase.this.nodePlugins();
            }
        };
        return new InternalTestCluster(
                seed,
                folder,
                false,
                true,
                kind.dataNodes(),
                kind.dataNodes(),
                InternalTestCluster.clusterName("shared", seed),
                configuration,
                kind.clientNodes(),
                "shared_" + kind.dataNodes() + "_",
                getMockPlugins(),
                Function.identity());
    }

    /** Our plugin, the modules that every OpenSearch has, and what tests hook into nodes; all of it does nothing unasked. */
    @Override
    protected Collection<Class<? extends Plugin>> nodePlugins() {
        return List.of(
                SimHashPlugin.class,
                CommonAnalysisModulePlugin.class,
                IngestCommonModulePlugin.class,
                SharedPainless.class,
                ReindexModulePlugin.class,
                PercolatorModulePlugin.class,
                MockTransportService.TestPlugin.class,
                RequestHook.class,
                SearchGuard.class);
    }

    /**
     * It asserts that each span is ended by what began it, and searches of one thread's context share the current span: two at
     * once may each end the other's.
     */
    @Override
    protected boolean addMockTelemetryPlugin() {
        return false;
    }

    @Override
    protected Settings nodeSettings(int node) {
        // One suite of ten has nodes whose breaker refuses nothing, if the framework has its way.
        return Settings.builder()
                .put(super.nodeSettings(node))
                .put(HierarchyCircuitBreakerService.REQUEST_CIRCUIT_BREAKER_TYPE_SETTING.getKey(), "memory")
                // Schedules run when a test says so.
                .put(Scheduler.INTERVAL.getKey(), "4h")
                // It writes files at each change of an index.
                .put(IndicesService.WRITE_DANGLING_INDICES_INFO_SETTING.getKey(), false)
                .build();
    }

    @Override
    protected Settings.Builder setRandomIndexSettings(Random random, Settings.Builder builder) {
        // What was written and not yet synced holds memory, for which the framework waits up to ten seconds after each
        // test.
        return super.setRandomIndexSettings(random, builder)
                .put(IndexSettings.INDEX_TRANSLOG_SYNC_INTERVAL_SETTING.getKey(), "100ms");
    }
}

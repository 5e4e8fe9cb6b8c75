/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import com.carrotsearch.randomizedtesting.RandomizedContext;
import com.carrotsearch.randomizedtesting.RandomizedRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opensearch.action.admin.cluster.state.ClusterStateResponse;
import org.opensearch.action.admin.indices.template.delete.DeleteComponentTemplateAction;
import org.opensearch.action.admin.indices.template.delete.DeleteComposableIndexTemplateAction;
import org.opensearch.action.search.DeleteSearchPipelineRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.io.PathUtils;
import org.opensearch.common.io.PathUtilsForTesting;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.folders.Folders;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.transport.client.Client;

/**
 * Clusters in this JVM that serve class after class of tests: to start one takes as long as some tests. There is one of each kind.
 * Their randomness is not that of a class, but that of {@code -Dtests.seed=} too.
 */
final class SharedClusters {

    /** Of all classes whose tests run on as many nodes with the same plugins. */
    record Kind(int dataNodes, int clientNodes, Set<Class<? extends Plugin>> plugins) {}

    /** Starts a cluster whose files are below a folder. */
    interface Start {
        InternalTestCluster cluster(long seed, Path folder) throws Exception;
    }

    private static final long SEED = new RandomSeed().value();
    private static final Map<Kind, InternalTestCluster> CLUSTERS = new HashMap<>();

    /** The runner of a class waits for the end of all threads below the main group, and takes the random numbers of its own away. */
    private static final ThreadGroup THREADS = new ThreadGroup(root(), "shared-clusters");

    private SharedClusters() {}

    private static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** The cluster of a kind, without what former classes put into it; a new one if those left settings. */
    static synchronized InternalTestCluster open(Kind kind, Start start) throws Exception {
        InternalTestCluster cluster = CLUSTERS.get(kind);
        if (cluster != null) {
            isOpen(cluster).set(true);
            ClusterStateResponse state =
                    cluster.client().admin().cluster().prepareState().get();
            Metadata metadata = state.getState().metadata();
            if (metadata.transientSettings().isEmpty()
                    && metadata.persistentSettings().isEmpty()) {
                removeWhatTestsLeave(cluster.client());
                return cluster;
            }
            cluster.close();
        }
        if (CLUSTERS.isEmpty()) {
            RandomizedRunner runner = RandomizedContext.current().getRunner();
            inGroup(() -> giveRandomNumbers(runner));
        }
        InternalTestCluster started = inGroup(() -> start(start));
        CLUSTERS.put(kind, started);
        return started;
    }

    /** Indices and templates of the old kind went after each test. */
    private static void removeWhatTestsLeave(Client client) {
        client.admin().cluster().prepareDeletePipeline("*").get();
        client.admin()
                .cluster()
                .deleteSearchPipeline(new DeleteSearchPipelineRequest("*"))
                .actionGet();
        client.execute(
                        DeleteComposableIndexTemplateAction.INSTANCE,
                        new DeleteComposableIndexTemplateAction.Request("*"))
                .actionGet();
        client.execute(DeleteComponentTemplateAction.INSTANCE, new DeleteComponentTemplateAction.Request("*"))
                .actionGet();
    }

    /** The next class that asks for its kind gets it; meanwhile it cannot be closed. */
    static synchronized void keep(InternalTestCluster cluster) {
        isOpen(cluster).set(false);
    }

    /** Another one is started for the next class. */
    static synchronized void forget(InternalTestCluster cluster) {
        CLUSTERS.values().remove(cluster);
    }

    private static InternalTestCluster start(Start start) throws Exception {
        // Files of a class must be closed when it ends: its file systems see to that.
        FileSystem ofClass = PathUtils.getDefaultFileSystem();
        PathUtilsForTesting.installMock(FileSystems.getDefault());
        try {
            String parent = System.getProperty("tempDir", System.getProperty("java.io.tmpdir"));
            Path folder = Files.createTempDirectory(Path.of(parent), "shared-cluster-");
            // Nodes end with the JVM: all their indices are deleted already.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder), "remove-cluster"));
            InternalTestCluster cluster = start.cluster(SEED, folder);
            cluster.beforeTest(new Random(SEED));
            return cluster;
        } finally {
            PathUtilsForTesting.installMock(ofClass);
        }
    }

    private static void remove(Path folder) {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T inGroup(Callable<T> task) throws Exception {
        FutureTask<T> result = new FutureTask<>(task);
        new Thread(THREADS, result, "start-shared-cluster").start();
        return result.get();
    }

    private static Void giveRandomNumbers(RandomizedRunner runner) throws ReflectiveOperationException {
        Method create = RandomizedContext.class.getDeclaredMethod(
                "create", ThreadGroup.class, Class.class, RandomizedRunner.class);
        create.setAccessible(true);
        create.invoke(null, THREADS, SharedClusters.class, runner);
        return null;
    }

    private static AtomicBoolean isOpen(InternalTestCluster cluster) {
        try {
            Field open = InternalTestCluster.class.getDeclaredField("open");
            open.setAccessible(true);
            return (AtomicBoolean) open.get(cluster);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the test cluster has no [open]", e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.MemorySizeValue;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.simhash.core.join.Chunks;
import org.opensearch.simhash.core.join.FingerprintRows;
import org.opensearch.simhash.core.join.NearGraph;
import org.opensearch.simhash.core.join.NearJoin;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.join.Wanted;
import org.opensearch.simhash.search.memory.FingerprintMemory.BreakerMemory;
import org.opensearch.threadpool.ThreadPool;

/** Limits the heap that jobs use: an allowance per pass, and the request circuit breaker for all. */
public final class DeduplicateMemory implements LongConsumer {

    private static final String NAME = "plugins.simhash.deduplicate.memory";

    /** 256 fingerprints. The number of passes grows with the square of the chunks. */
    private static final ByteSizeValue LEAST = new ByteSizeValue(16, ByteSizeUnit.KB);

    /** Bytes, or a share of the heap, for one pass. */
    public static final Setting<ByteSizeValue> ALLOWANCE = new Setting<>(
            NAME,
            "25%",
            value -> atLeast(MemorySizeValue.parseBytesSizeValueOrHeapRatio(value, NAME)),
            Property.NodeScope,
            Property.Dynamic);

    /** Each pass reads all documents. More passes would take days. */
    private static final int MOST_PASSES = 5_000;

    /** A pass answers with one array of 9 bytes per link, and a graph has both ends in one array. */
    public static final long MOST_LINKS = 1L << 27;

    private final BreakerMemory memory;
    private volatile ByteSizeValue allowance;

    @Inject
    public DeduplicateMemory(CircuitBreakerService breakers, ClusterService cluster) {
        this.memory = BreakerMemory.ofRequests(breakers, "simhash deduplicate");
        this.allowance = ALLOWANCE.get(cluster.getSettings());
        cluster.getClusterSettings().addSettingsUpdateConsumer(ALLOWANCE, value -> allowance = value);
    }

    private static ByteSizeValue atLeast(ByteSizeValue value) {
        if (value.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException("[" + NAME + "] must be at least " + LEAST + ", got: " + value);
        }
        return value;
    }

    private long rows(Prints prints) {
        return Math.max(1, allowance.getBytes() / prints.heapBytes());
    }

    /**
     * Rows for a join of about {@code expected} rows: on the heap if they fit, else in files.
     *
     * @throws CircuitBreakingException if the join has no room now for all that it takes
     */
    public FingerprintRows rowsFor(int expected, Prints prints, DeduplicateDisk disk) {
        boolean areOnHeap = expected <= rows(prints) || disk.room() < prints.diskBytes();
        requireRoom(expected, areOnHeap ? prints.heapBytes() : prints.heapBytesOfFiles());
        return new FingerprintRows(
                expected, prints, areOnHeap ? null : disk.folderFor(expected, prints.diskBytes()), this);
    }

    /** Better at the start than when all have been read. */
    private void requireRoom(long rows, long bytesEach) {
        long bytes = rows * bytesEach;
        try {
            memory.accept(bytes);
        } catch (CircuitBreakingException e) {
            throw new CircuitBreakingException(
                    "the fingerprints of a pass must fit into the breaker [request], got: " + new ByteSizeValue(bytes)
                            + " for " + rows + " fingerprints: " + e.getMessage(),
                    e.getBytesWanted(),
                    e.getByteLimit(),
                    e.getDurability());
        }
        memory.accept(-bytes);
    }

    /** Number of chunks: one, or so many that two of them fit into the allowance or on the disk. */
    public int chunks(long documents, Prints prints, DeduplicateDisk disk) {
        long inFiles = disk.room() / prints.diskBytes();
        if (prints.haveWords()) { // else the heap that files take is of no account
            inFiles = Math.min(inFiles, allowance.getBytes() / prints.heapBytesOfFiles());
        }
        long rows = Math.min(prints.mostRows(), Math.max(rows(prints), inFiles));
        if (documents <= rows) {
            return 1;
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(3, (2 * documents + rows - 1) / rows));
    }

    /** The passes over {@code chunks} chunks. */
    public List<Chunks> passes(int chunks) {
        long passes = Chunks.passes(chunks);
        if (passes > MOST_PASSES) {
            throw new IllegalArgumentException(
                    "[" + NAME + "] must be large enough for the fingerprints to be joined in at most " + MOST_PASSES
                            + " passes, and these would take " + passes + ", got: " + allowance);
        }
        return Chunks.pairs(chunks);
    }

    /** A join within the allowance, on all threads of its pool. */
    public NearJoin join(ThreadPool threads, int distance, LongConsumer compared) {
        return new NearJoin(
                distance,
                DeduplicateThreads.joiners(threads),
                DeduplicateThreads.joining(threads),
                allowance.getBytes(),
                compared);
    }

    public long links() {
        return Math.clamp(allowance.getBytes() / 2 / NearGraph.LINK_BYTES, Wanted.LEAST_LINKS, MOST_LINKS);
    }

    /** Takes bytes, or gives back a negative number. */
    @Override
    public void accept(long bytes) {
        memory.accept(bytes);
    }

    /** Limits the disk that jobs use for files: a setting per pass, and half of the free space. */
    public static final class DeduplicateDisk {

        private static final String NAME = "plugins.simhash.deduplicate.disk";

        /** Bytes for a pass that does not fit on the heap. With 0, a job makes more passes instead. */
        public static final Setting<ByteSizeValue> MOST = Setting.byteSizeSetting(
                NAME, new ByteSizeValue(256, ByteSizeUnit.GB), Property.NodeScope, Property.Dynamic);

        /** The other half stays for the indices. */
        private static final int PART = 2;

        private static final String FOLDER = "simhash";

        private final NodeEnvironment environment;
        private volatile ByteSizeValue maxBytes;

        @Inject
        public DeduplicateDisk(NodeEnvironment environment, ClusterService cluster) {
            this.environment = environment;
            this.maxBytes = MOST.get(cluster.getSettings());
            cluster.getClusterSettings().addSettingsUpdateConsumer(MOST, value -> maxBytes = value);
        }

        /** Bytes for a pass now; 0 on a node without data. */
        private long room() {
            return environment.hasNodeFile() ? Math.min(maxBytes.getBytes(), free() / PART) : 0;
        }

        private long free() {
            try {
                return environment.nodePaths()[0].fileStore.getUsableSpace();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /**
         * The folder for the files of a pass.
         *
         * @throws OpenSearchRejectedExecutionException if the rows do not fit; they may fit on another node
         */
        Path folderFor(long rows, long bytesEach) {
            if (rows * bytesEach > room()) {
                throw new OpenSearchRejectedExecutionException(
                        "the files of a pass must fit into half of what is free on the"
                                + " disk of the node, and into [" + NAME + "]: [" + maxBytes + "], got: "
                                + new ByteSizeValue(rows * bytesEach) + " for " + rows
                                + " fingerprints, where there is room for "
                                + new ByteSizeValue(room()));
            }
            return environment.nodePaths()[0].path.resolve(FOLDER);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.simhash.deduplicate.join.RowFiles;

/** What the files of jobs may take of the disk that the node has its data on: a bound for each pass, and half of what is free. */
public final class DeduplicateDisk {

    private static final String NAME = "plugins.simhash.deduplicate.disk";

    /** Bytes for the fingerprints of one pass that do not fit into the heap; with none, more passes are made. */
    public static final Setting<ByteSizeValue> MOST = Setting.byteSizeSetting(
            NAME, new ByteSizeValue(256, ByteSizeUnit.GB), Property.NodeScope, Property.Dynamic);

    /** The other half is left to the indices. */
    private static final int PART = 2;

    private static final String FOLDER = "simhash";

    private final NodeEnvironment environment;
    private volatile ByteSizeValue most;

    @Inject
    public DeduplicateDisk(NodeEnvironment environment, ClusterService cluster) {
        this.environment = environment;
        this.most = MOST.get(cluster.getSettings());
        cluster.getClusterSettings().addSettingsUpdateConsumer(MOST, value -> most = value);
    }

    /** How many rows of a pass there is room for now; none on a node without data of its own. */
    public long rows() {
        return room() / RowFiles.DISK_BYTES;
    }

    private long room() {
        return environment.hasNodeFile() ? Math.min(most.getBytes(), free() / PART) : 0;
    }

    private long free() {
        try {
            return environment.nodePaths()[0].fileStore.getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The folder for the files of a pass. Whoever makes some opens them so that nothing stays of them.
     *
     * @throws OpenSearchRejectedExecutionException when there is no room for so many rows: another node may have some
     */
    public Path folderFor(long rows) {
        if (rows > rows()) {
            throw new OpenSearchRejectedExecutionException(
                    "the files of a pass must fit into half of what is free on the"
                            + " disk of the node, and into [" + NAME + "]: [" + most + "], got: "
                            + new ByteSizeValue(rows * RowFiles.DISK_BYTES) + " for " + rows
                            + " fingerprints, where there is room for "
                            + new ByteSizeValue(room()));
        }
        return environment.nodePaths()[0].path.resolve(FOLDER);
    }
}

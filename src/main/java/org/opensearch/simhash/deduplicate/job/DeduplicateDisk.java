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

/** Limits the disk that jobs use for files: a setting per pass, and half of the free space. */
public final class DeduplicateDisk {

    private static final String NAME = "plugins.simhash.deduplicate.disk";

    /** Bytes for a pass that does not fit on the heap. With 0, a job makes more passes instead. */
    public static final Setting<ByteSizeValue> MOST = Setting.byteSizeSetting(
            NAME, new ByteSizeValue(256, ByteSizeUnit.GB), Property.NodeScope, Property.Dynamic);

    /** The other half stays for the indices. */
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

    /** Rows of a pass that fit now; 0 on a node without data. */
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
     * The folder for the files of a pass.
     *
     * @throws OpenSearchRejectedExecutionException if the rows do not fit; they may fit on another node
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

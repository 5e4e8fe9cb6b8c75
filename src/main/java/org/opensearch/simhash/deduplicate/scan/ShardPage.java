/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;

/** The page of one shard. */
interface ShardPage extends Writeable {

    ShardId shard();

    /** Number of rows. */
    int size();
}

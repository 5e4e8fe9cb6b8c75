/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.bulk.BulkRequest;

/** Bulks that are made up. */
public final class Requests {

    private Requests() {}

    /** What pipelines are told of a bulk. */
    public static BulkChanges changes(BulkRequest bulk) {
        return BulkChanges.bytes(bulk) == 0 ? BulkChanges.NONE : BulkChanges.of(bulk);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import org.opensearch.action.bulk.BulkRequest;

/** Makes bulks. */
public final class Requests {

    private Requests() {}

    /** The changes that pipelines see. */
    public static BulkChanges changes(BulkRequest bulk) {
        return BulkChanges.bytes(bulk) == 0 ? BulkChanges.NONE : BulkChanges.of(bulk);
    }
}

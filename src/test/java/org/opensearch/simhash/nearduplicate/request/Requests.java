/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

import org.opensearch.action.bulk.BulkRequest;

/** Bulks that are made up. */
public final class Requests {

    private Requests() {}

    public static BulkChanges changes(BulkRequest bulk) {
        return BulkChanges.of(bulk);
    }
}

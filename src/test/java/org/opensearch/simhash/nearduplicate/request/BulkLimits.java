/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.request;

/** What tests of whole nodes must know of bulks, and nobody else. */
public final class BulkLimits {

    /** Deletes and updates of a bulk that are told apart. */
    public static final int TOLD_APART = BulkChanges.MOST;

    private BulkLimits() {}
}

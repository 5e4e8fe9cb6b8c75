/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

/** Counts of the jobs that this node coordinates, restores included. */
public enum JobCount {
    STARTED,
    COMPLETED,
    CANCELLED,
    FAILED,
    /** Documents without fingerprint, which were compared with nothing. */
    WITHOUT_FINGERPRINT,
    TAGGED,
    /** Documents that lost an outdated tag. */
    CLEARED,
    /** Without those put back. */
    DELETED,
    /** Documents that were deleted while their survivor changed, then created again. */
    PUT_BACK,
    /** Documents kept, because their survivor might not outlive a crash. */
    UNCONFIRMED,
    ARCHIVED,
    RESTORED,
    /** Documents left alone because they had changed. */
    VERSION_CONFLICTS
}

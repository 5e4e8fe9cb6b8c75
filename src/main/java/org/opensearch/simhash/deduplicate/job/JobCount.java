/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

/** What the jobs did that this node coordinates, those that restore included. */
public enum JobCount {
    STARTED,
    COMPLETED,
    CANCELLED,
    FAILED,
    /** Documents that were compared with nothing, because they have no fingerprint. */
    WITHOUT_FINGERPRINT,
    /** Documents that got a tag. */
    TAGGED,
    /** Documents that lost a tag that no longer held. */
    CLEARED,
    /** Without those that were put back. */
    DELETED,
    /** Documents that were deleted while their survivor changed, and created again. */
    PUT_BACK,
    /** Documents that stay because nobody could say whether their survivor would survive a crash. */
    UNCONFIRMED,
    ARCHIVED,
    RESTORED,
    /** Documents left alone because they had changed. */
    VERSION_CONFLICTS
}

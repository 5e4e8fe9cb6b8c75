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
    /** Documents that became duplicates, or duplicates of another survivor or in another group. */
    TAGGED,
    /** Documents that were duplicates, and are none any more. */
    CLEARED,
    /** Other documents whose id of a group, or size, was written or removed: survivors, and those that are alone. */
    GROUPED,
    /** Without those put back. */
    DELETED,
    /** Documents that were deleted while their survivor changed, then created again. */
    PUT_BACK,
    /** Documents kept, because their survivor might not outlive a crash. */
    UNCONFIRMED,
    ARCHIVED,
    /** Survivors that got values of their duplicates. */
    MERGED,
    RESTORED,
    /** Documents left alone because they had changed. */
    VERSION_CONFLICTS,
    /** Documents left alone, because their fingerprint or that of their survivor is not that of its text. */
    STALE_FINGERPRINT,
    /** Documents whose text has no words: duplicates of nothing. */
    NO_TEXT,
    /** Documents kept, because they have a long run of words that their survivor lacks. */
    OWN_TEXT,
    /** Documents kept, because their text or hash is not near enough to that of the survivor. */
    NOT_SIMILAR
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * Told how each Lucene leaf is searched, and what that takes; the source of statistics and of the profile.
 *
 * <p>{@link #started} is called once for each scorer that starts to work, by the thread that runs it: several threads call when
 * leaves are searched concurrently. Nothing is called per document: the counts are fields of {@link LeafEffort}, which go on
 * growing until the search is over and are read afterwards.
 */
@FunctionalInterface
public interface PlanListener {

    /** A scorer starts to work; {@code effort} counts what it does from now on. */
    void started(LeafEffort effort);

    /**
     * The calling thread is about to keep so many bytes for what it searches of one leaf, in place of what it kept for another. May
     * refuse them with an exception. Not called for less than some kilobytes.
     */
    default void keeps(long bytes) {}
}

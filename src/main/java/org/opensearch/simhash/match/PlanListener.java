/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * Told how each Lucene leaf is searched; the source of statistics and of the profile.
 *
 * <p>Called once for each scorer that starts to work, by the thread that runs it: several threads call when leaves are
 * searched concurrently. Nothing is called per document: the counts are fields of {@link LeafEffort}, which go on growing
 * until the search is over and are read afterwards.
 */
@FunctionalInterface
public interface PlanListener {

    PlanListener NONE = effort -> {};

    /** A scorer starts to work; {@code effort} counts what it does from now on. */
    void started(LeafEffort effort);
}

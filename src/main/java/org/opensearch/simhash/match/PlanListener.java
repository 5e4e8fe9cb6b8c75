/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

/**
 * Observes how each leaf is searched; the source of statistics and profile.
 *
 * <p>{@link #started} is called once per scorer by its thread, so several threads may call at once. There is no call
 * per document: read the counts of {@link LeafEffort} after the search.
 */
@FunctionalInterface
public interface PlanListener {

    /** A scorer starts; {@code effort} counts its work. */
    void started(LeafEffort effort);

    /**
     * The calling thread will hold this many bytes for its leaf, in place of its previous amount. May refuse with an
     * exception. Not called below some kilobytes.
     */
    default void keeps(long bytes) {}
}

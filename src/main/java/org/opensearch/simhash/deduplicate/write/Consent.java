/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Asked right before duplicates are written whether that is still wanted. May block. */
@FunctionalInterface
public interface Consent {

    /** Nobody can take it back. */
    Consent GIVEN = duplicates -> duplicate -> true;

    /**
     * Which of these duplicates may be written.
     *
     * @param duplicates by rank
     */
    IntPredicate to(IntStream duplicates);
}

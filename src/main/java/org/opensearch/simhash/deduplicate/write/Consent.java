/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Asked right before documents are written whether that is still wanted. May block. */
@FunctionalInterface
public interface Consent {

    /** Nobody can take it back. */
    Consent GIVEN = documents -> document -> true;

    /**
     * Which of these documents may be written.
     *
     * @param documents by rank; negative for those without links
     */
    IntPredicate to(IntStream documents);
}

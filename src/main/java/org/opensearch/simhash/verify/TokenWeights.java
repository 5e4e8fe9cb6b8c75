/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

/** How much a word says, for {@link Measure#COSINE}: what few texts have says much. Thread-safe. */
@FunctionalInterface
public interface TokenWeights {

    /** Where nothing is known of words. */
    TokenWeights EQUAL = token -> 1;

    /**
     * The weight of a token, 0 or more.
     *
     * @param token as the analyzer makes it, without case; valid during the call only
     */
    double weight(CharSequence token);
}

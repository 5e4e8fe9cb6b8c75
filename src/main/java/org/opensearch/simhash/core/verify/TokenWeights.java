/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

/** The weight of a word for {@link Measure#COSINE}: rare words weigh much. Thread-safe. */
@FunctionalInterface
public interface TokenWeights {

    /** If nothing is known of words. */
    TokenWeights EQUAL = token -> 1;

    /** The weight of a token without case, 0 or more. The token is valid during the call. */
    double weight(CharSequence token);
}

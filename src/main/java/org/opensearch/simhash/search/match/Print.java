/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import org.opensearch.simhash.core.fingerprint.SketchKind;

/** What documents are compared with: a fingerprint or a sketch, and a digest. Immutable. */
public sealed interface Print permits Target, SketchTarget, PassageTarget {

    SketchKind kind();

    /** Whether it has more than a digest. A short text has not. */
    boolean isWhole();

    /** Null if unknown. */
    String digest();

    /** The recipe's id; null if unknown, then prints of all schemes are compared. */
    String scheme();
}

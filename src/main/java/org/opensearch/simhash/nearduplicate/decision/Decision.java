/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/**
 * The result for a document.
 *
 * @param dropped whether it ends
 * @param failure or null
 */
public record Decision(boolean dropped, Exception failure) {

    /** Goes on, tagged or not. */
    public static final Decision KEPT = new Decision(false, null);

    static final Decision DROPPED = new Decision(true, null);

    public static Decision failed(Exception e) {
        return new Decision(false, e);
    }
}

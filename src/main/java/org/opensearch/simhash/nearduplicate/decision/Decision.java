/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.decision;

/**
 * What becomes of a document.
 *
 * @param dropped whether it goes no further
 * @param failure why it fails, or null
 */
public record Decision(boolean dropped, Exception failure) {

    /** It goes on, tagged or not. */
    public static final Decision KEPT = new Decision(false, null);

    static final Decision DROPPED = new Decision(true, null);

    public static Decision failed(Exception e) {
        return new Decision(false, e);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.text;

/** An analyzer fails on this one text. */
public final class UnreadableTextException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public UnreadableTextException(String message, Throwable cause) {
        super(message, cause);
    }
}

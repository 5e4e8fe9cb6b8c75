/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

/**
 * What a document is found by.
 *
 * @param index the index itself, no alias; its name to be when it does not exist yet
 * @param routing may be null
 */
public record DocumentName(String index, String id, String routing) {

    /** The same document, by index and id alone. */
    public DocumentName unrouted() {
        return routing == null ? this : new DocumentName(index, id, null);
    }

    /** Whether both are versions of one document. */
    public boolean sameDocument(DocumentName other) {
        return id.equals(other.id) && index.equals(other.index);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.util.List;

/** The tag of a document, and what people decided about it: fields below the fingerprint object. */
public final class TagFields {

    /** The id of its group, which all members share. It is no document's id. */
    public static final String GROUP = "group";

    /** Characters of a new id of a group. */
    public static final int GROUP_LENGTH = 20;

    /** The id of the survivor, in duplicates only. */
    public static final String DUPLICATE_OF = "duplicate_of";

    /** The ids of documents from which people keep it apart. */
    public static final String APART = "apart";

    /** The tag. */
    public static final List<String> ALL = List.of(GROUP, DUPLICATE_OF);

    /** What a write of the same text keeps: the tag, and what people decided. */
    public static final List<String> KEPT = List.of(GROUP, DUPLICATE_OF, APART);

    private TagFields() {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.util.List;

/** The tag of a near-duplicate in its document: fields below the fingerprint object, each with the survivor's id. */
public final class TagFields {

    public static final String GROUP = "group";
    public static final String DUPLICATE_OF = "duplicate_of";

    public static final List<String> ALL = List.of(GROUP, DUPLICATE_OF);

    private TagFields() {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import org.opensearch.common.util.concurrent.ThreadContext;

/** Who sends a request, where the security plugin says so. */
final class Reviewer {

    /** Where it puts name, roles and tenant, with bars between them. */
    static final String USER = "_opendistro_security_user_info";

    private Reviewer() {}

    /** The name, or null when nobody knows it. */
    static String name(ThreadContext context) {
        Object user = context.getTransient(USER);
        if (user == null) {
            return null;
        }
        // A bar in a name has a backslash before it.
        String name = user.toString().split("(?<!\\\\)\\|", 2)[0].replace("\\|", "|");
        return name.isEmpty() ? null : name;
    }
}

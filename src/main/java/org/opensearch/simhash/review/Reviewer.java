/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.review;

import org.opensearch.common.util.concurrent.ThreadContext;

/** The name of the user, if the security plugin tells it. */
final class Reviewer {

    /** Its value has name, roles and tenant with bars between them. */
    static final String USER = "_opendistro_security_user_info";

    private Reviewer() {}

    /** Null if unknown. */
    static String name(ThreadContext context) {
        Object user = context.getTransient(USER);
        if (user == null) {
            return null;
        }
        // A bar in a name is escaped by a backslash.
        String name = user.toString().split("(?<!\\\\)\\|", 2)[0].replace("\\|", "|");
        return name.isEmpty() ? null : name;
    }
}

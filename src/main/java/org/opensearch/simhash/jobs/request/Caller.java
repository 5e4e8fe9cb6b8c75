/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.request;

import java.util.Objects;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.rest.RestStatus;

/**
 * The user of a request, as the security plugin tells it.
 *
 * @param name null without security
 * @param roles with commas between them; null without security
 */
public record Caller(String name, String roles) {

    /** Name, backend roles, roles and tenant of the user with bars between them. */
    public static final String INFO = "_opendistro_security_user_info";

    private static final String USER = "_opendistro_security_user";

    /** What follows has the rights of these roles: name, a bar, and roles with commas between them. */
    private static final String INJECTED = "opendistro_security_injected_roles";

    public static Caller of(ThreadContext context) {
        Object info = context.getTransient(INFO);
        if (info == null) {
            return new Caller(null, null);
        }
        // A bar in a name is escaped by a backslash.
        String[] parts = info.toString().split("(?<!\\\\)\\|", -1);
        String name = parts[0].replace("\\|", "|");
        return new Caller(name.isEmpty() ? null : name, parts.length > 2 ? parts[2] : "");
    }

    /**
     * As {@link #of}, for work that is done later with the roles of the user.
     *
     * @throws OpenSearchStatusException if there is a user whose roles are not told
     */
    public static Caller withRoles(ThreadContext context) {
        Caller caller = of(context);
        boolean isUnknown = caller.name == null && context.getTransient(USER) != null;
        if (isUnknown || Objects.equals(caller.roles, "")) {
            throw new OpenSearchStatusException(
                    "a schedule runs with the roles of the user who puts it, got: none", RestStatus.FORBIDDEN);
        }
        return caller;
    }

    /** Gives what this thread does next the rights of the user. Without security they are those of the plugin. */
    public void act(ThreadContext context) {
        if (roles != null) {
            context.putTransient(INJECTED, name.replace('|', '_') + "|" + roles);
        }
    }
}

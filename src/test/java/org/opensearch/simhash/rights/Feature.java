/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.util.List;

/**
 * Something that a role is for.
 *
 * @param rows of the table in docs/operations.md that say which rights it needs
 * @param prepare makes what it works on, as somebody who may do everything
 * @param use does it with the role; throws {@link Refused} where a right is lacking, and an error where the answer is not the right one
 * @param settled looks at what is there afterwards, whether it was refused or not
 */
record Feature(String name, List<String> rows, Runnable prepare, Runnable use, Runnable settled) {

    @Override
    public String toString() {
        return name;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import org.opensearch.simhash.node.Answer;

/** An answer that says which right is lacking. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String answer;

    Refused(Answer answer) {
        super(answer.toString());
        this.answer = answer.text();
    }

    /** Whether the answer says that this action is not permitted. */
    boolean names(String action) {
        return answer.contains("no permissions for [") && answer.contains(action);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.durable;

import java.util.List;

/** Answers that a test gives in the place of the primary shards. */
public final class DurabilityAnswers {

    private DurabilityAnswers() {}

    /** To a request for as many versions. */
    public static DurabilityAction.Response of(List<Durability> answers) {
        return new DurabilityAction.Response(answers);
    }

    /** The same for each version of a request. */
    public static DurabilityAction.Response toAll(DurabilityAction.Request request, Durability answer) {
        return of(request.versions().stream().map(version -> answer).toList());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.rest.RestStatus;

/** What came of the writes of a job. One thread. */
final class Outcome {

    private static final int MOST_FAILURES = 100;

    long tagged;
    long cleared;
    long deleted;
    long archived;
    long restored;
    long conflicts;
    private final List<WriteFailure> failures = new ArrayList<>();

    void fail(String index, String id, String reason, RestStatus status) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(new WriteFailure(index, id, reason, status));
        }
    }

    List<WriteFailure> failures() {
        return failures;
    }
}

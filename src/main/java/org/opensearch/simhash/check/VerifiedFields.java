/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks whether documents have the texts that {@code near_duplicate} verifies. */
record VerifiedFields(CheckedIndex index, PipelineSteps pipelines, RandomDocuments documents) {

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Step step : index.steps()) {
            if (step.isNearDuplicate()
                    && step.nearDuplicateField().equals(index.fingerprint())
                    && step.options().get("verify") instanceof Map<?, ?> verify
                    && verify.get("field") instanceof String field
                    && documents.haveSome(index, field) == false) {
                findings.add(Finding.of(
                        Code.VERIFY_FIELD,
                        index.name(),
                        "[near_duplicate] of pipeline [" + step.pipeline() + "] verifies the texts in [" + field
                                + "], which no document has: none is a near-duplicate",
                        mend(step, verify)));
            }
        }
        return findings;
    }

    private String mend(Step step, Map<?, ?> verify) {
        Set<String> texts = index.textFields();
        if (texts.size() != 1) {
            return "Set [field] of [verify] to the one of " + texts + " that is to be compared, in pipeline ["
                    + step.pipeline() + "].";
        }
        return pipelines.changed(
                index,
                step,
                Map.of(
                        "verify",
                        MendingRequest.with(verify, "field", texts.iterator().next())));
    }
}

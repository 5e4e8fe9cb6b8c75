/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.ExceptionsHelper;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.simhash.desk.check.Finding.Severity;

/** What the steps of a check find in an index, each once. One that fails leaves what the others find, and is one finding. One thread. */
final class Findings {

    private final CheckedIndex index;
    private final Set<Finding> all = new LinkedHashSet<>();
    private int steps;
    private boolean hasFailed;

    Findings(CheckedIndex index) {
        this.index = index;
    }

    Set<Finding> all() {
        return all;
    }

    boolean have(Code... codes) {
        return all.stream().anyMatch(finding -> List.of(codes).contains(finding.code()));
    }

    void add(Code code, String message, String mend) {
        add(code.severity(), code, message, mend);
    }

    void add(Severity severity, Code code, String message, String mend) {
        all.add(new Finding(severity, code, index.name(), message, mend));
    }

    void addNotSearchable(String reason, String mend) {
        add(Code.NOT_SEARCHABLE, "the documents were not looked at: " + reason, mend);
    }

    /** Returns whether the step found anything. */
    boolean of(Runnable step) {
        int before = all.size();
        Supplier<Boolean> finding = () -> {
            step.run();
            return all.size() > before;
        };
        return of(finding, false);
    }

    <T> T of(Supplier<T> step, T otherwise) {
        steps++;
        try {
            return step.get();
        } catch (RuntimeException e) {
            if (ExceptionsHelper.unwrapCause(e) instanceof TaskCancelledException cancelled) {
                throw cancelled;
            }
            if (hasFailed == false) {
                hasFailed = true;
                String blocking = IndexMetadata.INDEX_BLOCKS_READ_SETTING.getKey();
                boolean isBlocked = IndexMetadata.INDEX_BLOCKS_READ_SETTING.get(
                        index.metadata().getSettings());
                addNotSearchable(
                        (steps == 1 ? "" : "not all, because of this: ")
                                + ExceptionsHelper.unwrapCause(e).getMessage(),
                        isBlocked
                                ? MendingRequest.putSettings(index, blocking, false)
                                : "See why a search of [" + index.name() + "] fails: GET /" + index.inPath()
                                        + "/_search");
            }
            return otherwise;
        }
    }
}

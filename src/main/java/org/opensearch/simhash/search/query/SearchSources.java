/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.query.FingerprintPresence.SoughtPrints;
import org.opensearch.simhash.search.query.QuerySource.Resolved;

/** The sources of the {@code simhash} queries of one search, collected while they are rewritten. Thread-safe. */
final class SearchSources {

    static final String KEY = "_simhash_sought";

    /** More sources in one search get no warnings. */
    private static final int MOST = 4;

    private final Set<Source> sources = new LinkedHashSet<>();

    /**
     * @param warning what it lacks, and what follows; null if it lacks nothing
     * @param sought without a place; null if the source has no print
     */
    record Source(String warning, SoughtPrints sought) {

        /** @param lacksRuns null for sources that are no passages */
        static Source of(QuerySource typed, String field, Verification verify, Resolved resolved, String lacksRuns) {
            List<Print> prints = resolved.prints();
            String option = switch (typed) {
                case QuerySource.Text text -> "[text]";
                case QuerySource.Document document -> "[document]";
                case QuerySource.Image image -> "[image]";
                case QuerySource.Stored stored -> "[id] document [" + stored.id() + "]";
                default -> "[" + Prints.option(prints.getFirst().kind()) + "]";
            };
            if (prints.isEmpty()) {
                String lacks =
                        " has no fingerprint in [" + field + "], or its index does not map it: nothing is near it";
                return new Source("[simhash] " + option + lacks, null);
            }
            Set<String> schemes = new TreeSet<>();
            prints.stream().map(Print::scheme).filter(Objects::nonNull).forEach(schemes::add);
            String lacks = prints.stream().noneMatch(Print::isWhole)
                    ? "too few features for a fingerprint: only equal texts are found"
                    : lacksRuns;
            String part = typed instanceof Resolved && prints.getFirst() instanceof Target hash
                    ? FingerprintFields.bits(hash.length())
                    : null;
            String verified = verify == null ? null : verify.field();
            return new Source(
                    lacks == null ? null : "[simhash] " + option + " has " + lacks,
                    new SoughtPrints(null, field, schemes, verified, Set.of(), false, part));
        }
    }

    /** Adds a source, if the search of this context collects them. */
    static void note(ThreadContext context, Source source) {
        if (context.getTransient(KEY) instanceof SearchSources sought) {
            sought.add(source);
        }
    }

    private synchronized void add(Source source) {
        if (sources.size() < MOST) {
            sources.add(source);
        }
    }

    synchronized List<Source> sources() {
        return List.copyOf(sources);
    }
}

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
import org.opensearch.simhash.search.query.QuerySource.Resolved;

/** The sources of the {@code simhash} queries of one search, collected while they are rewritten. Thread-safe. */
final class SearchSources {

    static final String KEY = "_simhash_sought";

    /** More sources in one search get no warnings. */
    private static final int MOST = 4;

    private final Set<Source> sources = new LinkedHashSet<>();

    /**
     * @param option that the user typed
     * @param field the fingerprint object
     * @param schemes of the documents to find; empty means every scheme
     * @param verifiedField the field whose text is verified, or null
     * @param isEmpty whether there is no fingerprint
     * @param lacks what it has too few of, and what follows; null if it has enough
     * @param part that a typed hash is compared with; null for others
     */
    record Source(
            String option,
            String field,
            Set<String> schemes,
            String verifiedField,
            boolean isEmpty,
            String lacks,
            String part) {

        /**
         * @param typed what the user typed
         * @param lacksRuns null for sources that are no passages
         */
        static Source of(QuerySource typed, String field, Verification verify, Resolved resolved, String lacksRuns) {
            List<Print> prints = resolved.prints();
            boolean areDigests = prints.isEmpty() == false && prints.stream().noneMatch(Print::isWhole);
            Set<String> schemes = new TreeSet<>();
            prints.stream().map(Print::scheme).filter(Objects::nonNull).forEach(schemes::add);
            String option = switch (typed) {
                case QuerySource.Text text -> "[text]";
                case QuerySource.Document document -> "[document]";
                case QuerySource.Image image -> "[image]";
                case QuerySource.Stored stored -> "[id] document [" + stored.id() + "]";
                default -> "[" + Prints.option(prints.getFirst().kind()) + "]";
            };
            return new Source(
                    option,
                    field,
                    schemes,
                    verify == null ? null : verify.field(),
                    prints.isEmpty(),
                    areDigests ? "too few features for a fingerprint: only equal texts are found" : lacksRuns,
                    typed instanceof Resolved && prints.getFirst() instanceof Target hash
                            ? hash.hash() == null ? FingerprintFields.BITS : FingerprintFields.BITS_256
                            : null);
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

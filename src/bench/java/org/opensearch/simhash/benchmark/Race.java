/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.RestClient;

/**
 * The same searches in several forms, in turns, so that whatever else the machine does hits all of them: for each
 * fingerprint one request per form, each time another form first. One client, no concurrency.
 */
final class Race {

    /** The node's compiler is still busy after a thousand searches. */
    private static final int WARM_UP = 2000;

    private static final int SEARCHES = 200;
    /** Of the searches, those in a form that visits every document. */
    private static final int ONE_IN = 8;

    private final Corpus corpus;
    private final List<Entrant> entrants;

    /** @param corpus what is in the indices of all */
    Race(Corpus corpus, List<Entrant> entrants) {
        this.corpus = corpus;
        this.entrants = entrants;
    }

    /** A form of search, and where to send it. */
    record Entrant(SearchForm form, RestClient client, String index) {

        Answer search(long query, int distance) {
            return client.must("POST", "/" + index + "/_search", form.body(query, distance));
        }
    }

    Map<SearchForm, Measured> run(int distance) {
        run(distance, corpus.queries(WARM_UP, distance, 1));
        return run(distance, corpus.queries(SEARCHES, distance, 2));
    }

    private Map<SearchForm, Measured> run(int distance, long[] queries) {
        Map<SearchForm, Measured> measured = new EnumMap<>(SearchForm.class);
        entrants.forEach(entrant -> measured.put(entrant.form, new Measured()));
        List<Entrant> turns = new ArrayList<>(entrants);
        // Before the first search: to compare with every document empties the processor's cache.
        int[][] truths = Arrays.stream(queries).mapToObj(corpus::distances).toArray(int[][]::new);
        for (int i = 0; i < queries.length; i++) {
            turns.add(turns.removeFirst());
            // Pairs: a new fingerprint and one beside an indexed one.
            boolean all = i < SEARCHES && i / 2 % ONE_IN == 0;
            for (Entrant entrant : turns) {
                if (all || entrant.form.visitsAll() == false) {
                    long start = System.nanoTime();
                    Answer answer = entrant.search(queries[i], distance);
                    double wallMillis = (System.nanoTime() - start) / 1e6;
                    measured.get(entrant.form).add(answer, wallMillis);
                    if (entrant.form != SearchForm.NOTHING) {
                        measured.get(entrant.form).check(answer, corpus, queries[i], distance, truths[i]);
                    }
                }
            }
        }
        return measured;
    }
}

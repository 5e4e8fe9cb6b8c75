/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.round;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.simhash.nearduplicate.NearDuplicateProcessor;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.decision.DuplicateRule;
import org.opensearch.simhash.query.FingerprintPresence;
import org.opensearch.simhash.warnings.RequestWarnings;

/** Warns if a bulk's documents cannot be near anything: once for all. */
record ArrivalWarnings(RequestWarnings warnings, FingerprintPresence presence, DuplicateRule rule) {

    /** Most questions for one bulk, each about a scope and a scheme. */
    private static final int MOST_QUESTIONS = 4;

    /** Most ids to remember. A stored document with such an id belongs to the bulk. */
    private static final int MOST_IDS = 10_000;

    private static final String NAME = "[" + NearDuplicateProcessor.TYPE + "]";

    /** @param without documents without a fingerprint */
    void warn(List<Arrival> arrivals, long without) {
        long tooShort = arrivals.stream()
                .filter(arrival -> arrival.print().isWhole() == false)
                .count();
        warnings.arrived(NAME + " for [" + rule.field() + "]", arrivals.size() + without, without, tooShort);
        Map<List<String>, Set<String>> schemes = new LinkedHashMap<>();
        Set<String> ids = new HashSet<>();
        for (Arrival arrival : arrivals) {
            if (ids.size() < MOST_IDS) {
                ids.add(arrival.name().id());
            }
            String scheme = arrival.print().scheme();
            if (arrival.scope().isSearchable() && scheme != null) {
                schemes.computeIfAbsent(arrival.scope().expressions(), any -> new TreeSet<>())
                        .add(scheme);
            }
        }
        String text =
                rule.ownVerification() == null ? null : rule.ownVerification().field();
        int questions = 0;
        for (Map.Entry<List<String>, Set<String>> place : schemes.entrySet()) {
            for (String scheme : place.getValue()) {
                if (questions++ < MOST_QUESTIONS) {
                    ask(new FingerprintPresence.SoughtPrints(
                            FingerprintPresence.SearchedPlace.of(place.getKey()),
                            rule.field(),
                            Set.of(scheme),
                            text,
                            ids));
                }
            }
        }
    }

    /** Asks after the bulk's lookups. */
    private void ask(FingerprintPresence.SoughtPrints sought) {
        warnings.whenDone(
                List.of(sought.place(), sought.field(), sought.schemes()),
                answered -> presence.explain(sought, found -> {
                    found.map(sentence -> NAME + " " + sentence).ifPresent(warnings::add);
                    answered.run();
                }));
    }
}

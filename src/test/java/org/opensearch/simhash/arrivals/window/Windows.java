/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.simhash.arrivals.arrival.Arrivals;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer.ItemAnswer;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.window.ArrivalOutcome.Fate;

/** Access to a window for tests. */
public final class Windows {

    private Windows() {}

    /** Documents in order of arrival. */
    public static List<DocumentName> names(ArrivalWindow window) {
        return window.names();
    }

    /** Bytes on the breaker. */
    public static long bytes(ArrivalWindow window, RecentTexts texts) {
        return window.bytes() + texts.bytes();
    }

    public static void forget(ArrivalWindow window, String index) {
        window.forget(Set.of(index));
    }

    public static void drop(ArrivalWindow window, long number) {
        window.decide(List.of(ArrivalOutcome.forgotten(number)));
    }

    static void keep(ArrivalWindow window, long number, DocumentName name) {
        keep(window, number, name, null);
    }

    static void keep(ArrivalWindow window, long number, DocumentName name, DocumentName original) {
        window.decide(List.of(new ArrivalOutcome(number, Fate.KEPT, name, original)));
    }

    static void keepBeside(ArrivalWindow window, long number) {
        window.decide(List.of(new ArrivalOutcome(number, Fate.PERHAPS, null, null)));
    }

    static void end(ArrivalWindow window, long number) {
        window.decide(List.of(new ArrivalOutcome(number, Fate.ENDED, null, null)));
    }

    static void refuse(ArrivalWindow window, long number) {
        window.decide(List.of(new ArrivalOutcome(number, Fate.REFUSED, null, null)));
    }

    /** A bulk is answered: a shard refused a document. */
    static void refused(ArrivalWindow window, String index, String id, BulkAnswer answer) {
        window.answered(answer, List.of(new ItemAnswer(index, id, null)));
    }

    /** A bulk is answered: a document is stored. */
    static void stored(ArrivalWindow window, String index, String id, BulkAnswer answer) {
        window.answered(answer, List.of(new ItemAnswer(index, id, new Version(7, 1))));
    }

    static EntryState state(ArrivalWindow window, long number) {
        return version(window, number).map(WindowVersion::state).orElse(EntryState.GONE);
    }

    static DocumentName name(ArrivalWindow window, long number) {
        return version(window, number).orElseThrow().name();
    }

    static List<DocumentName> originals(ArrivalWindow window, long number) {
        return version(window, number).map(WindowVersion::originals).orElse(List.of());
    }

    /** By the default field. */
    static List<WindowVersion> versions(ArrivalWindow window, DocumentName name) {
        return window.snapshot(List.of(), List.of(name), Arrivals.FIELD, List.of())
                .versions(name);
    }

    private static Optional<WindowVersion> version(ArrivalWindow window, long number) {
        return Stream.of(Arrivals.FIELD, "title")
                .flatMap(field ->
                        window.snapshot(List.of(number), List.of(), field, List.of()).versions().values().stream())
                .flatMap(List::stream)
                .filter(version -> version.number() == number)
                .findFirst();
    }
}

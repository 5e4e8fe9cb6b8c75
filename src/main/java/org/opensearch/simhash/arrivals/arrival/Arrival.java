/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScope;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.query.SimHashQueries;

/** A document on its way into an index, and its matches there. One thread at a time. */
public final class Arrival {

    /** Matches in the first lookup: the nearest may be the document itself, or deleted. */
    public static final int MATCHES = SimHashQueries.NEAREST_OF_EACH;

    /** Matches in the second lookup, if no first one counts. Each further lookup asks for four times as many. */
    private static final int MORE_MATCHES = 64;

    private static final int MOST_MATCHES_AT_ONCE = 1_024;

    /** After this number of matches the document fails. */
    public static final int MOST_MATCHES = 10_000;

    private static final long NAME_BYTES = RamUsageEstimator.shallowSizeOfInstance(DocumentName.class);

    private final IngestDocument document;
    private final ArrivedPrint print;
    private final DocumentName name;
    private final boolean isNamed;
    private final String alias;
    private final BulkAnswer answer;
    private final Pairing pairing;
    private LookupScope scope;
    private long number = Long.MAX_VALUE;
    private long order = Long.MAX_VALUE;
    private long firstOrder = Long.MAX_VALUE;
    /** May include the document itself. */
    private final List<Original> found = new ArrayList<>(0);

    /** Names of matches that do not meet the conditions. */
    private final Set<DocumentName> others;

    private List<Original> inIndex = List.of();
    /** Matches so far; none counts. */
    private int passed;

    private int more;
    /** The next lookup starts behind this match, or at the nearest if null. */
    private Original last;

    /** Names of the matches at {@link #last}. */
    private Set<DocumentName> passedNames = Set.of();

    private boolean full;
    private Exception failure;
    private Supplier<String> text = () -> "";
    private Supplier<String> language = () -> null;
    private Supplier<? extends Print> target;

    /**
     * @param isNamed whether the client gave the id
     * @param alias the filtered alias in the request, or null
     * @param scope the documents to compare with, or null for none
     */
    public Arrival(
            IngestDocument document,
            ArrivedPrint print,
            DocumentName name,
            boolean isNamed,
            String alias,
            BulkAnswer answer,
            LookupScope scope,
            Pairing pairing) {
        this.document = document;
        this.print = print;
        this.target = print::target;
        this.name = name;
        this.isNamed = isNamed;
        this.alias = alias;
        this.answer = answer;
        this.scope = scope;
        this.pairing = pairing;
        this.others = pairing.conditions().isEmpty() ? Set.of() : new HashSet<>(0);
    }

    public IngestDocument document() {
        return document;
    }

    public ArrivedPrint print() {
        return print;
    }

    public DocumentName name() {
        return name;
    }

    public LookupScope scope() {
        return scope;
    }

    public Pairing pairing() {
        return pairing;
    }

    /** Whether an earlier version may exist. */
    public boolean isNamed() {
        return isNamed;
    }

    public String alias() {
        return alias;
    }

    public BulkAnswer answer() {
        return answer;
    }

    /** @param newText tells the text to compare; an empty one is near no other */
    public void comparedBy(Supplier<String> newText, Supplier<String> newLanguage) {
        text = newText;
        language = newLanguage;
    }

    /** @param newTarget tells what to search for in place of the print; null for nothing */
    public void searchedBy(Supplier<? extends Print> newTarget) {
        target = newTarget;
    }

    /** What to search for; null if there is nothing. */
    public Print target() {
        return target.get();
    }

    public String text() {
        return text.get();
    }

    /** Of the text; null if it is unknown. */
    public String language() {
        return language.get();
    }

    /** The place among this node's documents, and the number of the window's entry. */
    public long number() {
        return number;
    }

    public void numbered(long newNumber) {
        number = newNumber;
    }

    /** The place among the documents of all nodes: see {@link ArrivalOrder}. */
    public long order() {
        return order;
    }

    /** The order at the first processor of the pipeline; mostly {@link #order}. */
    public long firstOrder() {
        return firstOrder;
    }

    /** @param newFirstOrder at most {@code newOrder} */
    public void ordered(long newOrder, long newFirstOrder) {
        order = newOrder;
        firstOrder = newFirstOrder;
    }

    /** Matches without the document itself and those that do not meet the conditions: the nearest first, then the oldest. */
    public List<Original> inIndex() {
        return inIndex;
    }

    /** Matches to ask for, within the limit of the indices. */
    public int wanted() {
        return Math.min(more == 0 ? MATCHES : more, scope.maxHits());
    }

    /**
     * Adds the matches of one search; they may include the document itself.
     *
     * @param unmet names of those that do not meet the conditions on a pair
     */
    public void foundInIndex(List<Original> matches, Set<DocumentName> unmet) {
        int wanted = wanted();
        full |= matches.size() >= wanted;
        if (unmet.isEmpty() == false) {
            others.addAll(unmet);
        }
        matches.stream()
                .filter(match -> passedNames.contains(match.name().unrouted()) == false)
                .forEach(found::add);
        found.sort(Original.NEAREST_THEN_OLDEST);
        if (found.size() > wanted) {
            full = true;
            found.subList(wanted, found.size()).clear();
        }
        inIndex = found.stream()
                .filter(match -> match.name().sameDocument(name) == false && others.contains(match.name()) == false)
                .toList();
    }

    public boolean mayHaveMore() {
        return full;
    }

    public boolean isLookedUpFirst() {
        return more == 0;
    }

    public Original last() {
        return last;
    }

    /**
     * Forgets the matches, so that the next lookup asks for more. The second lookup starts at the nearest match again,
     * because a joint search does not sort equally near matches by age.
     *
     * @return false if too many matches do not count
     */
    public boolean lookUpFurther() {
        if (more > 0 && found.isEmpty()) {
            return false; // more documents share one place than one search returns
        }
        if (more > 0) {
            passed += found.size();
            if (last == null || isAtLast(found.getLast()) == false) {
                last = found.getLast();
                passedNames = new HashSet<>();
            }
            found.stream().filter(this::isAtLast).map(Original::name).forEach(one -> passedNames.add(one.unrouted()));
        }
        more = more == 0 ? MORE_MATCHES : Math.min(4 * more, MOST_MATCHES_AT_ONCE);
        clear();
        return passed < MOST_MATCHES;
    }

    private boolean isAtLast(Original match) {
        return match.distance() == last.distance()
                && match.version().seqNo() == last.version().seqNo();
    }

    /** Why the lookup failed, or null. */
    public Exception failure() {
        return failure;
    }

    public void failed(Exception cause) {
        failure = new OpenSearchStatusException(
                "near-duplicates of [" + name.id() + "] could not be looked up in " + scope.expressions()
                        + (scope.own() ? ": " : ", the [index] of [near_duplicate]: ")
                        + reason(cause),
                ExceptionsHelper.status(cause),
                cause);
    }

    /** Forgets the matches, because names have a new scope. */
    public void lookUpAgain(LookupScope newScope) {
        scope = newScope;
        clear();
    }

    private void clear() {
        failure = null;
        full = false;
        forget();
    }

    private void forget() {
        inIndex = List.of();
        found.clear();
        if (others.isEmpty() == false) {
            others.clear();
        }
    }

    /** The document is decided on. Its bulk may hold tens of thousands of such arrivals until the last one is. */
    public void decided() {
        forget();
        passedNames = Set.of();
        text = () -> "";
        language = () -> null;
    }

    /** The first message in the chain of causes: outer failures may have none. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        boolean silent = message == null || message.isEmpty();
        return silent && failure.getCause() != null ? reason(failure.getCause()) : message;
    }

    public static String routing(IngestDocument document) {
        return Objects.toString(
                document.getSourceAndMetadata().get(IngestDocument.Metadata.ROUTING.getFieldName()), null);
    }

    /** Bytes on the heap without the index name, which is shared. */
    public static long bytes(DocumentName name) {
        return NAME_BYTES
                + RamUsageEstimator.sizeOf(name.id())
                + (name.routing() == null ? 0 : RamUsageEstimator.sizeOf(name.routing()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.simhash.nearduplicate.scope.LookupScope;
import org.opensearch.simhash.query.SimHashQueries;

/** A document on its way into an index, and what is found out about it. One thread at a time. */
public final class Arrival {

    /** Matches asked of the index at first, and kept: the nearest may be the document's own earlier version, or deleted. */
    public static final int MATCHES = SimHashQueries.NEAREST_OF_EACH;

    /** Matches asked of the index where none of the first ones counts; each time four times as many, if it allows so many at once. */
    private static final int MORE_MATCHES = 64;

    private static final int MOST_MATCHES_AT_ONCE = 1_024;

    /** Matches looked at before it is given up. */
    public static final int MOST_MATCHES = 10_000;

    private static final long NAME_BYTES = RamUsageEstimator.shallowSizeOfInstance(DocumentName.class);

    private final IngestDocument document;
    private final ArrivedFingerprint fingerprint;
    private final DocumentName name;
    private final boolean isNamed;
    private final String alias;
    private final BulkAnswer answer;
    private LookupScope scope;
    private long number = Long.MAX_VALUE;
    private long order = Long.MAX_VALUE;
    private long came = Long.MAX_VALUE;
    /** The document itself may be among them. */
    private final List<Original> found = new ArrayList<>();

    private List<Original> inIndex = List.of();
    /** Matches that were looked at, of which none counts. */
    private int passed;

    private int more;
    /** The last of these; null as long as all are to be found. */
    private Original last;

    /** Those that share its place. */
    private final Set<DocumentName> passedNames = new HashSet<>();

    private boolean full;
    private Exception failure;

    /**
     * Nothing found out yet.
     *
     * @param isNamed false where its name was made for it
     * @param alias the filtered alias that it was sent to, or null
     * @param answer to the bulk that it came with
     * @param scope what it is compared with; null when with nothing
     */
    public Arrival(
            IngestDocument document,
            ArrivedFingerprint fingerprint,
            DocumentName name,
            boolean isNamed,
            String alias,
            BulkAnswer answer,
            LookupScope scope) {
        this.document = document;
        this.fingerprint = fingerprint;
        this.name = name;
        this.isNamed = isNamed;
        this.alias = alias;
        this.answer = answer;
        this.scope = scope;
    }

    public IngestDocument document() {
        return document;
    }

    public ArrivedFingerprint fingerprint() {
        return fingerprint;
    }

    public DocumentName name() {
        return name;
    }

    public LookupScope scope() {
        return scope;
    }

    /** Whether there may be an earlier version of it, which others name. */
    public boolean isNamed() {
        return isNamed;
    }

    /** The filtered alias that it was sent to, or null. */
    public String alias() {
        return alias;
    }

    /** To the bulk that it came with. */
    public BulkAnswer answer() {
        return answer;
    }

    /** When it came, among all documents of this node. */
    public long number() {
        return number;
    }

    public void numbered(long newNumber) {
        number = newNumber;
    }

    /** When it came, among all documents of all nodes: see {@link ArrivalOrder}. */
    public long order() {
        return order;
    }

    /** The order of the document at the first processor of its pipeline that saw it: its own, mostly. */
    public long came() {
        return came;
    }

    /** @param newCame at most {@code newOrder} */
    public void ordered(long newOrder, long newCame) {
        order = newOrder;
        came = newCame;
    }

    /** The nearest, and of equally near ones the oldest, first. */
    public List<Original> inIndex() {
        return inIndex;
    }

    /** Matches to be asked of the index, which may allow few. */
    public int wanted() {
        return Math.min(more == 0 ? MATCHES : more, scope.maxHits());
    }

    /** What one search found, beside what others do; the document itself may be among them. */
    public void foundInIndex(List<Original> matches) {
        int wanted = wanted();
        full |= matches.size() >= wanted;
        matches.stream()
                .filter(match -> passedNames.contains(match.name().unrouted()) == false)
                .forEach(found::add);
        found.sort(Original.NEAREST_THEN_OLDEST);
        if (found.size() > wanted) {
            full = true;
            found.subList(wanted, found.size()).clear();
        }
        inIndex = found.stream()
                .filter(match -> match.name().sameDocument(name) == false)
                .toList();
    }

    /** Whether the index may know others behind those that it was asked for. */
    public boolean mayHaveMore() {
        return full;
    }

    /** Whether it is looked up for the first time. */
    public boolean isLookedUpFirst() {
        return more == 0;
    }

    /** The match behind which the next ones are wanted; null when all are. */
    public Original last() {
        return last;
    }

    /**
     * Nothing is known of it again: it will be looked up once more, for the matches that follow. Whether there are not too many yet.
     * The first time all are looked up again: a search for many documents does not tell the oldest of equally near ones.
     */
    public boolean lookUpFurther() {
        if (more > 0 && found.isEmpty()) {
            return false; // more documents share one place than a search gives at once
        }
        if (more > 0) {
            passed += found.size();
            if (last == null || isAtLast(found.getLast()) == false) {
                last = found.getLast();
                passedNames.clear();
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

    /** Why nothing is known of it, or null. */
    public Exception failure() {
        return failure;
    }

    /** Nothing could be found out about it. */
    public void failed(Exception cause) {
        failure = new OpenSearchStatusException(
                "near-duplicates of [" + name.id() + "] could not be looked up in " + scope.expressions() + ": "
                        + reason(cause),
                ExceptionsHelper.status(cause),
                cause);
    }

    /** Nothing is known of it again: the names in its request mean something else by now. */
    public void lookUpAgain(LookupScope newScope) {
        scope = newScope;
        clear();
    }

    private void clear() {
        failure = null;
        full = false;
        found.clear();
        inIndex = List.of();
    }

    /** Of nested failures the outer ones may have nothing to say. */
    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        boolean silent = message == null || message.isEmpty();
        return silent && failure.getCause() != null ? reason(failure.getCause()) : message;
    }

    /** The routing that a document was sent with, or null. */
    public static String routing(IngestDocument document) {
        return Objects.toString(
                document.getSourceAndMetadata().get(IngestDocument.Metadata.ROUTING.getFieldName()), null);
    }

    public long nameBytes() {
        return bytes(name);
    }

    /** What a name takes of the heap; those of indices are shared. */
    public static long bytes(DocumentName name) {
        return NAME_BYTES
                + RamUsageEstimator.sizeOf(name.id())
                + (name.routing() == null ? 0 : RamUsageEstimator.sizeOf(name.routing()));
    }
}

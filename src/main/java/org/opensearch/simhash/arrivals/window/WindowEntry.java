/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.window;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedDigest;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPassages;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.arrival.ArrivedSketch;
import org.opensearch.simhash.arrivals.arrival.BulkAnswer;
import org.opensearch.simhash.arrivals.arrival.Membership;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.sketch.Sketch;

/**
 * A document in an {@link ArrivalWindow}, by one print: a document with several has an entry for each. Changed by its
 * {@link WindowEntries} only, which count its bytes. One thread at a time.
 */
final class WindowEntry {

    /** With the answer, which a bulk shares, and without what can be released. */
    private static final long FIXED_BYTES =
            RamUsageEstimator.shallowSizeOfInstance(WindowEntry.class) + BulkAnswer.BYTES;

    private static final long BYTES_OF_VERSION = RamUsageEstimator.shallowSizeOfInstance(Version.class);

    private static final long BYTES_OF_DIGEST = RamUsageEstimator.shallowSizeOfInstance(ArrivedDigest.class);

    private static final long BYTES_OF_PRINT = RamUsageEstimator.shallowSizeOfInstance(ArrivedFingerprint.class);

    private static final long BYTES_OF_HASH =
            RamUsageEstimator.shallowSizeOfInstance(LongHash.class) + RamUsageEstimator.NUM_BYTES_ARRAY_HEADER;

    private static final long BYTES_OF_SKETCH =
            RamUsageEstimator.shallowSizeOfInstance(Sketch.class) + RamUsageEstimator.NUM_BYTES_ARRAY_HEADER;

    /** Ascending in order of arrival. */
    final long number;

    final long time;
    /** On all nodes; ascending with the numbers. */
    final long order;
    /** The order at the first processor of the pipeline; mostly the same. */
    long firstOrder;

    EntryState state;
    DocumentName name;
    String alias;
    BulkAnswer answer;
    /** In the bulk's answer. */
    Version version = Version.NONE;

    List<DocumentName> originals = List.of();
    /** Null if the version names no group. */
    Membership membership;
    /** Null if the entry is gone. */
    ArrivedPrint print;

    Pairing pairing = Pairing.NONE;

    /** Of a document without room. It is gone. */
    WindowEntry(long number, long time, long order) {
        this.number = number;
        this.time = time;
        this.order = order;
        this.state = EntryState.GONE;
    }

    WindowEntry(long number, long time, Arrival arrival) {
        this(number, time, arrival.order());
        this.firstOrder = order;
        this.state = EntryState.UNDECIDED;
        this.name = arrival.name();
        this.alias = arrival.alias();
        this.answer = arrival.answer();
        this.print = arrival.print();
        this.pairing = arrival.pairing();
    }

    boolean isGone() {
        return state == EntryState.GONE;
    }

    boolean isUndecided() {
        return state == EntryState.UNDECIDED;
    }

    /** Whether it is, or was before another version, certain to be stored unless its shard refuses it. */
    boolean wasKept() {
        return state == EntryState.KEPT || state == EntryState.REPLACED;
    }

    /** Only its place in order stays: those that look for the first entry from an order on need it. */
    void release() {
        state = EntryState.GONE;
        name = null;
        alias = null;
        answer = null;
        version = Version.NONE;
        originals = List.of();
        membership = null;
        print = null;
        pairing = Pairing.NONE;
    }

    void rename(DocumentName newName) {
        if (newName.index().equals(name.index()) == false) {
            alias = null;
        }
        name = newName;
    }

    void follow(DocumentName original) {
        // No original twice: a document may come many times in one bulk, and follows what its earlier versions follow.
        if (follows(original) == false) {
            List<DocumentName> all = new ArrayList<>(originals);
            all.add(original);
            originals = List.copyOf(all);
        }
    }

    boolean follows(DocumentName original) {
        return originals.stream().anyMatch(original::sameDocument);
    }

    /** As {@link ArrivedPrint#distance}, from an arriving document. */
    int distance(ArrivedPrint wanted) {
        return isOf(wanted.field()) ? wanted.distance(print) : ArrivedPrint.INCOMPARABLE;
    }

    boolean isOf(String field) {
        return field.equals(print.field());
    }

    boolean isVersion(DocumentName wanted, String field) {
        return isOf(field) && name.sameDocument(wanted);
    }

    /** Whether two entries have the same field, equal prints, and no different values for the same conditions. */
    boolean isLike(WindowEntry other) {
        return print.equals(other.print) && pairing.differsFrom(other.pairing) == false;
    }

    boolean isLike(Arrival arrival) {
        return distance(arrival.print()) == 0 && pairing.differsFrom(arrival.pairing()) == false;
    }

    /** Whether both entries are one version, seen by two processors. */
    boolean isOneWith(WindowEntry other) {
        return answer == other.answer && isLike(other);
    }

    /** On the heap, of an arrival that enters. */
    static long bytes(Arrival arrival) {
        return FIXED_BYTES
                + Arrival.bytes(arrival.name())
                + bytes(arrival.print())
                + arrival.pairing().bytes();
    }

    long bytes() {
        long ofOriginals = 0;
        for (DocumentName original : originals) {
            ofOriginals += Arrival.bytes(original);
        }
        return FIXED_BYTES
                + ofOriginals
                + (name == null ? 0 : Arrival.bytes(name))
                + (version.equals(Version.NONE) ? 0 : BYTES_OF_VERSION)
                + (membership == null ? 0 : membership.bytes())
                + (print == null ? 0 : bytes(print))
                + pairing.bytes();
    }

    private static long bytes(ArrivedPrint print) {
        long parts = switch (print) {
            case ArrivedFingerprint fingerprint ->
                fingerprint.hash() == null ? 0 : BYTES_OF_HASH + fingerprint.length() / Byte.SIZE;
            case ArrivedSketch sketch ->
                sketch.isWhole() ? BYTES_OF_SKETCH + sketch.sketch().bytes().length : 0;
            case ArrivedPassages passages -> RamUsageEstimator.sizeOf(passages.terms());
        };
        return BYTES_OF_PRINT + parts + (print.hasDigest() ? BYTES_OF_DIGEST : 0);
    }
}

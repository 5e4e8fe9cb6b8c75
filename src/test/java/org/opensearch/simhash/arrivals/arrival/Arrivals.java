/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScope;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.match.Print.SketchTarget;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.pair.PairConditions;

/** Makes arriving documents. */
public final class Arrivals {

    public static final String INDEX = "docs";
    public static final String FIELD = "simhash";
    public static final String SCHEME = "given-test";
    private static final LookupScope SCOPE =
            scope(Set.of(INDEX), List.of(new LookupScope.Search(List.of(INDEX), null, null, Set.of())));

    /** Far from all that other tests left in the node's window. */
    private static final long FAR = 0x5555_5555_5555_5555L;

    private Arrivals() {}

    public static Arrival of(String id, long bits) {
        return of(INDEX, id, OptionalLong.of(bits), digest(bits), SCHEME);
    }

    /** With a field and a bulk. */
    public static Arrival by(String field, String id, long bits, BulkAnswer answer) {
        Target target = new Target(OptionalLong.of(bits), digest(bits), SCHEME);
        return of(ArrivedFingerprint.of(field, target), new DocumentName(INDEX, id, null), answer, SCOPE);
    }

    public static Arrival of(String index, String id, OptionalLong bits, String digest, String scheme) {
        ArrivedFingerprint fingerprint = ArrivedFingerprint.of(FIELD, new Target(bits, digest, scheme));
        return of(fingerprint, new DocumentName(index, id, null), new BulkAnswer(), SCOPE);
    }

    /** With a hash of 256 bits, by the field of most tests. */
    public static Arrival hashed(String id, LongHash hash) {
        ArrivedFingerprint print = ArrivedFingerprint.of(FIELD, Target.of(hash, SCHEME));
        return of(print, new DocumentName(INDEX, id, null), new BulkAnswer(), SCOPE);
    }

    /** By the field of most tests. */
    public static Criteria criteria(int maxDistance, Verification verification) {
        return new Criteria(SketchKind.SIMHASH, FIELD, maxDistance, 0.8, verification, null, PairConditions.NONE);
    }

    /** With a sketch, by the field of most tests. */
    public static Arrival sketched(String id, Sketch sketch, BandLayout layout, String digest) {
        SketchTarget target = new SketchTarget(sketch, layout, digest, sketched(layout, sketch));
        return of(ArrivedSketch.of(FIELD, target), new DocumentName(INDEX, id, null), new BulkAnswer(), SCOPE);
    }

    /** Sketches of other sizes are of another recipe. */
    private static String sketched(BandLayout layout, Sketch sketch) {
        int permutations = sketch != null ? sketch.permutations() : layout == null ? 0 : layout.permutations();
        return "m2-" + permutations;
    }

    public static Criteria sketchCriteria(double minSimilarity) {
        return new Criteria(SketchKind.MINHASH, FIELD, 0, minSimilarity, null, null, PairConditions.NONE);
    }

    /** Of one with a fingerprint. */
    public static long bits(Arrival arrival) {
        return ((ArrivedFingerprint) arrival.print()).bits();
    }

    /** The same document at another processor. */
    public static Arrival again(Arrival arrival) {
        return new Arrival(
                arrival.document(), arrival.print(), arrival.name(), true, null, arrival.answer(), SCOPE, Pairing.NONE);
    }

    private static Arrival of(ArrivedPrint print, DocumentName name, BulkAnswer answer, LookupScope scope) {
        IngestDocument document = new IngestDocument(name.index(), name.id(), null, 1L, VersionType.INTERNAL, Map.of());
        return new Arrival(document, print, name, true, null, answer, scope, Pairing.NONE);
    }

    /** Without a scope, so that its lookup breaks. */
    public static Arrival nowhere(String id) {
        Arrival arrival = of(id, FAR);
        return of(arrival.print(), arrival.name(), arrival.answer(), null);
    }

    /** In a new index that is not searchable yet. */
    public static Arrival notYetSearchable(String id) {
        Arrival arrival = of(id, FAR);
        return of(arrival.print(), arrival.name(), arrival.answer(), scope(Set.of(INDEX), List.of()));
    }

    /** The same document in another scope. */
    public static Arrival comparedIn(Set<String> indices, Arrival arrival) {
        Arrival same = of(arrival.print(), arrival.name(), arrival.answer(), scope(indices, List.of()));
        same.numbered(arrival.number());
        return same;
    }

    private static LookupScope scope(Set<String> indices, List<LookupScope.Search> searches) {
        return new LookupScope(List.of(INDEX), indices, index -> false, Map.of(), true, searches, Map.of(), 10_000);
    }

    /** Differs with the seed. */
    public static String digest(long seed) {
        return HexFormat.of().toHexDigits(new Random(seed).nextLong())
                + HexFormat.of().toHexDigits(seed);
    }

    /** Another fingerprint at exactly this distance. */
    public static long flipped(long bits, int distance, Random random) {
        long flips = 0;
        while (Long.bitCount(flips) < distance) {
            flips |= 1L << random.nextInt(Long.SIZE);
        }
        return bits ^ flips;
    }
}

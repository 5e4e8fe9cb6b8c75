/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The cliques and links of a join, with documents by rank; the best survivor has rank 0. With a survivor linkage some 40 bytes per
 * document, with a chain 20 to 60 more; {@value #BYTES_PER_LINK} per link.
 */
public final class NearGraph {

    /** Here and in the cliques. */
    public static final long LINK_BYTES = LinkList.BYTES + 2 * (Integer.BYTES + 1);

    /** At both ends. */
    static final long BYTES_PER_LINK = 2 * (Integer.BYTES + 1);

    /** Start of its cliques, whether it is left over, and twice what {@link SurvivorLinkage.FreeLinked} needs: a linkage and a visit of links. */
    private static final long BYTES_PER_DOCUMENT = Integer.BYTES + 1 + 2 * (Integer.BYTES + 2);

    /** The member in its clique, and the clique at its document. */
    private static final long BYTES_PER_MEMBER = 2 * Integer.BYTES;

    /** Start of its links, and twice its first free member. */
    private static final long BYTES_PER_CLIQUE = 3 * Integer.BYTES;

    /** By clique: its members, and the cliques that it is linked with. By document: its cliques. */
    final Lists members;

    final Lists links;
    final Lists cliques;

    private final byte[] linkDistances;
    private final long[] bits;
    private final long[] strata;
    private final boolean[] equalTexts;

    /** Addresses of the documents are ascending and distinct. */
    public NearGraph(Cliques found, long[] addresses, int[] ranks) {
        this.bits = found.bits();
        this.strata = found.strata();
        this.equalTexts = found.equalTexts();
        this.members = new Lists(found.starts(), new int[found.addresses().length]);
        int[] sizes = new int[addresses.length];
        for (int i = 0; i < members.all.length; i++) {
            members.all[i] = ranks[Arrays.binarySearch(addresses, found.addresses()[i])];
            sizes[members.all[i]]++;
        }
        this.cliques = Lists.of(sizes);
        for (int clique = 0; clique < found.size(); clique++) {
            Arrays.sort(members.all, members.start(clique), members.end(clique));
            for (int i = members.start(clique); i < members.end(clique); i++) {
                int document = members.at(i);
                cliques.all[cliques.end(document) - sizes[document]--] = clique;
            }
        }
        int[] degrees = new int[found.size()];
        found.links().forEach((a, b, distance) -> {
            degrees[a]++;
            degrees[b]++;
        });
        this.links = Lists.of(degrees);
        this.linkDistances = new byte[links.all.length];
        found.links().forEach((a, b, distance) -> {
            int atA = links.end(a) - degrees[a]--;
            int atB = links.end(b) - degrees[b]--;
            linkDistances[atA] = (byte) distance;
            links.all[atA] = b;
            linkDistances[atB] = (byte) distance;
            links.all[atB] = a;
        });
    }

    /** Lists of numbers, one behind the other in one array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Lists(int[] starts, int[] all) {

        /** Empty ones of these sizes. */
        static Lists of(int[] sizes) {
            int[] starts = Bins.starts(sizes);
            return new Lists(starts, new int[starts[sizes.length]]);
        }

        int start(int list) {
            return starts[list];
        }

        int end(int list) {
            return starts[list + 1];
        }

        int at(int place) {
            return all[place];
        }

        int first(int list) {
            return all[starts[list]];
        }

        /** How many lists there are. */
        int count() {
            return starts.length - 1;
        }

        IntStream of(int list) {
            return Arrays.stream(all, start(list), end(list));
        }
    }

    /** Bytes of the graph and of a survivor linkage. */
    public static long bytes(Cliques found, int documents) {
        return found.links().size() * BYTES_PER_LINK
                + found.size() * BYTES_PER_CLIQUE
                + found.addresses().length * BYTES_PER_MEMBER
                + documents * BYTES_PER_DOCUMENT;
    }

    public int documents() {
        return cliques.count();
    }

    int cliques() {
        return members.count();
    }

    long bits(int clique) {
        return bits[clique];
    }

    long stratum(int clique) {
        return strata[clique];
    }

    /** Whether the clique shares a digest instead of a fingerprint. */
    boolean hasEqualTexts(int clique) {
        return equalTexts[clique];
    }

    /** @param i place in {@link #links} */
    int linkDistance(int i) {
        return linkDistances[i];
    }

    /** Whether a document is nearer to another one than to a third: by distance, then by the cliques in common. */
    boolean isNearer(int document, int to, int than) {
        int distance = distance(document, to);
        int other = distance(document, than);
        return distance == other
                ? common(document, to) > common(document, than)
                : distance >= 0 && (other < 0 || distance < other);
    }

    private long common(int a, int b) {
        return cliques.of(a)
                .filter(clique -> cliques.of(b).anyMatch(other -> other == clique))
                .count();
    }

    /** Smallest distance between fingerprints of the documents; 0 for equal texts; negative if unknown. */
    int distance(int a, int b) {
        int nearest = -1;
        for (int i = cliques.start(a); i < cliques.end(a); i++) {
            for (int j = cliques.start(b); j < cliques.end(b); j++) {
                int first = cliques.at(i);
                int second = cliques.at(j);
                int distance = -1;
                if (first == second) {
                    distance = 0;
                } else if (strata[first] == strata[second]
                        && equalTexts[first] == false
                        && equalTexts[second] == false) {
                    distance = Long.bitCount(bits[first] ^ bits[second]);
                }
                nearest = nearest < 0 || (distance >= 0 && distance < nearest) ? distance : nearest;
            }
        }
        return nearest;
    }
}

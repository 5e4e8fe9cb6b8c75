/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.Arrays;

/**
 * The cliques and links of a join, with documents by rank; the best survivor has rank 0. Some 20 bytes per document,
 * {@value #BYTES_PER_LINK} per link.
 */
public final class NearGraph {

    /** Here and in the cliques. */
    public static final long LINK_BYTES = LinkList.BYTES + 2 * (Integer.BYTES + 1);

    /** At both ends. */
    static final long BYTES_PER_LINK = 2 * (Integer.BYTES + 1);

    /** Start of its cliques, and the state of a survivor linkage. */
    private static final long BYTES_PER_DOCUMENT = 2 * Integer.BYTES + 1;

    /** The member in its clique, and the clique at its document. */
    private static final long BYTES_PER_MEMBER = 2 * Integer.BYTES;

    /** Start of its links, and its first free member. */
    private static final long BYTES_PER_CLIQUE = 2 * Integer.BYTES;

    private final int documents;
    private final int[] memberStarts;
    private final int[] members;
    private final long[] bits;
    private final long[] strata;
    private final boolean[] equalTexts;
    private final int[] cliqueStarts;
    private final int[] cliques;
    private final int[] linkStarts;
    private final int[] links;
    private final byte[] linkDistances;

    /** Addresses of the documents are ascending and distinct. */
    public NearGraph(Cliques found, long[] addresses, int[] ranks) {
        this.documents = addresses.length;
        this.bits = found.bits();
        this.strata = found.strata();
        this.equalTexts = found.equalTexts();
        this.memberStarts = found.starts();
        this.members = new int[found.addresses().length];
        for (int i = 0; i < members.length; i++) {
            members[i] = ranks[Arrays.binarySearch(addresses, found.addresses()[i])];
        }
        this.cliqueStarts = new int[documents + 1];
        for (int clique = 0; clique < found.size(); clique++) {
            Arrays.sort(members, memberStarts[clique], memberStarts[clique + 1]);
        }
        for (int member : members) {
            cliqueStarts[member + 1]++;
        }
        for (int i = 0; i < documents; i++) {
            cliqueStarts[i + 1] += cliqueStarts[i];
        }
        this.cliques = new int[members.length];
        int[] next = Arrays.copyOf(cliqueStarts, documents);
        for (int clique = 0; clique < found.size(); clique++) {
            for (int i = memberStarts[clique]; i < memberStarts[clique + 1]; i++) {
                cliques[next[members[i]]++] = clique;
            }
        }
        this.linkStarts = new int[found.size() + 1];
        found.links().forEach((a, b, distance) -> {
            linkStarts[a + 1]++;
            linkStarts[b + 1]++;
        });
        for (int i = 0; i < found.size(); i++) {
            linkStarts[i + 1] += linkStarts[i];
        }
        this.links = new int[linkStarts[found.size()]];
        this.linkDistances = new byte[links.length];
        int[] nextLink = Arrays.copyOf(linkStarts, found.size());
        found.links().forEach((a, b, distance) -> {
            linkDistances[nextLink[a]] = (byte) distance;
            links[nextLink[a]++] = b;
            linkDistances[nextLink[b]] = (byte) distance;
            links[nextLink[b]++] = a;
        });
    }

    /** Bytes of the graph and of the classes that search it. */
    public static long bytes(Cliques found, int documents) {
        return found.links().size() * BYTES_PER_LINK
                + found.size() * BYTES_PER_CLIQUE
                + found.addresses().length * BYTES_PER_MEMBER
                + documents * BYTES_PER_DOCUMENT;
    }

    public int documents() {
        return documents;
    }

    int cliques() {
        return memberStarts.length - 1;
    }

    int cliqueStart(int document) {
        return cliqueStarts[document];
    }

    int cliqueEnd(int document) {
        return cliqueStarts[document + 1];
    }

    int clique(int i) {
        return cliques[i];
    }

    int firstMember(int clique) {
        return members[memberStarts[clique]];
    }

    int memberStart(int clique) {
        return memberStarts[clique];
    }

    int memberEnd(int clique) {
        return memberStarts[clique + 1];
    }

    int member(int i) {
        return members[i];
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

    int linkStart(int clique) {
        return linkStarts[clique];
    }

    int linkEnd(int clique) {
        return linkStarts[clique + 1];
    }

    int link(int i) {
        return links[i];
    }

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
        return Arrays.stream(cliques, cliqueStarts[a], cliqueStarts[a + 1])
                .filter(clique -> Arrays.stream(cliques, cliqueStarts[b], cliqueStarts[b + 1])
                        .anyMatch(other -> other == clique))
                .count();
    }

    /** Smallest distance between fingerprints of the documents; 0 for equal texts; negative if unknown. */
    int distance(int a, int b) {
        int nearest = -1;
        for (int i = cliqueStarts[a]; i < cliqueStarts[a + 1]; i++) {
            for (int j = cliqueStarts[b]; j < cliqueStarts[b + 1]; j++) {
                int first = cliques[i];
                int second = cliques[j];
                int distance = -1;
                if (first == second) {
                    distance = 0;
                } else if (equalTexts[first] == false && equalTexts[second] == false) {
                    distance = Long.bitCount(bits[first] ^ bits[second]);
                }
                nearest = nearest < 0 || (distance >= 0 && distance < nearest) ? distance : nearest;
            }
        }
        return nearest;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.opensearch.simhash.memory.Account;

/**
 * Merges the results of several passes, one after the other. It keeps the wanted number of links; of a forest, only
 * links that connect. Not thread-safe.
 */
public final class MergedJoins {

    /** Entry, key and value of the map. */
    private static final int KNOWN_BYTES = 112;

    /** A document with several schemes may be the first of several cliques. */
    private record Key(long first, long bits, long stratum, int size, int members) {}

    private final Wanted wanted;
    private final Account memory;
    private final Account searching;
    private final Cliques.Builder merged;
    private final Map<Key, Integer> known = new HashMap<>();
    private final DisjointSets connected = new DisjointSets(0);
    private long pairs;
    private boolean tooMany;

    /** @param memory pays for the result, and for each pass while it is read */
    public MergedJoins(Wanted wanted, Account memory) {
        this.wanted = wanted;
        this.memory = memory;
        this.searching = new Account(memory);
        this.merged = new Cliques.Builder(memory);
    }

    public void add(NearJoin.Joined found) {
        Cliques cliques = found.cliques();
        try (Account arrived = new Account(memory)) {
            arrived.take(cliques.bytes() + (long) cliques.size() * Integer.BYTES);
            pairs += found.pairs();
            int[] positions = positions(cliques);
            tooMany |= found.tooMany()
                    || (wanted.forest() == false && cliques.links().size() > room());
            if (tooMany) {
                merged.forgetLinks();
            } else {
                link(cliques.links(), positions);
            }
        }
    }

    private int[] positions(Cliques cliques) {
        int[] positions = new int[cliques.size()];
        for (int i = 0; i < positions.length; i++) {
            if (cliques.equalTexts()[i]) {
                // A digest in three chunks is in several passes, each with a part of the documents.
                positions[i] = merged.addEqualTexts(cliques.members(i));
                continue;
            }
            long[] members = cliques.members(i);
            Key key = new Key(
                    members[0], cliques.bits()[i], cliques.strata()[i], members.length, Arrays.hashCode(members));
            Integer position = known.get(key);
            if (position == null) {
                searching.take(KNOWN_BYTES);
                position = merged.add(members, cliques.bits()[i], cliques.strata()[i]);
                known.put(key, position);
            }
            positions[i] = position;
        }
        return positions;
    }

    private void link(LinkList links, int[] positions) {
        if (wanted.forest()) {
            searching.take((long) (merged.size() - connected.size()) * DisjointSets.BYTES);
            connected.grow(merged.size());
        }
        links.forEach((a, b, distance) -> {
            if (wanted.forest() == false || connected.unite(positions[a], positions[b])) {
                merged.link(positions[a], positions[b], distance);
            }
        });
    }

    /** How many more links may come. */
    public long room() {
        return tooMany ? 0 : wanted.mostLinks() - merged.links();
    }

    /** The result. Nothing is added after it. */
    public NearJoin.Joined build() {
        searching.close();
        return new NearJoin.Joined(merged.build(), pairs, tooMany);
    }
}

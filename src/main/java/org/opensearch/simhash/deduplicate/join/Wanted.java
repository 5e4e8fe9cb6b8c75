/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.Arrays;

/**
 * Which links a join is to find. Where most fingerprints are near most others there are far too many to keep; then it is enough to
 * know some of them at a time.
 *
 * @param mostLinks when there are more, none is kept, and the answer says so
 * @param forest whether links between documents that are connected already may be left out
 * @param crowd whether the answer may be all fingerprints instead, when they seem to have too many links: see {@link NearJoin.Links#CROWD}
 * @param front addresses of the documents whose links are wanted, ascending; null for all
 * @param among addresses of the documents that are looked at, ascending, all others count as not there; null for all
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Wanted(long mostLinks, boolean forest, boolean crowd, long[] front, long[] among) {

    /** All links, as many as there are. */
    public static final Wanted ALL = new Wanted(Long.MAX_VALUE, false, false, null, null);

    /** Some that connect all that is connected: no more than there are documents, for each thread. */
    public static final Wanted FOREST = new Wanted(Long.MAX_VALUE, true, false, null, null);

    /** Fewer are not worth the rounds that it takes without: a join does not count them. */
    public static final int LEAST_LINKS = LinkCollector.COUNTED;

    /** The same, but no more links than so many. */
    public Wanted atMost(long links) {
        return new Wanted(links, forest, crowd, front, among);
    }

    /** The same, or all fingerprints where they are a crowd. */
    public Wanted orCrowd() {
        return new Wanted(mostLinks, forest, true, front, among);
    }

    /** The same within some documents, unless it is said within which: addresses, ascending. */
    public Wanted within(long[] documents) {
        return among == null ? new Wanted(mostLinks, forest, crowd, front, documents) : this;
    }

    /** Whether a document counts as not there. */
    public boolean excludes(long address) {
        return among != null && Arrays.binarySearch(among, address) < 0;
    }

    /** Whether the links of a document are wanted, where not those of all are. */
    boolean isFront(long address) {
        return Arrays.binarySearch(front, address) >= 0;
    }
}

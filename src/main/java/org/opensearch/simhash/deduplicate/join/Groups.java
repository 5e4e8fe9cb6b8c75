/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.AbstractList;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/** Groups in columns: 8 bytes per group, 5 per member, 13 per verified member. Append-only. Not thread-safe. */
final class Groups extends AbstractList<Group> {

    private int size;
    private int[] survivors = new int[0];

    private int[] ends = new int[0];

    private int memberCount;
    private int[] members = new int[0];
    private byte[] distances = new byte[0];

    /** Empty until a member was verified. */
    private double[] similarities = new double[0];

    /** Adds a member to the group that {@link #end} ends. */
    void grow(int member, byte distance, double similarity) {
        members = ArrayUtil.grow(members, memberCount + 1);
        distances = ArrayUtil.grow(distances, memberCount + 1);
        if (similarities.length > 0 || Double.isNaN(similarity) == false) {
            int before = similarities.length;
            similarities = ArrayUtil.grow(similarities, memberCount + 1);
            if (before == 0) {
                Arrays.fill(similarities, 0, memberCount, Double.NaN);
            }
            similarities[memberCount] = similarity;
        }
        members[memberCount] = member;
        distances[memberCount++] = distance;
    }

    /** Members of the group that has not ended. */
    int growing() {
        return memberCount - start(size);
    }

    /** Ends a group, which has at least one member. */
    void end(int survivor) {
        survivors = ArrayUtil.grow(survivors, size + 1);
        ends = ArrayUtil.grow(ends, size + 1);
        survivors[size] = survivor;
        ends[size++] = memberCount;
    }

    private int start(int group) {
        return group == 0 ? 0 : ends[group - 1];
    }

    @Override
    public Group get(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index + " of " + size);
        }
        int start = start(index);
        int end = ends[index];
        double[] verified = new double[end - start];
        if (similarities.length == 0) {
            Arrays.fill(verified, Double.NaN);
        } else {
            System.arraycopy(similarities, start, verified, 0, verified.length);
        }
        return new Group(
                survivors[index],
                Arrays.copyOfRange(members, start, end),
                Arrays.copyOfRange(distances, start, end),
                verified);
    }

    @Override
    public int size() {
        return size;
    }

    /** Bytes of heap. */
    long bytes() {
        return 2L * Integer.BYTES * survivors.length
                + (Integer.BYTES + 1L) * members.length
                + (long) Double.BYTES * similarities.length;
    }
}

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

    private int[] members = new int[0];
    private byte[] distances = new byte[0];

    /** Empty until a member was verified. */
    private double[] similarities = new double[0];

    @Override
    public boolean add(Group group) {
        int start = start(size);
        int end = Math.addExact(start, group.members().length);
        survivors = ArrayUtil.grow(survivors, size + 1);
        ends = ArrayUtil.grow(ends, size + 1);
        members = ArrayUtil.grow(members, end);
        distances = ArrayUtil.grow(distances, end);
        survivors[size] = group.survivor();
        ends[size++] = end;
        System.arraycopy(group.members(), 0, members, start, end - start);
        System.arraycopy(group.distances(), 0, distances, start, end - start);
        addSimilarities(start, end, group.similarities());
        return true;
    }

    private void addSimilarities(int start, int end, double[] added) {
        if (similarities.length == 0 && Arrays.stream(added).allMatch(Double::isNaN)) {
            return;
        }
        int before = similarities.length;
        similarities = ArrayUtil.grow(similarities, end);
        if (before == 0) {
            Arrays.fill(similarities, 0, start, Double.NaN);
        }
        System.arraycopy(added, 0, similarities, start, end - start);
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

/**
 * Distance of a text from a pattern, exact up to a limit. A bit-parallel matrix computes only the cells that an
 * alignment within the limit can pass.
 *
 * <p>Rows are pattern positions, 64 to a block; columns are text positions, 64 to a stripe. Costs of vertical neighbours differ by at most
 * 1 and take one or two bits per cell (Myers 1999, Hyyrö 2003 and 2004). Blocks are checked between stripes. A block closes when its least
 * cost plus the least cost to the end (the difference of the remaining lengths) exceeds the limit. The block below opens when an alignment
 * within the limit can reach it (Ukkonen 1985). The limit starts small and grows, so time follows the distance d: about {@code length · d /
 * 64} steps of 1 to 3 ns.
 *
 * <p>For one comparison, one thread.
 */
abstract class BandedDistance {

    /** The distance is above the limit. */
    static final int FARTHER = -1;

    /** Unknown: {@link #MAX_WORK} was not enough. */
    static final int TOO_MUCH_WORK = -2;

    /** Steps of 64 cells: the whole matrix of two texts of 128 K code points, 0.4 to 0.8 s. */
    static final long MAX_WORK = 1L << 28;

    private static final int STRIPE = 64;
    private static final int FIRST_BOUND = 64;
    private static final int STEPS_BETWEEN_CHECKS = 1 << 20;

    final MatchBits matches;
    final int[] text;
    private long work;
    private int reached; // columns of the last attempt
    private long nextCheck = STEPS_BETWEEN_CHECKS;

    /** Neither is empty. Symbols of the text are {@link Alphabet#FOREIGN} or in the pattern's alphabet. */
    BandedDistance(MatchBits matches, int[] text) {
        assert matches.length() > 0 && text.length > 0 : "nothing to align";
        this.matches = matches;
        this.text = text;
    }

    /** Opens a block: each cell costs 1 more than the one above. */
    abstract void open(int block);

    /** Computes the columns {@code from} to {@code to}. The cost above block {@code first} grows by 1 per column. */
    abstract void advance(int from, int to, int first, int last);

    /** Growth of the cost down the rows of {@code mask} in a block. */
    abstract int rise(int block, long mask);

    /** The distance if it is at most {@code limit}; else {@link #FARTHER} or {@link #TOO_MUCH_WORK}. */
    final int within(int limit, Runnable checkCancelled) {
        int bound = Math.max(FIRST_BOUND, Math.abs(matches.length() - text.length));
        while (bound < limit - limit / 8) { // an attempt just below the limit costs as much as the last one
            int distance = attempt(bound, checkCancelled);
            if (distance != FARTHER) {
                return distance;
            }
            bound = next(bound);
        }
        return attempt(limit, checkCancelled);
    }

    private int attempt(int bound, Runnable checkCancelled) {
        int blocks = matches.blocks();
        int first = 0;
        int last = -1;
        int top = 0; // cost above the first block
        int bottom = 0; // cost below the last one
        for (int from = 0, to; from < text.length; from = to) {
            to = Math.min(from + STRIPE, text.length);
            while (last < blocks - 1 && bottom - (to - from) + restBelow(last, from, to) <= bound) {
                open(++last);
                bottom += Long.SIZE;
            }
            if (spend((long) (last - first + 1) * (to - from), checkCancelled) == false) {
                return TOO_MUCH_WORK;
            }
            advance(from, to, first, last);
            top += to - from;

            int cost = top;
            int firstAlive = -1;
            int lastAlive = -1;
            for (int block = first; block <= last; block++) {
                int costBelow = cost + rise(block, -1L);
                int leastInside = (cost + costBelow - Long.SIZE) >> 1;
                if (leastInside + restInside(block, to) <= bound) {
                    if (firstAlive < 0) {
                        firstAlive = block;
                        top = cost;
                    }
                    lastAlive = block;
                    bottom = costBelow;
                }
                cost = costBelow;
            }
            if (firstAlive < 0) {
                reached = to;
                return FARTHER;
            }
            first = firstAlive;
            last = lastAlive;
        }
        reached = text.length;
        if (last < blocks - 1) {
            return FARTHER;
        }
        int beyond = blocks * Long.SIZE - matches.length();
        int distance = bottom - (beyond == 0 ? 0 : rise(last, -1L << (Long.SIZE - beyond)));
        return distance <= bound ? distance : FARTHER;
    }

    /** Extrapolates as if differences were spread evenly, within bounds. */
    private int next(int bound) {
        double expected = 1.25 * bound * text.length / reached;
        return (int) Math.min(Math.max(expected, 2.0 * bound), 8.0 * bound);
    }

    private boolean spend(long steps, Runnable checkCancelled) {
        work += steps;
        if (work > nextCheck) {
            nextCheck = work + STEPS_BETWEEN_CHECKS;
            checkCancelled.run();
        }
        return work <= MAX_WORK;
    }

    /** Least cost to the end from below {@code block}, in the columns {@code from} to {@code to}. */
    private int restBelow(int block, int from, int to) {
        int rows = matches.length() - (block + 1) * Long.SIZE;
        return gap(rows, text.length - to, text.length - from);
    }

    /** Least cost to the end from {@code block}, in one column. */
    private int restInside(int block, int column) {
        int rows = matches.length() - block * Long.SIZE;
        return gap(text.length - column, Math.max(0, rows - Long.SIZE), rows);
    }

    private static int gap(int value, int low, int high) {
        return value < low ? low - value : Math.max(0, value - high);
    }
}

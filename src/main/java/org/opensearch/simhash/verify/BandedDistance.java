/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.verify;

/**
 * Distance of a text from a pattern, exact up to a limit, by a bit-parallel matrix whose cells are computed only where an
 * alignment within the limit can pass.
 *
 * <p>Rows of the matrix are pattern positions, 64 to a block; columns are text positions, 64 to a stripe. Costs of cells that
 * are neighbours in a column differ by at most 1 and are kept as one or two bits per cell (Myers 1999, Hyyrö 2003 and 2004).
 * Between two stripes the blocks are looked through: one is given up when the least cost that its cells can have, and the
 * least cost from there to the end (the difference of the remaining lengths), exceed the limit; the one below the last is
 * opened when an alignment within the limit can reach it (Ukkonen 1985). The limit starts small and grows, so that time
 * follows the actual distance d: about {@code length · d / 64} steps of 1 to 3 ns, and less when the limit is exceeded early.
 *
 * <p>For one comparison, one thread.
 */
abstract class BandedDistance {

    /** The distance is larger than the limit. */
    static final int FARTHER = -1;

    /** Not known: {@link #MAX_WORK} was not enough. */
    static final int TOO_MUCH_WORK = -2;

    /** Steps of 64 cells: those of the whole matrix of two texts of 128 K code points, 0.4 to 0.8 s. */
    static final long MAX_WORK = 1L << 28;

    private static final int STRIPE = 64;
    private static final int FIRST_BOUND = 64;
    private static final int STEPS_BETWEEN_CHECKS = 1 << 20;

    final MatchBits matches;
    final int[] text;
    private long work;
    private int reached; // columns of the last attempt
    private long nextCheck = STEPS_BETWEEN_CHECKS;

    /** Pattern and text are not empty; a symbol of the text is {@link Alphabet#FOREIGN} or one of the pattern's alphabet. */
    BandedDistance(MatchBits matches, int[] text) {
        assert matches.length() > 0 && text.length > 0 : "nothing to align";
        this.matches = matches;
        this.text = text;
    }

    /** Starts a block: each of its cells costs 1 more than the one above. */
    abstract void open(int block);

    /** Goes on by the columns {@code from} to {@code to}; above block {@code first} cost grows by 1 with each column. */
    abstract void advance(int from, int to, int first, int last);

    /** By how much cost grows down the rows of a block that are in {@code mask}. */
    abstract int rise(int block, long mask);

    /** The distance when it is at most {@code limit}, else {@link #FARTHER}; or {@link #TOO_MUCH_WORK}. */
    final int within(int limit, Runnable checkCancelled) {
        int bound = Math.max(FIRST_BOUND, Math.abs(matches.length() - text.length));
        while (bound < limit - limit / 8) { // an attempt just below the limit would cost as much as the last one
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

    /** As far as the differences suggest when they are spread evenly, but within bounds, as they may not be. */
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

    /** Least cost to the end from below {@code block}, at any column from {@code from} to {@code to}. */
    private int restBelow(int block, int from, int to) {
        int rows = matches.length() - (block + 1) * Long.SIZE;
        return gap(rows, text.length - to, text.length - from);
    }

    /** Least cost to the end from within {@code block}, at column {@code column}. */
    private int restInside(int block, int column) {
        int rows = matches.length() - block * Long.SIZE;
        return gap(text.length - column, Math.max(0, rows - Long.SIZE), rows);
    }

    private static int gap(int value, int low, int high) {
        return value < low ? low - value : Math.max(0, value - high);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core;

/**
 * How often tests try: few times in each build, many in the profile of the night, whose seeds are others each time. Only there are
 * times bounded: a build must not fail because its machine is busy.
 */
public final class Rounds {

    public static final boolean NIGHT = Boolean.getBoolean("tests.night");

    private Rounds() {}

    public static int of(int byDay, int atNight) {
        return NIGHT ? atNight : byDay;
    }

    /** As {@code -Dname=} says, else as above. */
    public static int of(String name, int byDay, int atNight) {
        return Integer.getInteger(name, of(byDay, atNight));
    }
}

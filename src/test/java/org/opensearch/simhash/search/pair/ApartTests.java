/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApartTests {

    @Test
    void testTwoAreApartWhileEachNamesTheOther() {
        Apart a = Apart.of("a", List.of("b", "c"));
        Apart b = Apart.of("b", List.of("a"));
        Apart changed = Apart.of("c", List.of());
        assertTrue(a.isFrom(b) && b.isFrom(a));
        assertFalse(a.isFrom(changed) || changed.isFrom(a));
        assertFalse(a.isFrom(Apart.of(null, List.of("a"))));
        assertFalse(a.isFrom(a));
    }

    /** A and B are apart, C is near both: what C is of decides for whom the others stand. */
    @Test
    void testWhereAStoryWasPartedNoOtherOneStandsForIt() {
        Apart a = new Apart("a", "story-a", Set.of("b"));
        Apart b = new Apart("b", "story-b", Set.of("a"));
        for (boolean isSeen : List.of(true, false)) {
            Apart.InSight all = Apart.InSight.of(isSeen ? Stream.of(a, b) : Stream.of(b));
            for (String story : List.of("story-a", "story-c")) {
                Apart other = new Apart("c", story, Set.of());
                assertTrue(b.isFrom(other, all) && other.isFrom(b, all), story);
            }
            for (String story : Arrays.asList("story-b", null)) {
                Apart other = new Apart("c", story, Set.of());
                assertFalse(b.isFrom(other, all) || other.isFrom(b, all), story);
            }
        }
    }

    @Test
    void testOneThatIsNotNamedBackPartsNoStory() {
        Apart a = new Apart("a", "story-a", Set.of("b"));
        Apart changed = new Apart("b", "story-b", Set.of());
        Apart other = new Apart("c", "story-c", Set.of());
        assertFalse(a.isFrom(other, Apart.InSight.of(Stream.of(a, changed, other))));
        assertTrue(a.isFrom(other, Apart.InSight.of(Stream.of(a, other))), "nobody knows what b says");
    }
}

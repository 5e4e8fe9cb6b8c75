/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
}

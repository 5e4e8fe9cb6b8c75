/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AccountTests {

    private final AtomicLong shared = new AtomicLong(1000);

    /** A breaker: more than 5,000 is refused, but nothing that is given back. */
    private void breaker(long bytes) {
        if (bytes > 0 && shared.get() + bytes > 5000) {
            throw new IllegalStateException("too much");
        }
        shared.addAndGet(bytes);
    }

    @Test
    void testASizeThatOverflowedIsRefused() {
        try (Account account = new Account(this::breaker)) {
            account.take(300);
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> account.take(Integer.MAX_VALUE + 1));
            assertEquals("[bytes] must not be negative, got: -2147483648", e.getMessage());
            assertEquals(300, account.taken());
        }
        assertEquals(1000, shared.get());
    }

    @Test
    void testNoMoreIsGivenBackThanWasTaken() {
        try (Account account = new Account(this::breaker)) {
            account.take(300);
            account.give(100);
            for (Runnable wrong :
                    new Runnable[] {() -> account.give(201), () -> account.accept(-201), () -> account.give(-1)}) {
                assertThrows(AssertionError.class, wrong::run);
            }
            assertEquals(1000 + account.taken(), shared.get());
        }
        assertEquals(1000, shared.get());
    }

    @Test
    void testARefusalTakesNothing() {
        try (Account account = new Account(this::breaker)) {
            account.take(4000);
            assertThrows(IllegalStateException.class, () -> account.take(1));
            assertEquals(4000, account.taken());
        }
        assertEquals(1000, shared.get());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.memory.Account;

/** A join in files that fails leaves no file and no memory, wherever it is. */
class FullDiskTests {

    /** More than are joined as a whole, so that they are dealt to bins. */
    private static final int ROWS = 70_000;

    @TempDir
    private Path real;

    @RegisterExtension
    private final RandomSeed seed = new RandomSeed();

    private final SplittableRandom random = new SplittableRandom(seed.value());
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final AtomicLong memory = new AtomicLong();
    private WatchedDisk disk;
    private Path folder;

    @BeforeEach
    void watch() {
        disk = new WatchedDisk(real.getFileSystem());
        folder = disk.wrapPath(real.resolve("simhash"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        executor.shutdown();
        assertEquals(0, disk.open(), "open files");
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(), files.toList());
        }
        assertEquals(0, memory.get(), "memory");
    }

    private NearJoin.Joined join() {
        SplittableRandom same = new SplittableRandom(seed.value());
        try (FingerprintRows rows = new FingerprintRows(ROWS / 2, Prints.FINGERPRINTS, folder, this::take)) {
            rows.stratum(0, 0, 0);
            for (int i = 0; i < ROWS; i++) {
                rows.add(i, same.nextInt(10) == 0 ? i : same.nextLong(), i % 5 == 0 ? i / 10 + 1 : 0, 0);
            }
            return new NearJoin(3, executor, 2, Long.MAX_VALUE, pairs -> {}).join(rows, Chunks.WHOLE, Wanted.ALL);
        }
    }

    private long most;
    private long limit = Long.MAX_VALUE;

    private synchronized void take(long bytes) {
        if (bytes > 0 && memory.get() + bytes > limit) {
            throw new CircuitBreakingException("as told", CircuitBreaker.Durability.TRANSIENT);
        }
        most = Math.max(most, memory.addAndGet(bytes));
    }

    @Test
    void testADiskThatIsFullAnywhereInAPassEndsIt() {
        AtomicLong all = new AtomicLong();
        disk.watch((file, bytes) -> all.addAndGet(bytes));
        assertTrue(join().pairs() > 0);
        for (int i = 0; i < Rounds.of(3, 20); i++) {
            long room = i == 0 ? 0 : random.nextLong(all.get());
            disk.watch(WatchedDisk.full(room));
            String message =
                    assertThrows(UncheckedIOException.class, this::join).getMessage();
            assertTrue(
                    message.matches("a file of a pass in \\[.*simhash] cannot be written from byte [0-9]+ on,"
                            + " [0-9]+ bytes are free there: No space left on device"),
                    message);
            assertEquals(0, disk.open(), "open files with room for " + room);
        }
    }

    @Test
    void testAJoinWithoutMemoryClosesItsFiles() {
        join();
        for (int i = 0; i < Rounds.of(3, 20); i++) {
            limit = i == 0 ? 0 : random.nextLong(most);
            try {
                join(); // With one thread less it may fit.
            } catch (CircuitBreakingException e) {
                assertEquals("as told", e.getMessage());
            }
            assertEquals(0, disk.open(), "open files with room for " + limit);
            assertEquals(0, memory.get(), "memory with room for " + limit);
        }
    }

    @Test
    void testAFolderThatCannotBeMadeIsNamed() throws IOException {
        Files.createDirectories(folder);
        Path file = Files.createFile(real.resolve("file"));
        String message = assertThrows(UncheckedIOException.class, () -> new Column(1, file, new Account(bytes -> {})))
                .getMessage();
        assertTrue(message.startsWith("a file of a pass in [" + file + "] cannot be made: "), message);
    }
}

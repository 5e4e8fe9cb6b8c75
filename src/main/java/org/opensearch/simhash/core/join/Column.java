/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;
import org.opensearch.simhash.core.memory.Account;

/**
 * Numbers on the heap or in a mapped file; whoever reads or writes them does not know where. A file is unnamed from its opening
 * on, so nothing of it outlives the process. It is filled before it is mapped: a full disk is an error here, and in a mapping it
 * would end the thread. Many threads may read and write; one makes it longer and closes it.
 *
 * <p>Errors: {@link UncheckedIOException}, also when the disk is full. It names the folder.
 */
final class Column implements AutoCloseable {

    /** So begin the names of files, as long as they have any. */
    static final String PREFIX = "join-";

    /** Numbers of a buffer, 1 GB: it cannot have twice as many. */
    private static final int PAGE = 1 << 27;

    private static final int PAGE_BITS = Integer.numberOfTrailingZeros(PAGE);
    private static final int FILLED = 1 << 16;

    private final Path folder;
    private final Account memory;

    private final FileChannel file;

    private LongBuffer[] pages = new LongBuffer[0];
    private int size;

    Column(int size, Path folder, Account memory) {
        this.folder = folder;
        this.memory = memory;
        this.file = folder == null ? null : open();
        try {
            require(size);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private FileChannel open() {
        try {
            Files.createDirectories(folder);
            return FileChannel.open(
                    folder.resolve(PREFIX + UUID.randomUUID()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw failed("cannot be made", e);
        }
    }

    int size() {
        return size;
    }

    /** Makes room for so many numbers. */
    void require(int larger) {
        if (larger <= size) {
            return;
        }
        if (file == null) {
            memory.take((long) (larger - size) * Long.BYTES);
        } else {
            fill((long) size * Long.BYTES, (long) larger * Long.BYTES);
        }
        LongBuffer[] now = Arrays.copyOf(pages, ((larger - 1) >>> PAGE_BITS) + 1);
        for (int page = Math.max(0, pages.length - 1); page < now.length; page++) {
            int length = Math.min(PAGE, larger - page * PAGE);
            now[page] = file == null ? copied(page, length) : mapped(page, length);
        }
        pages = now;
        size = larger;
    }

    private LongBuffer copied(int page, int length) {
        return page < pages.length
                ? LongBuffer.wrap(Arrays.copyOf(pages[page].array(), length))
                : LongBuffer.allocate(length);
    }

    private LongBuffer mapped(int page, int length) {
        try {
            return file.map(FileChannel.MapMode.READ_WRITE, (long) page * PAGE * Long.BYTES, (long) length * Long.BYTES)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
        } catch (IOException e) {
            throw failed("cannot be mapped", e);
        }
    }

    private void fill(long from, long end) {
        ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(FILLED, end - from));
        for (long at = from; at < end; ) {
            try {
                at += file.write(zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
            } catch (IOException e) {
                throw failed("cannot be written from byte " + at + " on, " + usable() + " bytes are free there", e);
            }
        }
    }

    private String usable() {
        try {
            return Long.toString(Files.getFileStore(folder).getUsableSpace());
        } catch (IOException e) {
            return "an unknown number of";
        }
    }

    private UncheckedIOException failed(String what, IOException e) {
        String cause = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new UncheckedIOException("a file of a pass in [" + folder + "] " + what + ": " + cause, e);
    }

    /** All numbers, if they are in one array; else null. */
    long[] array() {
        return file == null && pages.length == 1 ? pages[0].array() : null;
    }

    long get(int at) {
        return pages[at >>> PAGE_BITS].get(at & (PAGE - 1));
    }

    void put(int at, long number) {
        pages[at >>> PAGE_BITS].put(at & (PAGE - 1), number);
    }

    void get(int at, long[] to, int from, int count) {
        for (int done = 0, some; done < count; done += some) {
            int start = (at + done) & (PAGE - 1);
            some = Math.min(count - done, PAGE - start);
            pages[(at + done) >>> PAGE_BITS].get(start, to, from + done, some);
        }
    }

    void put(int at, long[] numbers, int from, int count) {
        for (int done = 0, some; done < count; done += some) {
            int start = (at + done) & (PAGE - 1);
            some = Math.min(count - done, PAGE - start);
            pages[(at + done) >>> PAGE_BITS].put(start, numbers, from + done, some);
        }
    }

    /** Frees the heap or the disk at once: a mapping lives until the collector finds it. May be called again. */
    @Override
    public void close() {
        if (file == null) {
            memory.give((long) size * Long.BYTES);
        } else {
            try (file) {
                if (file.isOpen()) {
                    file.truncate(0);
                }
            } catch (IOException e) {
                throw failed("cannot be closed", e);
            }
        }
        pages = new LongBuffer[0];
        size = 0;
    }
}

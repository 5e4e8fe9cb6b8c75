/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A file of numbers that is unnamed from its opening on, so nothing of it outlives the process. Many threads may read
 * and write. One closes it.
 *
 * <p>Errors: {@link UncheckedIOException}, also when the disk is full. It names the folder.
 */
final class ScratchFile implements AutoCloseable {

    /** So begin their names, as long as they have any. */
    static final String PREFIX = "join-";

    private static final int BUFFER = 1 << 16;

    private final Path folder;
    private final FileChannel channel;

    /** One for each thread that reads or writes at a time. */
    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

    ScratchFile(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            channel = FileChannel.open(
                    folder.resolve(PREFIX + UUID.randomUUID()),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw failed("cannot be made", e);
        }
    }

    /** @param at byte of the file */
    void write(long at, long[] numbers, int from, int count) {
        ByteBuffer buffer = borrow();
        int step = buffer.capacity() / Long.BYTES;
        for (int i = 0; i < count; i += step) {
            int some = Math.min(step, count - i);
            buffer.clear().asLongBuffer().put(numbers, from + i, some);
            write(at + (long) i * Long.BYTES, buffer.limit(some * Long.BYTES));
        }
        free.add(buffer);
    }

    /** @param at byte of the file */
    void write(long at, int[] numbers, int from, int count) {
        ByteBuffer buffer = borrow();
        int step = buffer.capacity() / Integer.BYTES;
        for (int i = 0; i < count; i += step) {
            int some = Math.min(step, count - i);
            buffer.clear().asIntBuffer().put(numbers, from + i, some);
            write(at + (long) i * Integer.BYTES, buffer.limit(some * Integer.BYTES));
        }
        free.add(buffer);
    }

    void read(long at, long[] numbers, int to, int count) {
        ByteBuffer buffer = borrow();
        int step = buffer.capacity() / Long.BYTES;
        for (int i = 0; i < count; i += step) {
            int some = Math.min(step, count - i);
            read(at + (long) i * Long.BYTES, buffer.clear().limit(some * Long.BYTES));
            buffer.asLongBuffer().get(numbers, to + i, some);
        }
        free.add(buffer);
    }

    void read(long at, int[] numbers, int to, int count) {
        ByteBuffer buffer = borrow();
        int step = buffer.capacity() / Integer.BYTES;
        for (int i = 0; i < count; i += step) {
            int some = Math.min(step, count - i);
            read(at + (long) i * Integer.BYTES, buffer.clear().limit(some * Integer.BYTES));
            buffer.asIntBuffer().get(numbers, to + i, some);
        }
        free.add(buffer);
    }

    /** The caller gives it back to {@link #free}, unless it fails. */
    private ByteBuffer borrow() {
        ByteBuffer buffer = free.poll();
        return buffer == null ? ByteBuffer.allocate(BUFFER).order(ByteOrder.nativeOrder()) : buffer;
    }

    private void write(long at, ByteBuffer buffer) {
        try {
            for (long position = at; buffer.hasRemaining(); ) {
                position += channel.write(buffer, position);
            }
        } catch (IOException e) {
            throw failed("cannot be written from byte " + at + " on, " + usable() + " bytes are free there", e);
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

    private void read(long at, ByteBuffer buffer) {
        try {
            for (long position = at; buffer.hasRemaining(); ) {
                int read = channel.read(buffer, position);
                if (read < 0) {
                    throw new EOFException("no byte " + position);
                }
                position += read;
            }
            buffer.flip();
        } catch (IOException e) {
            throw failed("cannot be read from byte " + at + " on", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed("cannot be closed", e);
        }
    }
}

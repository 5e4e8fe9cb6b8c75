/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/** A file system on which a test sees what joins write, before it is written, and whether they close their files. Thread-safe. */
public final class WatchedDisk extends FilterFileSystemProvider {

    /** Sees a write to a file of a join; what it throws is the answer. */
    public interface Watch {
        void write(Path file, int bytes) throws IOException;
    }

    private final AtomicInteger open = new AtomicInteger();
    private volatile Watch watch = (file, bytes) -> {};

    public WatchedDisk(FileSystem delegate) {
        super("watched://", delegate);
    }

    public void watch(Watch next) {
        watch = next;
    }

    /** Full after so many bytes. */
    public static Watch full(long bytes) {
        AtomicInteger written = new AtomicInteger();
        return (file, more) -> {
            if (written.addAndGet(more) > bytes) {
                throw new IOException("No space left on device");
            }
        };
    }

    /** How many files of joins are open. */
    public int open() {
        return open.get();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        FileChannel channel = super.newFileChannel(path, options, attributes);
        if (path.getFileName().toString().startsWith(Column.PREFIX) == false) {
            return channel;
        }
        open.incrementAndGet();
        return new FilterFileChannel(channel) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                watch.write(path, source.remaining());
                return super.write(source, position);
            }

            @Override
            protected void implCloseChannel() throws IOException {
                open.decrementAndGet();
                super.implCloseChannel();
            }
        };
    }
}

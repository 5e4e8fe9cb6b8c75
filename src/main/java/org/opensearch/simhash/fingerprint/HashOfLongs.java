/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3 x64 128 of a sequence of numbers. A buffer halves the cost. Not thread-safe. */
final class HashOfLongs {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BUFFER = 1024;

    private final HashStream128 stream = Hashing.murmur3_128().hashStream();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;

    void put(long value) {
        LONG.set(buffer, filled, value);
        filled += Long.BYTES;
        if (filled == BUFFER) {
            flush();
        }
    }

    HashValue128 get() {
        flush();
        return stream.get();
    }

    void clear() {
        stream.reset();
        filled = 0;
    }

    private void flush() {
        stream.putBytes(buffer, 0, filled);
        filled = 0;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.io.EOFException;

/** Reads a file in memory from its beginning. Nothing behind its end is ever read. Not thread-safe. */
final class FileBytes {

    private final byte[] bytes;
    private int position;

    FileBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    int position() {
        return position;
    }

    void seek(int newPosition) {
        position = newPosition;
    }

    int next() throws EOFException {
        skip(1);
        return bytes[position - 1] & 0xFF;
    }

    int bigEndian16() throws EOFException {
        return (next() << 8) | next();
    }

    int bigEndian32() throws EOFException {
        return (bigEndian16() << 16) | bigEndian16();
    }

    int littleEndian16() throws EOFException {
        return next() | (next() << 8);
    }

    void skip(long length) throws EOFException {
        if (length > bytes.length - position) {
            throw new EOFException("it ends in the middle, after " + bytes.length + " bytes");
        }
        position += (int) length;
    }
}

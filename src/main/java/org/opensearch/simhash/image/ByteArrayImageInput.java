/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import javax.imageio.stream.ImageInputStreamImpl;

/** Lets a decoder read bytes in memory without a copy. */
final class ByteArrayImageInput extends ImageInputStreamImpl {

    private final byte[] bytes;

    ByteArrayImageInput(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        bitOffset = 0;
        return streamPos < bytes.length ? bytes[(int) streamPos++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        bitOffset = 0;
        int count = (int) Math.min(length, bytes.length - streamPos);
        if (count <= 0) {
            return length == 0 ? 0 : -1;
        }
        System.arraycopy(bytes, (int) streamPos, target, offset, count);
        streamPos += count;
        return count;
    }

    @Override
    public long length() {
        return bytes.length;
    }
}

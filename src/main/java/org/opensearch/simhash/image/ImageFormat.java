/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.util.Arrays;
import java.util.Optional;

/** The formats of images that are read, told by their first bytes: what a name or a media type says does not count. */
@SuppressWarnings("ImmutableEnumChecker") // The bytes do not change.
enum ImageFormat {
    PNG(0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'),
    JPEG(0xFF, 0xD8, 0xFF),
    GIF('G', 'I', 'F', '8'),
    BMP('B', 'M');

    private final byte[] signature;

    ImageFormat(int... signature) {
        this.signature = new byte[signature.length];
        for (int i = 0; i < signature.length; i++) {
            this.signature[i] = (byte) signature[i];
        }
    }

    /** Empty for what is none of them. */
    static Optional<ImageFormat> of(byte[] image) {
        return Arrays.stream(values())
                .filter(format -> image.length >= format.signature.length
                        && Arrays.equals(
                                image, 0, format.signature.length, format.signature, 0, format.signature.length))
                .findFirst();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

/** Image formats, recognised by their first bytes only. */
@SuppressWarnings("ImmutableEnumChecker") // The bytes do not change.
enum ImageFormat {
    PNG("\u0089PNG\r\n\u001A\n"),
    JPEG("\u00FF\u00D8\u00FF"),
    GIF("GIF8"),
    /** Not read: a file may contain another one, of any size. */
    BMP("BM"),
    UNKNOWN("");

    private final String signature;

    /** @param signature one byte per character */
    ImageFormat(String signature) {
        this.signature = signature;
    }

    static ImageFormat of(byte[] image) {
        for (ImageFormat format : values()) {
            if (format.begins(image)) {
                return format;
            }
        }
        return UNKNOWN;
    }

    private boolean begins(byte[] image) {
        boolean begins = image.length >= signature.length();
        for (int i = 0; i < signature.length() && begins; i++) {
            begins = (image[i] & 0xFF) == signature.charAt(i);
        }
        return begins;
    }
}

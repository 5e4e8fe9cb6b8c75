/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.Base64;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/** Decodes the bytes of an image from Base64 text, with or without the head of a data URI. */
final class Base64Image {

    private static final String DATA_URI = "data:";
    private static final String BASE64 = ";base64,";

    /** Longer than any media type with parameters. */
    private static final int LONGEST_HEAD = 200;

    private static final int BEGINNING = 65_536;

    private Base64Image() {}

    /** Decodes either Base64 alphabet, and ignores white space. */
    static byte[] bytes(String text, int maxBytes, LongConsumer memory) {
        int start = start(text);
        int length = 0;
        for (int i = start; i < text.length(); i++) {
            length += isSpace(text.charAt(i)) ? 0 : 1;
        }
        if (length == 0) {
            throw new IllegalArgumentException("must be an image in Base64, got an empty text");
        }
        long size = length * 3L / 4;
        // Up to two characters are padding.
        if (size - 2 > maxBytes) {
            throw new IllegalArgumentException(
                    "must be an image of at most [max_bytes] " + maxBytes + ", got: " + size);
        }
        memory.accept(length + size);
        byte[] characters = new byte[length];
        int next = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isSpace(c) == false) {
                characters[next++] = (byte) (c > 0x7F ? 0 : c == '-' ? '+' : c == '_' ? '/' : c);
            }
        }
        byte[] image = decode(characters);
        if (image.length > maxBytes) {
            throw new IllegalArgumentException(
                    "must be an image of at most [max_bytes] " + maxBytes + ", got: " + image.length);
        }
        return image;
    }

    /** Some 48 kB of the image, or all that is there. */
    static byte[] beginning(String text) {
        int start = start(text);
        String some = text.substring(start, Math.min(text.length(), start + BEGINNING))
                .replaceAll("\\s", "");
        return bytes(some.substring(0, some.length() & ~3), BEGINNING, bytes -> {});
    }

    private static byte[] decode(byte[] characters) {
        try {
            return Base64.getDecoder().decode(characters);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be an image in Base64, got: " + e.getMessage(), e);
        }
    }

    /** Where the Base64 begins. */
    private static int start(String text) {
        if (text.regionMatches(true, 0, DATA_URI, 0, DATA_URI.length()) == false) {
            return 0;
        }
        String head = text.substring(0, Math.min(text.length(), LONGEST_HEAD)).toLowerCase(Locale.ROOT);
        int comma = head.indexOf(',');
        if (comma < 0 || head.startsWith(BASE64, comma + 1 - BASE64.length()) == false) {
            throw new IllegalArgumentException(
                    "must be an image in Base64, got a data URI of another kind: " + TypedNumber.shown(head));
        }
        return comma + 1;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongConsumer;
import org.apache.lucene.util.UnicodeUtil;

/**
 * Cuts a sequence of tokens into features: all runs of {@code minSize} to {@code maxSize} tokens, joined by one space. A
 * sequence of fewer than {@code minSize} tokens is one feature as a whole. Holes that an analyzer leaves (stop words) and
 * tokens at the same position are not regarded: only the order of the tokens counts.
 *
 * <p>"to be or" with sizes 1 to 2 gives {@code to}, {@code be}, {@code to be}, {@code or}, {@code be or}.
 *
 * <p>The digest of the whole sequence, MurmurHash3 x64 128 over its UTF-8 bytes, falls out on the way.
 *
 * <p>Works in one pass over a sliding window of UTF-8 bytes: a shingle is a slice of the window and is not copied. The
 * window grows with the longest run of {@code maxSize} tokens only, not with the text. Not thread-safe.
 */
final class Shingles {

    /** Between tokens of a feature. */
    private static final byte SEPARATOR = ' ';
    /** After the tokens of one text in the digest: no token joins texts. */
    private static final byte END_OF_TEXT = 0x1F;

    /** A power of two that holds the tokens of the largest shingle, less one. */
    private static final int RING = Recipe.MAX_SHINGLE_SIZE - 1;

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Bytes of a token; longer ones take several goes. */
    static final int COPIED_AT_ONCE = 2 * Long.BYTES;

    /** Tokens and texts after which the memory is asked whether to go on; a power of two. */
    private static final int STEPS_BETWEEN_CHECKS = 1 << 12;

    private static final int FIRST_WINDOW = 2048;
    /** A window that one huge token made is not kept. */
    private static final int KEPT_WINDOW = 1 << 16;

    private final int minSize;
    private final int maxSize;
    private final FeatureSink sink;
    private final HashStream128 digest = Hashing.murmur3_128().hashStream();

    private LongConsumer memory = bytes -> {};
    private byte[] window = new byte[FIRST_WINDOW];
    /** Where the last tokens begin in the window: the begin of token t is at {@code t & RING}. */
    private final int[] begins = new int[RING + 1];

    private int end;
    private int digested;
    private int tokens;
    private int steps;

    Shingles(int minSize, int maxSize, FeatureSink sink) {
        this.minSize = minSize;
        this.maxSize = maxSize;
        this.sink = sink;
    }

    /**
     * @param newMemory is told the bytes of a window for huge tokens before they are taken, and may refuse them with an exception;
     *     is told 0 bytes now and then, and may end the work in the same way
     */
    void accountOn(LongConsumer newMemory) {
        memory = newMemory;
    }

    /** The next token of the text. */
    void token(char[] chars, int offset, int length) {
        makeRoom(UnicodeUtil.maxUTF8Length(length) + 1);
        int begin = end;
        int i = offset;
        int last = offset + length;
        for (; i < last && Character.isSurrogate(chars[i]) == false; i++) {
            char c = chars[i];
            if (c < 0x80) {
                window[end++] = (byte) c;
            } else if (c < 0x800) {
                window[end++] = (byte) (0xC0 | c >> 6);
                window[end++] = (byte) (0x80 | (c & 0x3F));
            } else {
                window[end++] = (byte) (0xE0 | c >> 12);
                window[end++] = (byte) (0x80 | (c >> 6 & 0x3F));
                window[end++] = (byte) (0x80 | (c & 0x3F));
            }
        }
        if (i < last) {
            end = UnicodeUtil.UTF16toUTF8(CharBuffer.wrap(chars, i, last - i), 0, last - i, window, end);
        }
        emit(begin);
    }

    /**
     * The next tokens of the text: token {@code i}, from {@code first} on and before {@code last}, is what {@code utf8} holds from
     * {@code places[from[i]]} to {@code places[to[i]]}. One call for all of them makes a fingerprint take 4 % less time.
     *
     * @param utf8 must have {@value #COPIED_AT_ONCE} bytes more: most tokens are copied at one go
     */
    void tokens(byte[] utf8, char[] places, char[] from, char[] to, int first, int last) {
        for (int i = first; i < last; i++) {
            int offset = places[from[i]];
            int length = places[to[i]] - offset;
            makeRoom(length + COPIED_AT_ONCE);
            int begin = end;
            for (int copied = 0; copied < length; copied += COPIED_AT_ONCE) {
                EIGHT.set(window, begin + copied, (long) EIGHT.get(utf8, offset + copied));
                EIGHT.set(window, begin + copied + Long.BYTES, (long) EIGHT.get(utf8, offset + copied + Long.BYTES));
            }
            end = begin + length;
            emit(begin);
        }
    }

    /** Ends the text: the next token begins another one. Returns the number of tokens of the text that ended. */
    int endText() {
        if (tokens > 0 && tokens < minSize) {
            sink.feature(window, begins[0], end - 1 - begins[0]);
        }
        if (tokens > 0) {
            feedDigest();
            digest.putByte(END_OF_TEXT);
        }
        step();
        int ended = tokens;
        tokens = 0;
        end = 0;
        digested = 0;
        return ended;
    }

    /**
     * For a text without tokens: its symbols stand for it in the digest, "!!!" and "???" are not equal texts. Nor are texts of
     * stop words only, whatever their case.
     */
    void symbols(String text) {
        text.codePoints()
                .filter(c -> Character.isWhitespace(c) == false)
                .map(Character::toLowerCase)
                .forEach(digest::putInt);
    }

    /** The digest of all tokens since the last {@link #clear}: 32 hex digits. */
    String digest() {
        HashValue128 hash = digest.get();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(hash.getLeastSignificantBits()) + hex.toHexDigits(hash.getMostSignificantBits());
    }

    /** Makes ready for another document, whatever became of the one before. */
    void clear() {
        digest.reset();
        tokens = 0;
        end = 0;
        digested = 0;
        if (window.length > KEPT_WINDOW) {
            window = new byte[FIRST_WINDOW];
        }
    }

    private void emit(int begin) {
        begins[tokens & RING] = begin;
        tokens++;
        for (int size = minSize; size <= maxSize && size <= tokens; size++) {
            int first = begins[(tokens - size) & RING];
            sink.feature(window, first, end - first);
        }
        window[end++] = SEPARATOR;
        step();
    }

    private void step() {
        if ((++steps & (STEPS_BETWEEN_CHECKS - 1)) == 0) {
            memory.accept(0);
        }
    }

    private void makeRoom(int bytes) {
        if (end + bytes <= window.length) {
            return;
        }
        feedDigest();
        int kept = Math.min(tokens, maxSize);
        int start = kept == 0 ? end : begins[(tokens - kept) & RING];
        System.arraycopy(window, start, window, 0, end - start);
        for (int i = 0; i < kept; i++) {
            begins[(tokens - 1 - i) & RING] -= start;
        }
        end -= start;
        digested = end;
        if (end + bytes > window.length) {
            int size = Math.max(end + bytes, window.length * 2);
            if (size > KEPT_WINDOW) {
                memory.accept(size);
            }
            window = Arrays.copyOf(window, size);
        }
    }

    private void feedDigest() {
        digest.putBytes(window, digested, end - digested);
        digested = end;
    }
}

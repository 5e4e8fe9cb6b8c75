/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/**
 * A text whose neighbours are known without comparing: near are the texts of its family, and nothing else. To be near is
 * transitive here: the fingerprints of a family are at most 2 bits apart, and those of two families about 32. So each text of a
 * family stands for each other one, whatever was deleted in between.
 *
 * @param family has one fingerprint, but for a bit of each variant
 * @param twin texts of two twins have near fingerprints and no word in common
 * @param variant texts of two variants differ in one word of many, and in few bits
 */
record Text(int family, int twin, int variant) {

    static final int TWINS = 2;
    static final int VARIANTS = 4;

    /** The field of a picture. */
    static final String PICTURE = "picture";

    private static final int PIXELS = 32;
    private static final int CELL = 4;

    private static final int WORDS = 160;
    private static final int SEGMENTS = 4;
    private static final int SEGMENT_BITS = 16;
    /** One of so many families is given up now and then by its clients. */
    private static final int MORTAL = 3;

    /** As {@link #toString} writes it. */
    static Text parse(String name) {
        String[] parts = name.split("\\.", -1);
        return new Text(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** The texts that are near to this one: those with the same kin. */
    String kin(boolean verified) {
        return verified ? family + "." + twin : String.valueOf(family);
    }

    /** Whether clients delete texts of this family, or write other ones in their place. */
    boolean isMortal() {
        return family % MORTAL == 0;
    }

    /** The document that a client sends, without a fingerprint. */
    Map<String, Object> written() {
        List<String> words = new ArrayList<>();
        for (int i = 1; i < WORDS; i++) {
            words.add("f" + family + "t" + twin + "w" + i);
        }
        words.add("variant" + variant);
        Map<String, Object> source = new LinkedHashMap<>();
        source.put("text", toString());
        source.put("content", String.join(" ", words));
        return source;
    }

    /** With a ready fingerprint, which nobody can make of the text, so that it is that of the family. */
    Map<String, Object> source() {
        Map<String, Object> source = written();
        source.put("simhash", fingerprint(fingerprint()));
        return source;
    }

    /** The document with a picture in the place of the fingerprint: near and far ones are the same as of texts. */
    Map<String, Object> pictured() {
        Map<String, Object> source = written();
        source.put(PICTURE, Base64.getEncoder().encodeToString(picture()));
        return source;
    }

    /** Cells of random gray. Variants are a little brighter. */
    private byte[] picture() {
        var random = new SplittableRandom(family);
        var image = new BufferedImage(PIXELS, PIXELS, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < PIXELS; y += CELL) {
            for (int x = 0; x < PIXELS; x += CELL) {
                int gray = random.nextInt(240) + variant;
                for (int pixel = 0; pixel < CELL * CELL; pixel++) {
                    image.getRaster().setSample(x + pixel % CELL, y + pixel / CELL, 0, gray);
                }
            }
        }
        var bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private long fingerprint() {
        long center = new SplittableRandom(family).nextLong();
        return variant == 0 ? center : center ^ (1L << (variant * SEGMENT_BITS - 1));
    }

    /** The object that the processor {@code simhash} would write for a given hash. */
    static Map<String, Object> fingerprint(long bits) {
        Map<String, Object> fields = new LinkedHashMap<>();
        String hash = String.format(Locale.ROOT, "%016x", bits);
        fields.put("scheme", "given-kills");
        fields.put("hash", hash);
        fields.put("bits", bits);
        for (int i = 0; i < SEGMENTS; i++) {
            int digits = SEGMENT_BITS / 4;
            fields.put("segment_" + i, hash.substring(i * digits, (i + 1) * digits));
        }
        return fields;
    }

    @Override
    public String toString() {
        return family + "." + twin + "." + variant;
    }
}

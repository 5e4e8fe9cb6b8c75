/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.Raster;
import java.io.IOException;
import java.util.Iterator;
import java.util.Locale;
import java.util.function.LongConsumer;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import org.apache.lucene.util.IOSupplier;

/**
 * Decodes the first picture of an image file, only as fine as needed. Ignores colour profiles, gamma and orientation;
 * transparent pixels are white.
 *
 * @param maxPixels larger images are refused by their header
 * @param memory accounts for the bytes; the caller gives them back
 */
record ImageDecoder(int maxPixels, LongConsumer memory) {

    /** Pixels kept along a side: sixteen in each cell of a hash's grid. */
    private static final int FINE_ENOUGH = 512;

    private static final int BYTES_PER_PIXEL = 9;

    /**
     * The limit of JPEG and GIF. A PNG needs it too: a decoder keeps whole rows and takes time for each, so an image of
     * 50 million pixels by 1 takes a gigabyte, and one of 1 by 50 million a minute, from about 200 kB.
     */
    private static final int LONGEST_SIDE = 65_535;

    /** The row and the previous one, at up to 8 bytes a pixel, decoded twice. */
    private static final int BYTES_PER_PIXEL_OF_A_ROW = 32;

    /** A decoder keeps all coefficients of a progressive JPEG, and may keep a whole compressed BMP. */
    private static final int BYTES_PER_KEPT_PIXEL = 6;

    private static final int MOST_CHANNELS = 4;

    /**
     * The brightness of the picture.
     *
     * @throws IllegalArgumentException with the rule and the value
     */
    LumaImage decode(byte[] bytes) {
        ImageFormat format = ImageFormat.of(bytes)
                .orElseThrow(() -> new IllegalArgumentException(
                        "must be an image in PNG, JPEG, GIF or BMP, got " + bytes.length + " bytes of something else"));
        ImageReader reader = reader(format);
        try {
            WholeImage whole = decoded(format, () -> WholeImage.require(format, bytes));
            reader.setInput(new ByteArrayImageInput(bytes), true, true);
            int width = decoded(format, () -> reader.getWidth(0));
            int height = decoded(format, () -> reader.getHeight(0));
            if ((long) width * height > maxPixels) {
                throw new IllegalArgumentException(
                        "must be an image of at most [max_pixels] " + maxPixels + ", got: " + width + " x " + height);
            }
            if (Math.max(width, height) > LONGEST_SIDE) {
                throw new IllegalArgumentException("must be an image of at most " + LONGEST_SIDE
                        + " pixels along a side, got: " + width + " x " + height);
            }
            int columns = Math.max(1, width / FINE_ENOUGH);
            int rows = Math.max(1, height / FINE_ENOUGH);
            long pixels = (long) (width / columns + 1) * (height / rows + 1);
            memory.accept(BYTES_PER_PIXEL * pixels
                    + (long) BYTES_PER_PIXEL_OF_A_ROW * width
                    + (whole.isDecodedAsAWhole() ? BYTES_PER_KEPT_PIXEL * (long) width * height : 0));
            return luma(decoded(format, () -> picture(reader, columns, rows)));
        } finally {
            reader.dispose();
        }
    }

    private static BufferedImage picture(ImageReader reader, int columns, int rows) throws IOException {
        JpegDamage damage = new JpegDamage();
        reader.addIIOReadWarningListener(damage);
        ImageReadParam coarse = reader.getDefaultReadParam();
        coarse.setSourceSubsampling(columns, rows, 0, 0);
        BufferedImage picture = reader.read(0, coarse);
        damage.requireNone();
        return picture;
    }

    /** Any exception of a decoder is a failure of the file. */
    private static <T> T decoded(ImageFormat format, IOSupplier<T> step) {
        try {
            return step.get();
        } catch (IOException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "must be a whole image that can be decoded, got a " + format + " that cannot: " + e.getMessage(),
                    e);
        }
    }

    private static ImageReader reader(ImageFormat format) {
        Iterator<ImageReader> readers =
                ImageIO.getImageReadersByFormatName(format.name().toLowerCase(Locale.ROOT));
        if (readers.hasNext() == false) {
            throw new IllegalStateException("this node's Java has no decoder for " + format);
        }
        return readers.next();
    }

    private static LumaImage luma(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        byte[] luma = new byte[width * height];
        boolean isRaw = image.getColorModel() instanceof ComponentColorModel;
        int[] row = new int[width * MOST_CHANNELS];
        for (int y = 0; y < height; y++) {
            if (isRaw) {
                readRow(image.getRaster(), y, row, luma);
            } else {
                image.getRGB(0, y, width, 1, row, 0, width);
                for (int x = 0; x < width; x++) {
                    int color = row[x];
                    int value = LumaImage.luma((color >> 16) & 0xFF, (color >> 8) & 0xFF, color & 0xFF);
                    luma[y * width + x] = onWhite(value, color >>> 24);
                }
            }
        }
        return new LumaImage(width, height, luma);
    }

    /** Reads the values of the file unchanged: Java would convert grey on another scale than colours. */
    private static void readRow(Raster raster, int y, int[] row, byte[] luma) {
        int width = raster.getWidth();
        int channels = raster.getNumBands();
        int shift = raster.getSampleModel().getSampleSize(0) - Byte.SIZE;
        raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, row);
        boolean hasColors = channels > 2;
        for (int x = 0; x < width; x++) {
            int at = x * channels;
            int value = hasColors
                    ? LumaImage.luma(row[at] >> shift, row[at + 1] >> shift, row[at + 2] >> shift)
                    : row[at] >> shift;
            boolean hasAlpha = channels % 2 == 0;
            luma[y * width + x] = onWhite(value, hasAlpha ? row[at + channels - 1] >> shift : 0xFF);
        }
    }

    private static byte onWhite(int luma, int alpha) {
        return (byte) ((luma * alpha + 0xFF * (0xFF - alpha)) / 0xFF);
    }
}

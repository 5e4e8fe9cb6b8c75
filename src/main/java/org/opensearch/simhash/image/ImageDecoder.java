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
 * Decodes the first picture of an image file, no finer than is needed. Colour profiles, gamma and the orientation that a camera notes
 * are left out; what is transparent is white.
 *
 * @param maxPixels an image with more is refused by its head
 * @param memory is told the bytes before they are taken; giving them back is the caller's
 */
record ImageDecoder(int maxPixels, LongConsumer memory) {

    /** So many pixels along a side are left, that the grid of a hash has sixteen in each cell. */
    private static final int FINE_ENOUGH = 512;

    private static final int BYTES_PER_PIXEL = 9;

    /**
     * What JPEG and GIF can have at most. Of a PNG a decoder keeps whole rows, and takes some time for each: one of 50 million pixels by
     * 1 would take a gigabyte, one of 1 by 50 million a minute, from some 200 kB.
     */
    private static final int LONGEST_SIDE = 65_535;

    /** The row itself and the one before it in up to 8 bytes a pixel, and twice decoded. */
    private static final int BYTES_PER_PIXEL_OF_A_ROW = 32;

    /** A decoder keeps the coefficients of a progressive JPEG, and may keep a compressed BMP, as a whole. */
    private static final int BYTES_PER_KEPT_PIXEL = 6;

    private static final int MOST_CHANNELS = 4;

    /**
     * The brightness of the picture.
     *
     * @throws IllegalArgumentException with a rule and what was found instead
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

    /** Whatever a decoder throws, which trusts in what a file says, is that file's failure. */
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

    /** The values of the file as they are: Java would convert grey ones, as if they were of another scale than colours. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Image;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** Pictures that tests draw: shapes at random places, the same for the same seed. */
public final class TestImages {

    static {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
    }

    private TestImages() {}

    public static BufferedImage draw(long seed, int width, int height) {
        return draw(seed, width, height, BufferedImage.TYPE_INT_RGB);
    }

    static BufferedImage draw(long seed, int width, int height, int type) {
        BufferedImage image = new BufferedImage(width, height, type);
        Graphics2D pen = image.createGraphics();
        Random random = new Random(seed);
        pen.setColor(new Color(random.nextInt(0xFFFFFF)));
        pen.fillRect(0, 0, width, height);
        for (int i = 0; i < 25; i++) {
            pen.setColor(new Color(random.nextInt(0xFFFFFF)));
            int x = (int) (random.nextDouble() * width - width / 8.0);
            int y = (int) (random.nextDouble() * height - height / 8.0);
            int w = (int) (random.nextDouble() * width / 2);
            int h = (int) (random.nextDouble() * height / 2);
            if (random.nextBoolean()) {
                pen.fillOval(x, y, w, h);
            } else {
                pen.fillRect(x, y, w, h);
            }
        }
        pen.dispose();
        return image;
    }

    static BufferedImage scaled(BufferedImage image, int width, int height) {
        BufferedImage scaled = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = scaled.createGraphics();
        pen.drawImage(image.getScaledInstance(width, height, Image.SCALE_SMOOTH), 0, 0, null);
        pen.dispose();
        return scaled;
    }

    static BufferedImage as(int type, BufferedImage image) {
        BufferedImage other = new BufferedImage(image.getWidth(), image.getHeight(), type);
        Graphics2D pen = other.createGraphics();
        pen.drawImage(image, 0, 0, null);
        pen.dispose();
        return other;
    }

    static BufferedImage brighter(BufferedImage image, double factor, int more) {
        BufferedImage other = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                int color = image.getRGB(x, y);
                int changed = 0;
                for (int shift = 16; shift >= 0; shift -= 8) {
                    int value = (int) (((color >> shift) & 0xFF) * factor) + more;
                    changed = (changed << 8) | Math.clamp(value, 0, 255);
                }
                other.setRGB(x, y, changed);
            }
        }
        return other;
    }

    public static byte[] write(String format, BufferedImage image) {
        return write(format, image, 0.9f, false);
    }

    /** A JPEG of raw components, without a word on what they are. */
    static byte[] writeRaster(Raster components) {
        return write("jpeg", new IIOImage(components, null, null), 0.95f, false);
    }

    static byte[] write(String format, BufferedImage image, float quality, boolean progressive) {
        return write(format, new IIOImage(image, null, null), quality, progressive);
    }

    private static byte[] write(String format, IIOImage image, float quality, boolean progressive) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            ImageWriteParam options = writer.getDefaultWriteParam();
            if (format.equals("jpeg")) {
                options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                options.setCompressionQuality(quality);
            }
            if (options.canWriteProgressive()) {
                options.setProgressiveMode(progressive ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
            }
            writer.setOutput(out);
            writer.write(null, image, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    public static String base64(byte[] image) {
        return Base64.getEncoder().encodeToString(image);
    }
}

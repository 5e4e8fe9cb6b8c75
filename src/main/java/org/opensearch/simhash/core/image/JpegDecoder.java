/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.awt.image.Raster;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadProgressListener;
import javax.imageio.event.IIOReadWarningListener;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.stream.ImageInputStreamImpl;

/** Has Java's own decoder decode what {@link JpegFile} leaves of a file, and ends it when its time is over. */
final class JpegDecoder {

    /** Colours of a kept pixel. */
    private static final int BYTES_PER_PIXEL = 4;

    /** Up to 40 rows of each component wait to be joined to pixels. */
    private static final int BYTES_PER_PIXEL_OF_A_ROW = 160;

    private JpegDecoder() {}

    /** @param bytes are changed */
    static LumaImage decode(byte[] bytes, Decoding limits) throws IOException {
        JpegFile file = JpegFile.reduce(bytes, limits);
        Samples samples = new Samples(file.width(), file.height(), limits);
        limits.take((long) BYTES_PER_PIXEL * samples.size()
                + (long) BYTES_PER_PIXEL_OF_A_ROW * file.width()
                + file.keptBytes());
        Raster raster = picture(bytes, file, samples, limits);
        limits.requireTime();
        int width = raster.getWidth();
        int channels = raster.getNumBands();
        int[] row = new int[width * channels];
        for (int y = 0; y < raster.getHeight(); y++) {
            // The values of the file unchanged: Java would convert grey on another scale than colours.
            raster.getPixels(0, y, width, 1, row);
            samples.row(y * samples.stepY(), 0, samples.stepX(), width, x -> luma(row, x * channels, channels, file));
        }
        return samples.image();
    }

    private static int luma(int[] row, int at, int channels, JpegFile file) {
        return switch (channels) {
            case 1 -> row[at];
            case 3 -> LumaImage.luma(row[at], row[at + 1], row[at + 2]);
            default -> file.luma(row[at], row[at + 1], row[at + 2], row[at + 3]);
        };
    }

    private static Raster picture(byte[] bytes, JpegFile file, Samples samples, Decoding limits) throws IOException {
        ImageReader reader = null;
        try {
            reader = Java.JPEG.createReaderInstance();
            Watch watch = new Watch(limits);
            reader.addIIOReadWarningListener(watch);
            reader.addIIOReadProgressListener(watch);
            reader.setInput(new Input(bytes, file.length(), limits), true, true);
            ImageReadParam coarse = reader.getDefaultReadParam();
            coarse.setSourceSubsampling(samples.stepX(), samples.stepY(), 0, 0);
            // Java converts no inks.
            Raster picture = file.isOfInks()
                    ? reader.readRaster(0, coarse)
                    : reader.read(0, coarse).getRaster();
            watch.requireNoDamage();
            return picture;
        } catch (IOException | RuntimeException | Error e) {
            // An error is that of this file, too, and ends no node: it has no memory but what is accounted.
            limits.requireTime();
            throw new IOException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } finally {
            if (reader != null) {
                reader.dispose();
            }
        }
    }

    /** The decoder that is part of Java, whatever else somebody put on the class path. */
    private static final class Java {

        static final ImageReaderSpi JPEG = find();

        private static ImageReaderSpi find() {
            Iterator<ImageReaderSpi> all = IIORegistry.getDefaultInstance()
                    .getServiceProviders(
                            ImageReaderSpi.class,
                            provider -> provider.getClass().getModule() == ImageIO.class.getModule()
                                    && Arrays.asList(((ImageReaderSpi) provider).getFormatNames())
                                            .contains("jpeg"),
                            false);
            if (all.hasNext() == false) {
                throw new IllegalStateException("this node's Java has no decoder of JPEG");
            }
            return all.next();
        }
    }

    /** Gives the decoder few bytes at a time, so that it comes to see that its time is over. */
    private static final class Input extends ImageInputStreamImpl {

        private static final int MOST_AT_ONCE = 512;

        private final byte[] bytes;
        private final int end;
        private final Decoding limits;

        Input(byte[] bytes, int end, Decoding limits) {
            this.bytes = bytes;
            this.end = end;
            this.limits = limits;
        }

        @Override
        public int read() {
            bitOffset = 0;
            return streamPos < end ? bytes[(int) streamPos++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (limits.isLate()) {
                throw new IOException("it takes too long");
            }
            bitOffset = 0;
            int count = (int) Math.min(Math.min(length, MOST_AT_ONCE), end - streamPos);
            if (count <= 0) {
                return length == 0 ? 0 : -1;
            }
            System.arraycopy(bytes, (int) streamPos, target, offset, count);
            streamPos += count;
            return count;
        }

        @Override
        public long length() {
            return end;
        }
    }

    /** Ends a reader whose time is over, and records that it invented part of a picture. Throws nothing to native code. */
    private static final class Watch implements IIOReadWarningListener, IIOReadProgressListener {

        /** Bytes between two parts are harmless. */
        private static final String HARMLESS = "extraneous bytes";

        private final Decoding limits;
        private String damage;

        Watch(Decoding limits) {
            this.limits = limits;
        }

        void requireNoDamage() throws IOException {
            if (damage != null) {
                throw new IOException(damage);
            }
        }

        @Override
        public void warningOccurred(ImageReader source, String warning) {
            boolean isDamage = warning.startsWith("Corrupt JPEG data") || warning.startsWith("Premature end");
            if (damage == null && isDamage && warning.contains(HARMLESS) == false) {
                damage = warning;
            }
        }

        @Override
        public void imageProgress(ImageReader source, float percentageDone) {
            if (limits.isLate()) {
                source.abort();
            }
        }

        @Override
        public void imageStarted(ImageReader source, int imageIndex) {}

        @Override
        public void imageComplete(ImageReader source) {}

        @Override
        public void readAborted(ImageReader source) {}

        @Override
        public void sequenceStarted(ImageReader source, int minIndex) {}

        @Override
        public void sequenceComplete(ImageReader source) {}

        @Override
        public void thumbnailStarted(ImageReader source, int imageIndex, int thumbnailIndex) {}

        @Override
        public void thumbnailProgress(ImageReader source, float percentageDone) {}

        @Override
        public void thumbnailComplete(ImageReader source) {}
    }
}

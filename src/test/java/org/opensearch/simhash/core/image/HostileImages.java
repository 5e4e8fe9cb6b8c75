/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.awt.image.BufferedImage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.Rounds;

/** Hashes crafted and mutated image files: each gives a hash or a refusal, soon, and all memory is given back. */
public final class HostileImages {

    private static final TimeValue TIME = TimeValue.timeValueMillis(1500);
    private static final ImageHash HASH =
            new ImageHash(PerceptualHash.PHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);
    private static final int[] EXTREMES = {
        0, 1, -1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xD9, 0xDA, 0x100, 0x10000
    };

    private final AtomicLong memory = new AtomicLong();
    private final List<String> failures = new ArrayList<>();
    private int files;
    private int hashes;
    private long longest;
    private long longestOfProcessor;
    private String slowest = "";

    /** Arguments: mutated files, seed. */
    public static void main(String[] arguments) {
        int mutations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200_000;
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        HostileImages run = new HostileImages();
        run.crafted();
        System.out.println(run);
        HostileImages mutated = new HostileImages();
        mutated.mutated(mutations, seed);
        System.out.println(mutated);
        run.failures.addAll(mutated.failures);
        run.failures.stream().limit(50).forEach(System.out::println);
        System.exit(run.failures.isEmpty() ? 0 : 1);
    }

    /** What went wrong, by file. */
    List<String> failures() {
        return failures;
    }

    void crafted() {
        for (CraftedImages.Crafted crafted : CraftedImages.all()) {
            String refusal = hash(crafted.name(), crafted.bytes());
            boolean isExpected = crafted.refusal() == null
                    ? refusal == null
                    : crafted.refusal().isEmpty() || (refusal != null && refusal.contains(crafted.refusal()));
            if (isExpected == false) {
                failures.add(crafted.name() + ": " + refusal + " in place of " + crafted.refusal());
            }
        }
    }

    void mutated(int count, long seed) {
        List<byte[]> good = good();
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed * 1_000_003 + i);
            byte[] file = good.get(random.nextInt(good.size())).clone();
            for (int j = random.nextInt(4); j >= 0 && file.length > 0; j--) {
                file = mutated(file, good, random);
            }
            hash("mutated " + seed + " " + i, file);
        }
    }

    /** The refusal; null if there is a hash or the image has one colour. */
    private String hash(String name, byte[] file) {
        String base64 = TestImages.base64(file);
        long start = System.nanoTime();
        long startOfProcessor = processorTime();
        String refusal = null;
        try {
            HASH.of(base64, TIME, bytes -> {
                if (memory.addAndGet(bytes) < 0) {
                    failures.add(name + ": the memory is negative");
                }
            });
            hashes++;
        } catch (IllegalArgumentException e) {
            refusal = e.getMessage();
            if (refusal.startsWith("must be ") == false) {
                failures.add(name + ": " + e);
            }
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof Error) {
                    failures.add(name + ": " + cause);
                }
            }
        } catch (RuntimeException | Error e) {
            failures.add(name + ": " + e);
        }
        files++;
        long ofProcessor = processorTime() - startOfProcessor;
        longest = Math.max(longest, System.nanoTime() - start);
        if (ofProcessor > longestOfProcessor) {
            longestOfProcessor = ofProcessor;
            slowest = name;
        }
        if (ofProcessor > 2_000_000_000L && Rounds.NIGHT) {
            failures.add(name + ": " + ofProcessor / 1_000_000 + " ms");
        }
        if (memory.getAndSet(0) != 0) {
            failures.add(name + ": memory that is not given back");
        }
        return refusal;
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static List<byte[]> good() {
        List<byte[]> good = new ArrayList<>();
        for (CraftedImages.Crafted crafted : CraftedImages.all()) {
            if (crafted.refusal() == null && crafted.bytes().length < 5_000) {
                good.add(crafted.bytes());
            }
        }
        for (int type : new int[] {
            BufferedImage.TYPE_INT_RGB,
            BufferedImage.TYPE_BYTE_GRAY,
            BufferedImage.TYPE_BYTE_INDEXED,
            BufferedImage.TYPE_BYTE_BINARY
        }) {
            for (boolean progressive : new boolean[] {true, false}) {
                for (String format : List.of("png", "gif", "jpeg")) {
                    boolean isIndexed = type >= BufferedImage.TYPE_BYTE_BINARY;
                    if (format.equals("jpeg") == false || isIndexed == false) {
                        BufferedImage image = TestImages.draw(type, 90, 70, type);
                        good.add(TestImages.write(format, image, 0.7f, progressive));
                    }
                }
            }
        }
        return good;
    }

    private static byte[] mutated(byte[] file, List<byte[]> others, Random random) {
        int at = random.nextInt(random.nextInt(3) == 0 ? file.length : Math.min(file.length, 200));
        int length = Math.min(file.length - at, 1 + random.nextInt(random.nextBoolean() ? 8 : 200));
        switch (random.nextInt(9)) {
            case 0 -> file[at] = (byte) random.nextInt();
            case 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
            case 2, 3 -> {
                int value = EXTREMES[random.nextInt(EXTREMES.length)];
                int bytes = 1 << random.nextInt(3);
                for (int i = 0; i < bytes && at + i < file.length; i++) {
                    file[at + i] = (byte) (value >> (8 * (bytes - 1 - i)));
                }
            }
            case 4 -> {
                return CraftedImages.joined(
                        Arrays.copyOf(file, at), Arrays.copyOfRange(file, at + length, file.length));
            }
            case 5 -> {
                int times = random.nextInt(20) == 0 ? 500 : 1 + random.nextInt(3);
                byte[] more = new byte[length * times];
                for (int i = 0; i < more.length; i++) {
                    more[i] = file[at + i % length];
                }
                return CraftedImages.joined(Arrays.copyOf(file, at), more, Arrays.copyOfRange(file, at, file.length));
            }
            case 6 -> {
                byte[] other = others.get(random.nextInt(others.size()));
                int from = random.nextInt(other.length);
                int to = from + random.nextInt(other.length - from);
                return CraftedImages.joined(
                        Arrays.copyOf(file, at),
                        Arrays.copyOfRange(other, from, to),
                        Arrays.copyOfRange(file, at, file.length));
            }
            case 7 -> {
                return random.nextInt(5) == 0 ? Arrays.copyOf(file, 1 + at) : file;
            }
            default -> {
                byte[] noise = new byte[length];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, file, at, length);
            }
        }
        return file;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d files, %,d with a hash, the longest %,d ms (%,d ms of a processor: %s), %d failures",
                files,
                hashes,
                longest / 1_000_000,
                longestOfProcessor / 1_000_000,
                slowest,
                failures.size());
    }
}

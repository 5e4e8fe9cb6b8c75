/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.RandomSeed;
import org.opensearch.simhash.core.Rounds;

class HostileImagesTests {

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    @Test
    void testCraftedFilesGiveAHashOrARefusalWithinSeconds() {
        HostileImages images = new HostileImages();
        images.crafted();
        assertEquals(List.of(), images.failures(), images::toString);
    }

    @Test
    void testMutatedFilesGiveAHashOrARefusalWithinSeconds() {
        HostileImages images = new HostileImages();
        images.mutated(Rounds.of(200, 20_000), seed.value());
        assertEquals(List.of(), images.failures(), images::toString);
    }

    /** Each decoder sees that its time is over. */
    @Test
    void testTimeIsLimited() {
        ImageHash hash =
                new ImageHash(PerceptualHash.PHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);
        for (String format : List.of("png", "jpeg", "gif")) {
            for (boolean progressive : new boolean[] {true, false}) {
                int type = format.equals("gif") ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB;
                String image = TestImages.base64(
                        TestImages.write(format, TestImages.draw(1, 3000, 2500, type), 0.9f, progressive));
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class,
                        () -> hash.of(image, TimeValue.timeValueMillis(10), bytes -> {}),
                        format);
                assertEquals(
                        "must be an image that is decoded in at most [plugins.simhash.image_hash.max_time] 10ms of a"
                                + " processor's time",
                        e.getMessage());
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.io.IOException;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadWarningListener;

/** Records that a decoder invented part of a picture. One per picture. Not thread-safe. */
final class JpegDamage implements IIOReadWarningListener {

    /** Bytes between two parts are harmless. */
    private static final String HARMLESS = "extraneous bytes";

    private String first;

    /** Throws nothing, since native code calls it. */
    @Override
    public void warningOccurred(ImageReader source, String warning) {
        boolean isDamage = warning.startsWith("Corrupt JPEG data") || warning.startsWith("Premature end");
        if (first == null && isDamage && warning.contains(HARMLESS) == false) {
            first = warning;
        }
    }

    void requireNone() throws IOException {
        if (first != null) {
            throw new IOException(first);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.image;

import java.io.IOException;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadWarningListener;

/** Keeps in mind that a decoder made up a part of a picture. Not thread-safe: one for each picture. */
final class JpegDamage implements IIOReadWarningListener {

    /** Bytes between two parts hurt nobody. */
    private static final String HARMLESS = "extraneous bytes";

    private String first;

    /** Nothing is thrown here: native code calls this. */
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

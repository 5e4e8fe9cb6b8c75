/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From an image in a document to a perceptual hash. {@code Base64Image} decodes bytes. {@code ImageFormat} and
 * {@code WholeImage} check them before decoding. {@code ImageDecoder} makes a {@code LumaImage}, and
 * {@code PerceptualHash} its 64 bits.
 *
 * <p>No pixel is decoded before the file is known to be complete and within the limits. Results depend on the pixels
 * alone.
 */
package org.opensearch.simhash.image;

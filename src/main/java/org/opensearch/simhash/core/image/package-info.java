/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From an image in a document to a perceptual hash. {@code Base64Image} decodes bytes, {@code ImageDecoder} makes a
 * {@code LumaImage} of them, and {@code PerceptualHash} its bits. {@code PngDecoder} and {@code GifDecoder} read files
 * alone; {@code JpegDecoder} gives Java's decoder what {@code JpegFile} has checked and left.
 *
 * <p>Nothing is allocated or decoded before the file is known to be complete and within the limits ({@code Decoding}). No
 * file can make more work or take more memory than these allow. Results depend on the pixels alone.
 */
package org.opensearch.simhash.core.image;

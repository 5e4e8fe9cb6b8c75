/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From an image in a document to a perceptual hash: {@code Base64Image} to bytes, {@code ImageFormat} and {@code WholeImage} look at
 * these before anything is decoded, {@code ImageDecoder} makes them a {@code LumaImage}, {@code PerceptualHash} its 64 bits.
 *
 * <p>No pixel is decoded before the file has been found whole and its size within the limits. Results depend on the pixels alone.
 */
package org.opensearch.simhash.image;

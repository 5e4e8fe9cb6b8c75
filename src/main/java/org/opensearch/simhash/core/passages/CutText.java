/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

/**
 * The words of a document's texts, to be compared with those of other documents.
 *
 * @param maker of the words: those of different makers are not comparable
 * @param run as many equal words in a row are found in every case
 */
public record CutText(Words words, String maker, int run) {}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.passages;

/** The words of a document's texts. Those of one maker are comparable; a run of as many equal words is found in every case. */
public record CutText(Words words, String maker, int run) {}

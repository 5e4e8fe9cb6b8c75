/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import org.opensearch.simhash.nearduplicate.arrival.Original.Version;

/**
 * What a bulk answers for one document that it was to write.
 *
 * @param index the index that has it, or was to have it
 * @param version that is stored; null when the document was refused for certain
 */
public record ItemAnswer(String index, String id, Version version) {}

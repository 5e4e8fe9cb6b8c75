/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.arrival;

import org.opensearch.simhash.nearduplicate.arrival.Original.Version;

/**
 * A bulk's answer for one document.
 *
 * @param index in the answer
 * @param version as stored; null if the document was certainly refused
 */
public record ItemAnswer(String index, String id, Version version) {}

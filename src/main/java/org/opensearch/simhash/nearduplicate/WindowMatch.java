/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

/**
 * A document of the {@link ArrivalWindow} that is near another one.
 *
 * @param number when it came: earlier documents have lower numbers
 */
record WindowMatch(long number, DocumentName name, int distance) {}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A document on its way into an index: its fingerprint, its name, which others it is compared with, and what was found.
 */
package org.opensearch.simhash.nearduplicate.arrival;

/* SPDX-License-Identifier: Apache-2.0 */
/** A document on its way into an index: its fingerprint, its name, and its matches. */
package org.opensearch.simhash.nearduplicate.arrival;

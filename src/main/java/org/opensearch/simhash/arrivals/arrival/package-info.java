/* SPDX-License-Identifier: Apache-2.0 */
/** A document on its way into an index: its fingerprint or sketch, its name, and its matches. */
package org.opensearch.simhash.arrivals.arrival;

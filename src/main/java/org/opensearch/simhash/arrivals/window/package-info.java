/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Documents accepted lately, which the index may not show yet: the {@code ArrivalWindow} of fingerprints and sketches, and
 * the {@code RecentTexts}. In memory, bounded, on the circuit breaker.
 */
package org.opensearch.simhash.arrivals.window;

/* SPDX-License-Identifier: Apache-2.0 */
/** Counts of the plugin's work on each node since its start, for people and monitoring. */
package org.opensearch.simhash.desk.stats;

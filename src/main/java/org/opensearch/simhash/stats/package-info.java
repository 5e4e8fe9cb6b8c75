/* SPDX-License-Identifier: Apache-2.0 */
/** What the plugin did on each node since it started, for people and monitoring. */
package org.opensearch.simhash.stats;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The real thing: the stock distribution, the plugin's zip installed with its own installer, nodes as processes, HTTP.
 *
 * <p>{@link org.opensearch.simhash.node.Distribution} installs, {@link org.opensearch.simhash.node.RealCluster} starts and
 * stops, {@link org.opensearch.simhash.node.RestClient} speaks. Integration tests, demo and benchmarks share these pieces.
 */
package org.opensearch.simhash.node;

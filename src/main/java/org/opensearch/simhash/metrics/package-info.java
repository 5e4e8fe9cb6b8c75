/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a node counts, for Prometheus. {@code NodeMetrics} reads what the parts of the plugin count, {@code MetricsAction} brings it
 * from the nodes that are asked, {@code MetricsText} writes it. {@code RegisteredMetrics} shows the same to OpenSearch's own telemetry.
 */
package org.opensearch.simhash.metrics;

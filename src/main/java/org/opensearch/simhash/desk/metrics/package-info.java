/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Metrics for Prometheus. {@code NodeMetrics} reads the counts, {@code MetricsAction} collects them from nodes,
 * {@code MetricsText} writes them. {@code RegisteredMetrics} shows them to OpenSearch's telemetry.
 */
package org.opensearch.simhash.desk.metrics;

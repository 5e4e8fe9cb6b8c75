/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the nodes did since their start: {@code StatsAction} asks them for {@code NodeCounts} as JSON, {@code MetricsAction} for
 * {@code NodeMetrics} as text for Prometheus, which {@code MetricsText} joins. OpenSearch's telemetry has them, too.
 */
package org.opensearch.simhash.desk.metrics;

/* SPDX-License-Identifier: Apache-2.0 */
/** A real Prometheus beside a real node, with the files of {@code config/prometheus} and {@code config/grafana}. */
package org.opensearch.simhash.prometheus;

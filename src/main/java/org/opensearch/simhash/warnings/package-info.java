/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the answer to a request warns of: {@code Warning} headers, each sentence once for a request. Headers travel back with the
 * answer of a node, but where several shards answer, OpenSearch keeps those of the last one only. So warnings are gathered on the
 * node that coordinates the request, and become headers when it answers.
 */
package org.opensearch.simhash.warnings;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code Warning} headers of answers, each sentence once per request. When several shards answer, OpenSearch keeps only
 * the headers of the last. So warnings are collected on the coordinating node, and become headers when it answers.
 */
package org.opensearch.simhash.search.warnings;

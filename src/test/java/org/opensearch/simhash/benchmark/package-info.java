/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What {@code tools/benchmark} runs: searches, load and sizes on real nodes over HTTP, beside the other ways to ask the same.
 * {@link org.opensearch.simhash.benchmark.Benchmark} is the table of contents.
 */
package org.opensearch.simhash.benchmark;

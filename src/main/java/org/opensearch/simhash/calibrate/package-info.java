/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Which distance and which similarity for an index: {@code POST /_plugins/_simhash/calibrate/{index}}. {@code sample} draws documents
 * and pairs, {@code estimate} makes numbers about the whole index of them, and here are the request, the readings of the point in
 * time, and the answer. It runs as a job does, and only reads.
 */
package org.opensearch.simhash.calibrate;

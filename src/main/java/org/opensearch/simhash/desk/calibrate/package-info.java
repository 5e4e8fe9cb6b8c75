/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Suggests a distance and a similarity for an index: {@code POST /_plugins/_simhash/calibrate/{index}}. This package has the request, the
 * readings of the point in time and the answer. {@code sample} draws documents and pairs, {@code estimate} computes numbers about the whole
 * index. {@code Scale} is what differs between fingerprints and sketches. A calibration runs like a job and only reads.
 */
package org.opensearch.simhash.desk.calibrate;

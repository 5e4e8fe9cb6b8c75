/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What people and operators touch, in the order in which they meet it.
 *
 * <pre>
 * door → setup → calibrate → (job) → review → check
 *                                      metrics
 * </pre>
 *
 * <ul>
 *   <li>{@code door}: the pages: the front door, a calibration, the review
 *   <li>{@code setup}: how an index is set up; {@code check}: what is wrong with it, and mends
 *   <li>{@code inspect}: what becomes of a text; which blocks repeat
 *   <li>{@code calibrate}: which distance suits an index
 *   <li>{@code review}: people decide about the groups of a job; {@code runs}: the runs of an archive
 *   <li>{@code metrics}: what the nodes did, as JSON and for Prometheus
 *   <li>{@code release}: whether the plugin fits the OpenSearch that runs it
 * </ul>
 *
 * <p>{@code Endpoints} lists what the plugin answers over HTTP. The door: {@code DeskPart} registers all this.
 */
package org.opensearch.simhash.desk;

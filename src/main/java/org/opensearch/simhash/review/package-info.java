/* SPDX-License-Identifier: Apache-2.0 */

/**
 * People look at the groups of a job before anything is done: {@code GET /_plugins/_simhash/review/{dest}}. The page is a resource; it
 * asks for groups ({@code GroupsAction}) and documents and stores decisions ({@code DecideAction}), all with the rights of whoever opens
 * it. {@code ReportAction} makes one file of it. What is decided is done by {@code deduplicate.apply}.
 */
package org.opensearch.simhash.review;

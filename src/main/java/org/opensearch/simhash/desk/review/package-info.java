/* SPDX-License-Identifier: Apache-2.0 */

/**
 * People look at the groups of a job before anything is deleted: {@code GET /_plugins/_simhash/review/{dest}}. The page is a
 * resource. It asks for groups ({@code GroupsAction}) and documents, and stores decisions ({@code DecideAction}), with the rights
 * of its user. {@code jobs.apply} carries out the decisions. {@code RunsAction} lists the runs of an archive.
 */
package org.opensearch.simhash.desk.review;

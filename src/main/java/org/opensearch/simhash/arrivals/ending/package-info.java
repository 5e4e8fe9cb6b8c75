/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Who may end: how near a document must be to another one to be dropped, refused or deleted for it. {@code near_duplicate}, jobs,
 * {@code apply} and the checks of pipelines ask here, and nowhere else.
 *
 * <p>{@code EndRule} has the limits and the rule for one document. {@code Ending} looks at two: their ids, their prints, their texts.
 * {@code Obstacle} says why a document stays. What is stored for certain at that moment is asked elsewhere: {@code decision} for
 * arrivals, {@code removal} for jobs.
 */
package org.opensearch.simhash.arrivals.ending;

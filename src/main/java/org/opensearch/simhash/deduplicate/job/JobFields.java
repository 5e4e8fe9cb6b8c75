/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.search.sort.SortBuilder;

/**
 * What the indices of a job make of the fields that it names.
 *
 * @param indices that have what the job looks for: fingerprints, or any documents where candidates are given; ascending
 * @param survivor sorts by the survivor's fields but {@code _id}, in their order
 * @param same where each of these indices has doc values, and how they are told apart; only where candidates are given
 */
public record JobFields(List<String> indices, List<SortBuilder<?>> survivor, List<FieldAndFormat> same) {}

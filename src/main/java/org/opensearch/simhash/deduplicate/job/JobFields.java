/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.job;

import java.util.List;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.search.sort.SortBuilder;

/**
 * How the indices of a job map the fields that it names.
 *
 * @param indices with fingerprints, or with any documents if candidates are given; ascending
 * @param survivor sorts by the survivor fields, without {@code _id}
 * @param same doc values of fields that must be equal; empty where fingerprints are compared
 * @param conditions doc values of the fields of the other conditions on a pair
 */
public record JobFields(
        List<String> indices,
        List<SortBuilder<?>> survivor,
        List<FieldAndFormat> same,
        List<FieldAndFormat> conditions) {}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.opensearch.simhash.core.join.Linkage.Group;

/** What users see of a group, by the names of fields. What is not known is left out. */
public final class GroupReport {

    private GroupReport() {}

    public static Map<String, Object> of(Group group, DocumentTable table, int limit) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("survivor", place(group.survivor(), table));
        report.putAll(measures(group));
        report.put(
                "members",
                IntStream.range(0, Math.min(limit, group.members().length))
                        .mapToObj(i -> member(group, i, table))
                        .toList());
        return report;
    }

    /** By rank. */
    public static Map<String, Object> place(int document, DocumentTable table) {
        Map<String, Object> place = new LinkedHashMap<>();
        place.put("index", table.indexOf(document));
        place.put("id", table.id(document));
        return place;
    }

    /** A duplicate with its similarity to the survivor, or in a chain to the next document on the way to it. */
    public static Map<String, Object> member(Group group, int i, DocumentTable table) {
        Map<String, Object> member = place(group.members()[i], table);
        if (group.distances()[i] >= 0) {
            member.put("distance", (int) group.distances()[i]);
        }
        if (Double.isNaN(group.similarities()[i]) == false) {
            member.put("similarity", group.similarities()[i]);
        }
        return member;
    }

    /** Its size, and what is known of all members. */
    public static Map<String, Object> measures(Group group) {
        Map<String, Object> measures = new LinkedHashMap<>();
        measures.put("size", group.size());
        int largest = -1;
        for (byte distance : group.distances()) {
            largest = Math.max(largest, distance);
        }
        if (largest >= 0) {
            measures.put("largest_distance", largest);
        }
        Arrays.stream(group.similarities())
                .filter(similarity -> Double.isNaN(similarity) == false)
                .min()
                .ifPresent(lowest -> measures.put("lowest_similarity", lowest));
        return measures;
    }
}

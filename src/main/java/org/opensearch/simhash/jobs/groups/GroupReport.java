/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.groups;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.simhash.core.join.Linkage.Group;

/**
 * A group for users.
 *
 * @param index of the survivor
 * @param id of the survivor
 * @param size survivor included
 * @param largestDistance of all members, in bits; negative if unknown
 * @param lowestSimilarity of all members; NaN without verification
 * @param members without the survivor; examples may have fewer
 */
public record GroupReport(
        String index, String id, int size, int largestDistance, double lowestSimilarity, List<Member> members)
        implements ToXContentObject {

    /**
     * A duplicate.
     *
     * @param distance bits; negative if unknown
     * @param similarity to the survivor, or in a chain to the next document on the way to it; NaN without verification
     */
    public record Member(String index, String id, int distance, double similarity) implements ToXContentObject {

        @Override
        public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
            builder.startObject();
            fields(builder);
            return builder.endObject();
        }

        /** Writes the fields without braces. */
        public void fields(XContentBuilder builder) throws IOException {
            builder.field("index", index);
            builder.field("id", id);
            if (distance >= 0) {
                builder.field("distance", distance);
            }
            if (Double.isNaN(similarity) == false) {
                builder.field("similarity", similarity);
            }
        }
    }

    /** A group with at most {@code limit} members. */
    public static GroupReport of(Group group, DocumentTable table, int limit) {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < Math.min(limit, group.members().length); i++) {
            int member = group.members()[i];
            members.add(
                    new Member(table.indexOf(member), table.id(member), group.distances()[i], group.similarities()[i]));
        }
        int largest = -1;
        for (byte distance : group.distances()) {
            largest = Math.max(largest, distance);
        }
        double lowest = Arrays.stream(group.similarities())
                .filter(similarity -> Double.isNaN(similarity) == false)
                .min()
                .orElse(Double.NaN);
        int survivor = group.survivor();
        return new GroupReport(table.indexOf(survivor), table.id(survivor), group.size(), largest, lowest, members);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        builder.startObject();
        builder.startObject("survivor");
        builder.field("index", index);
        builder.field("id", id);
        builder.endObject();
        measures(builder);
        builder.startArray("members");
        for (Member member : members) {
            member.toXContent(builder, params);
        }
        builder.endArray();
        return builder.endObject();
    }

    /** Writes size, distance and similarity. */
    public void measures(XContentBuilder builder) throws IOException {
        builder.field("size", size);
        if (largestDistance >= 0) {
            builder.field("largest_distance", largestDistance);
        }
        if (Double.isNaN(lowestSimilarity) == false) {
            builder.field("lowest_similarity", lowestSimilarity);
        }
    }
}

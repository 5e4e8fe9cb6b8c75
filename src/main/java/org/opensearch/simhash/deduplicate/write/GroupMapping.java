/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** The fields of a group's document and their mapping. */
public final class GroupMapping {

    public static final String RUN = "run";
    public static final String RUN_AT = "run_at";

    /** The id of the document, as the last sort field. */
    public static final String GROUP = "group";

    /** The id of the group in its documents, which stays when its survivor changes. With {@code tag} only. */
    public static final String NAME = "name";

    /** The ids of groups that it has grown together with, and of those that it was a part of. */
    public static final String MERGED_FROM = "merged_from";

    public static final String SPLIT_FROM = "split_from";

    public static final String SURVIVOR = "survivor";
    public static final String MEMBERS = "members";
    public static final String SIZE = "size";
    public static final String LARGEST_DISTANCE = "largest_distance";
    public static final String LOWEST_SIMILARITY = "lowest_similarity";
    public static final String PARAMETERS = "parameters";

    /** A hash of the versions of all its documents. */
    public static final String VERSIONS = "versions";

    /** In the survivor and the members: what the run saw of the text. */
    static final String FINGERPRINT = "fingerprint";

    /** Pairs that people rejected in earlier groups with this survivor. */
    public static final String REJECTED_PAIRS = "rejected_pairs";

    /** The last {@code apply} of the group. */
    public static final String APPLIED_AT = "applied_at";

    public static final String APPLIED_ACTION = "applied_action";

    public static final String DECISION_NAME = "decision";
    public static final String ACCEPTED = "accepted";

    /** A decision about the whole group; {@link #REJECTED} names single members. */
    public static final String REJECTED_GROUP = "rejected";

    public static final String SKIPPED = "skipped";
    public static final String DECIDED_BY = "decided_by";
    public static final String DECIDED_AT = "decided_at";
    public static final String REJECTED = "rejected";
    public static final String CHOSEN_SURVIVOR = "chosen_survivor";

    /** What the last run of {@code "new_since": "last"} saw: in a document that is no group. */
    public static final String LAST_RUN = "last_run";

    /** A decision about other versions of the documents. */
    public static final String EARLIER = "earlier_decision";

    /** The fields of a decision, which a run keeps for unchanged groups, and those that show a change. */
    static final List<String> DECISION = List.of(
            DECISION_NAME, DECIDED_BY, DECIDED_AT, REJECTED, CHOSEN_SURVIVOR, EARLIER, REJECTED_PAIRS, VERSIONS, RUN);

    private static final Map<String, Object> LONG = Map.of("type", "long", "index", false, "doc_values", false);
    private static final Map<String, Object> KEPT = Map.of("type", "keyword", "index", false, "doc_values", false);

    private GroupMapping() {}

    /** The address of the page on which people review groups, without the host. */
    public static String page(String dest) {
        return "/_plugins/_simhash/review/" + URLEncoder.encode(dest, StandardCharsets.UTF_8);
    }

    /** The usual {@code dest} for indices, aliases or patterns with commas between them. */
    public static String usualDest(String names) {
        String name = names.replaceAll("[*,<>{}\\\\/|\"? #:]+", "-").replaceAll("^[-._+]+|-+$", "");
        name = name.toLowerCase(Locale.ROOT); // An alias may have capitals, an index may not.
        return "groups-" + (name.isEmpty() ? "all" : name);
    }

    private static Map<String, Object> document() {
        Map<String, Object> fields = new HashMap<>();
        fields.put("index", JobIndex.KEYWORD);
        fields.put("id", JobIndex.KEYWORD);
        fields.put("routing", KEPT);
        fields.put("index_uuid", KEPT);
        fields.put("seq_no", LONG);
        fields.put("primary_term", LONG);
        fields.put(FINGERPRINT, KEPT);
        return fields;
    }

    private static Map<String, Object> pair() {
        Map<String, Object> fields = new HashMap<>();
        fields.put("field", JobIndex.KEYWORD);
        fields.put("member", Map.of("properties", document()));
        fields.put("survivor", Map.of("properties", document()));
        fields.put(DECISION_NAME, JobIndex.KEYWORD);
        fields.put(DECIDED_BY, JobIndex.KEYWORD);
        fields.put(DECIDED_AT, Map.of("type", "date"));
        fields.put(RUN, JobIndex.KEYWORD);
        return fields;
    }

    private static Map<String, Object> fields() {
        Map<String, Object> member = document();
        member.put("distance", Map.of("type", "integer"));
        member.put("similarity", Map.of("type", "double"));
        Map<String, Object> fields = new HashMap<>();
        fields.put(RUN, JobIndex.KEYWORD);
        fields.put(RUN_AT, Map.of("type", "date"));
        fields.put(GROUP, JobIndex.KEYWORD);
        fields.put(NAME, JobIndex.KEYWORD);
        fields.put(MERGED_FROM, JobIndex.KEYWORD);
        fields.put(SPLIT_FROM, JobIndex.KEYWORD);
        fields.put(SURVIVOR, Map.of("properties", document()));
        fields.put(SIZE, Map.of("type", "integer"));
        fields.put(LARGEST_DISTANCE, Map.of("type", "integer"));
        fields.put(LOWEST_SIMILARITY, Map.of("type", "double"));
        fields.put(MEMBERS, Map.of("properties", member));
        fields.put(PARAMETERS, Map.of("type", "object", "enabled", false));
        fields.put(VERSIONS, KEPT);
        fields.put(DECISION_NAME, JobIndex.KEYWORD);
        fields.put(DECIDED_BY, JobIndex.KEYWORD);
        fields.put(DECIDED_AT, Map.of("type", "date"));
        fields.put(REJECTED, JobIndex.KEYWORD);
        fields.put(
                CHOSEN_SURVIVOR,
                Map.of("properties", Map.of("index", JobIndex.KEYWORD, "id", JobIndex.KEYWORD, "routing", KEPT)));
        fields.put(EARLIER, Map.of("type", "object", "enabled", false));
        fields.put(REJECTED_PAIRS, Map.of("properties", pair()));
        fields.put(APPLIED_AT, Map.of("type", "date"));
        fields.put(APPLIED_ACTION, JobIndex.KEYWORD);
        fields.put(LAST_RUN, Map.of("type", "object", "enabled", false));
        return fields;
    }

    /** Creates the index, or maps what an existing one lacks. Blocks its thread. */
    static void complete(Client client, ClusterState state, String name) {
        IndexAbstraction found = state.metadata().getIndicesLookup().get(name);
        if (found == null) {
            JobIndex.create(client, name, Settings.EMPTY, Map.of("properties", fields()));
            return;
        }
        IndexMetadata written = found.getWriteIndex();
        Map<String, Object> missing = written == null ? Map.of() : missing(new IndexMapping(written), "", fields());
        if (missing.isEmpty() == false) {
            client.admin()
                    .indices()
                    .preparePutMapping(written.getIndex().getName())
                    .setSource(Map.of("properties", missing))
                    .get();
        }
    }

    private static Map<String, Object> missing(IndexMapping mapping, String above, Map<String, Object> fields) {
        Map<String, Object> missing = new HashMap<>();
        fields.forEach((name, definition) -> {
            String path = above + name;
            if (mapping.maps(path) == false) {
                missing.put(name, definition);
            } else if (mapping.isObject(path) && below(definition) != null) {
                Map<String, Object> parts = missing(mapping, path + ".", below(definition));
                if (parts.isEmpty() == false) {
                    Map<String, Object> object = new HashMap<>(Map.of("properties", parts));
                    Object type = mapping.definition(path).get("type");
                    if (type != null) {
                        object.put("type", type);
                    }
                    missing.put(name, object);
                }
            }
        });
        return missing;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> below(Object definition) {
        return (Map<String, Object>) ((Map<?, ?>) definition).get("properties");
    }

    /**
     * Refuses indices without reviewable groups.
     *
     * @param dest names of indices
     * @throws IllegalArgumentException naming what is missing
     */
    public static void require(ClusterState state, Collection<String> dest) {
        for (String name : dest) {
            IndexMetadata index = state.metadata().index(name);
            if (index != null) {
                require(name, new IndexMapping(index));
            }
        }
    }

    private static void require(String name, IndexMapping mapping) {
        for (String path : List.of(RUN, SURVIVOR + ".id", MEMBERS + ".id")) {
            if (mapping.maps(path) == false) {
                throw new IllegalArgumentException("[dest] must be an index that a job wrote its groups into, got: "
                        + name + ", which does not map [" + path + "]");
            }
        }
        for (String path : List.of(GROUP, RUN_AT, MEMBERS + ".seq_no", DECISION_NAME)) {
            if (mapping.maps(path) == false) {
                throw new IllegalArgumentException("[dest] must have groups of this version of the plugin, got: " + name
                        + ", which does not map [" + path + "]: run the job again into another index");
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.write;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.search.query.IndexMapping;
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

    /** A hash of the ids and texts of all its documents. */
    public static final String VERSIONS = "versions";

    /** In the survivor and the members: what the run saw of the text. */
    public static final String FINGERPRINT = "fingerprint";

    /** Pairs that people rejected in earlier groups with this survivor. */
    public static final String REJECTED_PAIRS = "rejected_pairs";

    /** Pairs of decisions that were replaced by others, or taken back. */
    public static final String TAKEN_BACK = "taken_back";

    public static final List<String> KEPT_PAIRS = List.of(REJECTED_PAIRS, TAKEN_BACK);

    /** The last {@code apply} of the group. */
    public static final String APPLIED_AT = "applied_at";

    public static final String APPLIED_ACTION = "applied_action";

    /** Where its copies of what it changed are: there a restore says that it took place. */
    public static final String APPLIED_ARCHIVE = "applied_archive";

    public static final String DECISION_NAME = "decision";
    public static final String ACCEPTED = "accepted";

    /** A decision about the whole group; {@link #REJECTED} names single members. */
    public static final String REJECTED_GROUP = "rejected";

    public static final String SKIPPED = "skipped";
    public static final List<String> DECISIONS = List.of(ACCEPTED, REJECTED_GROUP, SKIPPED);

    public static final String DECIDED_BY = "decided_by";
    public static final String DECIDED_AT = "decided_at";
    public static final String REJECTED = "rejected";
    public static final String CHOSEN_SURVIVOR = "chosen_survivor";

    /** When somebody decided who had seen documents of the group: the request named them. */
    public static final String SEEN_AT = "seen_at";

    /** What somebody says of an accepted group of a sample, whatever is decided then. */
    public static final String JUDGED = "judged";

    public static final String RIGHT = "right";
    public static final String WRONG = "wrong";
    public static final String JUDGED_BY = "judged_by";
    public static final String JUDGED_AT = "judged_at";

    /** All decisions and judgements, the last one at the end. */
    public static final String HISTORY = "history";

    /** Who has taken the group to decide it, and until when others leave it alone. */
    public static final String CLAIMED_BY = "claimed_by";

    public static final String CLAIMED_UNTIL = "claimed_until";

    /** The request that decided about the group and others that it found, and what was decided before. */
    public static final String DECIDED_IN = "decided_in";

    public static final String BEFORE = "before";

    /** Short values of its documents, each behind the name of its field and a colon. */
    public static final String COLUMNS = "columns";

    /** The same values as words to search. */
    public static final String WORDS = "words";

    public static final List<String> REJECTING = List.of(DECISION_NAME, REJECTED, CHOSEN_SURVIVOR);

    /** What the last run of {@code "new_since": "last"} saw: in a document that is no group. */
    public static final String LAST_RUN = "last_run";

    /** Links of a run, in documents that are no groups, and the number of such a document. */
    public static final String PAIRS = "pairs";

    public static final String PAGE = "page";

    /** A decision about other versions of the documents. */
    public static final String EARLIER = "earlier_decision";

    /** What an earlier decision says: nobody can take it back. */
    static final List<String> OF_EARLIER = Stream.of(
                    REJECTING, List.of(DECIDED_BY, DECIDED_AT, SEEN_AT, JUDGED, JUDGED_BY, JUDGED_AT, RUN))
            .flatMap(List::stream)
            .toList();

    /** What stays whatever becomes of the documents of a group. */
    static final List<String> OF_PEOPLE = List.of(HISTORY, CLAIMED_BY, CLAIMED_UNTIL, TAKEN_BACK);

    /** The fields of a decision, which a run keeps for unchanged groups, and those that show a change. */
    static final List<String> DECISION = Stream.of(
                    OF_EARLIER, OF_PEOPLE, List.of(DECIDED_IN, BEFORE, EARLIER, REJECTED_PAIRS, VERSIONS))
            .flatMap(List::stream)
            .toList();

    private static final Map<String, Object> LONG = Map.of("type", "long", "index", false, "doc_values", false);
    private static final Map<String, Object> DATE = Map.of("type", "date");
    private static final Map<String, Object> INTEGER = Map.of("type", "integer");
    private static final Map<String, Object> DOUBLE = Map.of("type", "double");
    private static final Map<String, Object> KEPT = Map.of("type", "keyword", "index", false, "doc_values", false);

    private GroupMapping() {}

    public static BoolQueryBuilder ofRun(String run) {
        return QueryBuilders.boolQuery()
                .filter(JobQuery.whole(RUN, List.of(run)))
                .filter(JobQuery.exists(GROUP));
    }

    /** The members of a stored group, without its survivor. */
    public static List<?> members(Map<String, Object> group) {
        return group.get(MEMBERS) instanceof List<?> members ? members : List.of();
    }

    /** Ids of rejected members. A group may have a hundred thousand, so they are looked up by hash. */
    public static Set<?> rejected(Map<String, Object> group) {
        Object rejected = group.get(REJECTED);
        // One value and a list of it are the same to OpenSearch.
        return new HashSet<>(rejected instanceof List<?> several ? several : Arrays.asList(rejected));
    }

    /** What is taken back in a group once somebody decides about it anew. */
    public static List<?> takenBack(Map<String, Object> group) {
        return RejectedPair.withKept(TAKEN_BACK, group, RejectedPair.decidedIn(group)).stream()
                .distinct()
                .map(RejectedPair::asMap)
                .toList();
    }

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
        map(JobIndex.KEYWORD, fields, "index", "id");
        map(KEPT, fields, "routing", "index_uuid", FINGERPRINT);
        map(LONG, fields, "seq_no", "primary_term");
        return fields;
    }

    private static Map<String, Object> pair() {
        Map<String, Object> fields = new HashMap<>();
        map(JobIndex.KEYWORD, fields, "field", DECISION_NAME, DECIDED_BY, RUN);
        map(Map.of("properties", document()), fields, "member", "survivor");
        map(DATE, fields, DECIDED_AT);
        return fields;
    }

    private static Map<String, Object> fields() {
        Map<String, Object> member = document();
        map(INTEGER, member, "distance");
        map(DOUBLE, member, "similarity");
        Map<String, Object> chosen = Map.of("index", JobIndex.KEYWORD, "id", JobIndex.KEYWORD, "routing", KEPT);
        Map<String, Object> fields = new HashMap<>();
        map(JobIndex.KEYWORD, fields, RUN, GROUP, NAME, MERGED_FROM, SPLIT_FROM, DECISION_NAME, DECIDED_BY, REJECTED);
        map(JobIndex.KEYWORD, fields, APPLIED_ACTION, APPLIED_ARCHIVE, JUDGED, JUDGED_BY, CLAIMED_BY);
        map(JobIndex.KEYWORD, fields, COLUMNS, DECIDED_IN);
        map(Map.of("type", "text"), fields, WORDS);
        map(DATE, fields, RUN_AT, DECIDED_AT, APPLIED_AT, SEEN_AT, JUDGED_AT, CLAIMED_UNTIL);
        map(INTEGER, fields, SIZE, LARGEST_DISTANCE, PAGE);
        map(DOUBLE, fields, LOWEST_SIMILARITY);
        map(KEPT, fields, VERSIONS);
        map(Map.of("type", "object", "enabled", false), fields, PARAMETERS, EARLIER, LAST_RUN, PAIRS, HISTORY, BEFORE);
        map(Map.of("properties", document()), fields, SURVIVOR);
        map(Map.of("properties", member), fields, MEMBERS);
        map(Map.of("properties", chosen), fields, CHOSEN_SURVIVOR);
        map(Map.of("properties", pair()), fields, REJECTED_PAIRS, TAKEN_BACK);
        return fields;
    }

    private static void map(Map<String, Object> definition, Map<String, Object> fields, String... names) {
        Stream.of(names).forEach(name -> fields.put(name, definition));
    }

    /** Creates the index, or maps what an existing one lacks. Blocks its thread. */
    public static void complete(Client client, ClusterState state, String name) {
        IndexAbstraction found = state.metadata().getIndicesLookup().get(name);
        if (found == null) {
            JobIndex.create(client, name, Settings.EMPTY, Map.of("properties", fields()));
            return;
        }
        if (found.getWriteIndex() != null) {
            JobIndex.complete(client, found.getWriteIndex(), fields());
        }
    }

    /** Refuses indices without reviewable groups. */
    public static void require(ClusterState state, Collection<String> dest) {
        for (String name : dest) {
            IndexMetadata index = state.metadata().index(name);
            if (index != null) {
                require(name, new IndexMapping(index));
            }
        }
    }

    private static void require(String name, IndexMapping mapping) {
        for (String path :
                List.of(RUN, SURVIVOR + ".id", MEMBERS + ".id", GROUP, RUN_AT, MEMBERS + ".seq_no", DECISION_NAME)) {
            if (mapping.maps(path) == false) {
                throw new IllegalArgumentException("[dest] must be an index that a job wrote its groups into, got: "
                        + name + ", which does not map [" + path + "]");
            }
        }
    }
}

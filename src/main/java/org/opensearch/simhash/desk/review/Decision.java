/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.simhash.jobs.write.GroupMapping;

/**
 * A decision about one version of a group.
 *
 * @param index that stores the group
 * @param decision {@code accepted}, {@code rejected} or {@code skipped}; null takes a decision back
 * @param rejected ids of members that are no duplicates
 * @param survivor the place of the document that stays; null for that of the job
 * @param seen ids of documents of which the text was seen
 * @param judgement whether an accepted group of a sample is right, in place of a decision: {@code right}, {@code wrong}, or empty to
 *     take it back; null for a decision
 * @param note why; null without one
 * @param in the request that has found the group; null if it was named
 * @param take whether somebody else may have taken the group to decide it
 */
record Decision(
        String index,
        String group,
        long sequenceNumber,
        long primaryTerm,
        String decision,
        List<String> rejected,
        Map<String, Object> survivor,
        List<String> seen,
        String judgement,
        String note,
        String in,
        boolean take) {

    private static final int MOST = 1_000;

    /** In a group: the oldest ones go. */
    static final int MOST_OF_HISTORY = 100;

    /** In a decision of the history. */
    private static final int MOST_IDS = 100;

    private static final int LONGEST_NOTE = 1_000;

    static final List<String> PLACE = List.of("index", "id", "routing");
    private static final List<String> DECIDED = List.of(GroupMapping.DECIDED_BY, GroupMapping.DECIDED_AT);

    Decision {
        if (decision != null && GroupMapping.DECISIONS.contains(decision) == false) {
            throw new IllegalArgumentException(
                    "[decision] must be one of " + GroupMapping.DECISIONS + " or null, got: " + decision);
        }
        if (judgement != null
                && List.of(GroupMapping.RIGHT, GroupMapping.WRONG, "").contains(judgement) == false) {
            throw new IllegalArgumentException("[judged] must be one of [right, wrong] or null, got: " + judgement);
        }
        if (note != null && note.length() > LONGEST_NOTE) {
            throw new IllegalArgumentException(
                    "[note] must have at most " + LONGEST_NOTE + " characters, got: " + note.length());
        }
        if (seen.size() > MOST) {
            throw new IllegalArgumentException("[seen] must be at most " + MOST + " ids, got: " + seen.size());
        }
    }

    static Map<String, Object> object(XContentParser parser) throws IOException {
        if (parser.nextToken() != Token.START_OBJECT) {
            throw new IllegalArgumentException("the body must be one object, got: " + parser.currentToken());
        }
        return parser.map();
    }

    @SuppressWarnings("unchecked") // from JSON
    static List<Decision> many(Map<String, Object> body) {
        boolean areObjects = body.size() == 1
                && body.get("decisions") instanceof List<?> list
                && list.stream().allMatch(Map.class::isInstance);
        if (areObjects == false) {
            throw new IllegalArgumentException(
                    "[decisions] must be a list of decisions, and the only option, got: " + shown(body));
        }
        List<Map<String, Object>> typed = (List<Map<String, Object>>) body.get("decisions");
        if (typed.isEmpty() || typed.size() > MOST) {
            throw new IllegalArgumentException(
                    "[decisions] must be between 1 and " + MOST + " decisions, got: " + typed.size());
        }
        return typed.stream().map(one -> of(one, null)).toList();
    }

    static Decision of(Map<String, Object> typed, String in) {
        TreeSet<String> unknown = new TreeSet<>(typed.keySet());
        unknown.removeAll(List.of("index", "group", "if_seq_no", "if_primary_term", "seen", "note", "take", "judged"));
        unknown.removeAll(GroupMapping.REJECTING);
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException("unknown option [" + unknown.first() + "]");
        }
        boolean isJudgement = typed.containsKey(GroupMapping.JUDGED);
        if (isJudgement && typed.size() > (typed.containsKey("note") ? 6 : 5)) {
            throw new IllegalArgumentException("[judged] must stand without a decision, got: " + shown(typed.keySet()));
        }
        return new Decision(
                string(typed, "index"),
                string(typed, "group"),
                number(typed, "if_seq_no"),
                number(typed, "if_primary_term"),
                typed.get("decision") == null ? null : string(typed, "decision"),
                ids("rejected", typed),
                place(typed.get(GroupMapping.CHOSEN_SURVIVOR)),
                ids("seen", typed),
                isJudgement ? Objects.toString(typed.get(GroupMapping.JUDGED), "") : null,
                typed.get("note") == null ? null : string(typed, "note"),
                in,
                flag(typed, "take"));
    }

    /** False without it: what only a true value does is done for nothing that looks like one. */
    static boolean flag(Map<String, Object> typed, String option) {
        Object value = typed.getOrDefault(option, false);
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new IllegalArgumentException("[" + option + "] must be true or false, got: " + shown(value));
    }

    /** Fails if somebody else has taken the group, unless this is known. */
    void requireFree(Map<String, Object> stored, String by) {
        Object until = stored.get(GroupMapping.CLAIMED_UNTIL);
        Object other = stored.get(GroupMapping.CLAIMED_BY);
        boolean isOfOthers = take == false && judgement == null && Objects.equals(other, by) == false;
        if (isOfOthers && isToCome(until)) {
            throw new OpenSearchStatusException(
                    "[group] " + group + " is taken by [" + (other == null ? "somebody" : other) + "] until " + until
                            + ": wait, or decide it with [take] true",
                    RestStatus.CONFLICT);
        }
    }

    /** Whatever a program wrote into a group, the others are decided: what is no time is none to come. */
    private static boolean isToCome(Object time) {
        try {
            return Instant.parse(String.valueOf(time)).isAfter(Instant.now());
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    static String string(Map<String, Object> typed, String option) {
        if (typed.get(option) instanceof String value) {
            return value;
        }
        throw new IllegalArgumentException("[" + option + "] must be a string, got: " + shown(typed.get(option)));
    }

    private static String shown(Object typed) {
        return TypedNumber.shown(String.valueOf(typed));
    }

    private static long number(Map<String, Object> typed, String option) {
        Object value = typed.get(option);
        boolean isWhole = value instanceof Integer || value instanceof Long;
        if (isWhole && ((Number) value).longValue() >= 0) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException("[" + option + "] must be a whole number, got: " + shown(value));
    }

    private static List<String> ids(String option, Map<String, Object> body) {
        Object typed = body.get(option);
        List<String> ids = new ArrayList<>();
        for (Object id : typed == null ? List.of() : typed instanceof List<?> list ? list : List.of(typed)) {
            if (id instanceof String == false) {
                throw new IllegalArgumentException("[" + option + "] must be a list of ids, got: " + shown(typed));
            }
            ids.add((String) id);
        }
        return List.copyOf(ids);
    }

    private static Map<String, Object> place(Object typed) {
        if (typed == null) {
            return null;
        }
        boolean isPlace = typed instanceof Map<?, ?> map
                && map.get("index") instanceof String
                && map.get("id") instanceof String
                && (map.get("routing") == null || map.get("routing") instanceof String)
                && PLACE.containsAll(map.keySet());
        if (isPlace == false) {
            throw new IllegalArgumentException("[" + GroupMapping.CHOSEN_SURVIVOR
                    + "] must be an object with [index] and [id], and [routing] where there is one, got: "
                    + shown(typed));
        }
        Map<String, Object> place = new HashMap<>();
        ((Map<?, ?>) typed).forEach((name, value) -> place.put((String) name, value));
        return place;
    }

    /** Fails if it names documents that are not in the group. */
    void requireIn(Map<String, Object> stored) {
        List<Map<?, ?>> documents = documents(stored);
        if (survivor != null && documents.stream().noneMatch(document -> isAt(document, survivor))) {
            throw new IllegalArgumentException(
                    "[" + GroupMapping.CHOSEN_SURVIVOR + "] must be a document of the group, got: " + survivor);
        }
        // Other documents may have the id of the survivor, in other indices.
        TreeSet<String> unknown = new TreeSet<>(rejected);
        Stream<Map<?, ?>> members = survivor == null
                ? documents.stream().skip(1)
                : documents.stream().filter(document -> isAt(document, survivor) == false);
        members.forEach(member -> unknown.remove(String.valueOf(member.get("id"))));
        TreeSet<String> unseen = new TreeSet<>(seen);
        documents.forEach(document -> unseen.remove(String.valueOf(document.get("id"))));
        if (unseen.isEmpty() == false) {
            throw new IllegalArgumentException("[seen] must be ids of documents of the group, got: " + unseen.first());
        }
        if (unknown.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[rejected] must be ids of members of the group other than its survivor, got: " + unknown.first());
        }
    }

    /** Whether a document of a group is where another place says. */
    static boolean isAt(Map<?, ?> document, Map<?, ?> place) {
        return PLACE.stream().allMatch(name -> Objects.equals(document.get(name), place.get(name)));
    }

    /** The request that stores the group with the decision. */
    IndexRequest request(Map<String, Object> stored, String by, String at) {
        Map<String, Object> decided = new LinkedHashMap<>(stored);
        if (judgement == null) {
            decide(stored, decided, by, at);
        } else {
            String judged = judgement.isEmpty() ? null : judgement;
            put(decided, GroupMapping.JUDGED, judged);
            put(decided, GroupMapping.JUDGED_BY, judged == null ? null : by);
            put(decided, GroupMapping.JUDGED_AT, judged == null ? null : at);
        }
        List<Object> history = history(stored, by, at);
        put(decided, GroupMapping.HISTORY, history.isEmpty() ? null : history);
        return BulkWrites.asItIs(new IndexRequest(index)
                .id(group)
                .source(decided, XContentType.JSON)
                .setIfSeqNo(sequenceNumber)
                .setIfPrimaryTerm(primaryTerm));
    }

    private List<Object> history(Map<String, Object> stored, String by, String at) {
        List<Object> history =
                new ArrayList<>(stored.get(GroupMapping.HISTORY) instanceof List<?> list ? list : List.of());
        Map<?, ?> last = history.stream()
                .map(entry -> entry instanceof Map<?, ?> map ? map : Map.of())
                .filter(entry -> entry.containsKey(GroupMapping.DECISION_NAME))
                .reduce(Map.of(), (before, entry) -> entry);
        Map<String, Object> there = new LinkedHashMap<>(stored);
        there.keySet().removeIf(name -> (GroupMapping.REJECTING.contains(name) || DECIDED.contains(name)) == false);
        Object apart = there.get(GroupMapping.REJECTED);
        putSome(there, GroupMapping.REJECTED, apart instanceof List<?> list ? list : Arrays.asList(apart));
        if (last.entrySet().containsAll(there.entrySet()) == false) {
            history.add(there); // Of a program that wrote it into the document.
        }
        boolean isNothing = decision == null && judgement == null && note == null && survivor == null;
        if (isNothing && rejected.isEmpty() && there.isEmpty()) {
            return history; // The end of a claim.
        }
        Map<String, Object> now = new LinkedHashMap<>();
        now.put(
                judgement == null ? GroupMapping.DECISION_NAME : GroupMapping.JUDGED,
                judgement == null ? decision : judgement.isEmpty() ? null : judgement);
        put(now, GroupMapping.DECIDED_BY, by);
        now.put(GroupMapping.DECIDED_AT, at);
        put(now, "note", note);
        putSome(now, GroupMapping.REJECTED, rejected);
        put(now, GroupMapping.CHOSEN_SURVIVOR, survivor);
        Set<String> ids = Set.copyOf(seen);
        putSome(
                now,
                "seen",
                documents(stored).stream()
                        .filter(document -> ids.contains(document.get("id")))
                        .map(document -> document.get(GroupMapping.FINGERPRINT))
                        .distinct()
                        .toList());
        history.add(now);
        return history.subList(Math.max(0, history.size() - MOST_OF_HISTORY), history.size());
    }

    private static void putSome(Map<String, Object> entry, String field, Collection<?> values) {
        List<?> some = values.stream().filter(Objects::nonNull).limit(MOST_IDS).toList();
        put(entry, field, some.isEmpty() ? null : some);
    }

    private static List<Map<?, ?>> documents(Map<String, Object> stored) {
        List<Map<?, ?>> documents = new ArrayList<>();
        if (stored.get(GroupMapping.SURVIVOR) instanceof Map<?, ?> first) {
            documents.add(first);
        }
        GroupMapping.members(stored).forEach(member -> documents.add(member instanceof Map<?, ?> map ? map : Map.of()));
        return documents;
    }

    private void decide(Map<String, Object> stored, Map<String, Object> decided, String by, String at) {
        Map<String, Object> before = new HashMap<>(stored);
        before.keySet().retainAll(GroupMapping.REJECTING);
        List<?> takenBack = GroupMapping.takenBack(stored);
        put(decided, GroupMapping.TAKEN_BACK, takenBack.isEmpty() ? null : takenBack);
        put(decided, GroupMapping.BEFORE, in == null ? null : before);
        put(decided, GroupMapping.DECIDED_IN, in);
        put(decided, GroupMapping.DECISION_NAME, decision);
        put(decided, GroupMapping.DECIDED_BY, decision == null ? null : by);
        put(decided, GroupMapping.DECIDED_AT, decision == null ? null : at);
        put(decided, GroupMapping.REJECTED, rejected.isEmpty() ? null : rejected);
        put(decided, GroupMapping.CHOSEN_SURVIVOR, survivor);
        decided.remove(GroupMapping.CLAIMED_BY);
        decided.remove(GroupMapping.CLAIMED_UNTIL);
        if (seen.isEmpty() == false) {
            decided.put(GroupMapping.SEEN_AT, at);
        }
    }

    private static void put(Map<String, Object> group, String field, Object value) {
        if (value == null) {
            group.remove(field);
        } else {
            group.put(field, value);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.AbstractQueryBuilder;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.VerifyOptions;

/**
 * The options of a job.
 *
 * @param newSince selects new documents, if only their groups are wanted; or null
 * @param sinceLast whether the new documents are those changed since the last such run into {@code dest}
 * @param against the only documents to link those of the path with, which are not changed; or null
 * @param minSimilarity least estimated similarity of sketches; null if fingerprints are compared
 * @param passages what texts must share if passages are compared; null if they are not
 * @param maxOwnWords most words in a row that a deleted document may have and its survivor not; {@link OwnWords#UNLIMITED}
 */
public record DeduplicateOptions(
        String field,
        QueryBuilder query,
        int maxDistance,
        Verification verify,
        PairConditions conditions,
        Linkage linkage,
        int maxGroupSize,
        List<SurvivorField> survivor,
        Action action,
        String dest,
        boolean pairs,
        String archive,
        boolean withoutArchive,
        QueryBuilder newSince,
        boolean sinceLast,
        CandidateLog candidates,
        Against against,
        Double minSimilarity,
        PassageRule passages,
        int maxOwnWords,
        boolean shortTexts,
        boolean sameId,
        Groups groups,
        String sizeField,
        List<String> merge) {

    /** Of fingerprints of 64 bits. */
    public static final int MAX_DISTANCE = MaxDistance.MOST_OF_JOBS;

    public static final int MAX_LONG_DISTANCE = 64;

    /** A group is one document of {@code dest}: some megabytes of JSON. */
    static final int MAX_GROUP_SIZE = 100_000;

    private static final int MOST_MERGED = 32;

    /** Each page of a scan is sorted by all of them. */
    private static final int MOST_SORTED = 32;

    private static final int MOST_STRIPPED = 100;

    private static final int QUERY_CHARACTERS = 2_000;

    /** {@code SURVIVOR}: each duplicate is linked with the survivor. {@code CHAIN}: links connect the group. */
    public enum Linkage {
        SURVIVOR,
        CHAIN
    }

    public enum Action {
        REPORT,
        TAG,
        DELETE
    }

    /** {@code ALL}: a document without duplicates is a group of its own. */
    public enum Groups {
        DUPLICATES,
        ALL
    }

    public DeduplicateOptions {
        TypedNumber.requireBetween("max_distance", 0, MAX_LONG_DISTANCE, maxDistance);
        TypedNumber.requireBetween("max_group_size", 2, MAX_GROUP_SIZE, maxGroupSize);
        field = ProcessorOptions.requirePath("[field] must name the fingerprint object", field);
        if (survivor.isEmpty()) {
            throw new IllegalArgumentException("[survivor] must name at least one field, got: []");
        }
        TypedNumber.requireAtMost("[survivor]", MOST_SORTED, "fields", survivor.size());
        TypedNumber.requireAtMost(
                "[strip] of [verify], which each group in [dest] keeps,",
                MOST_STRIPPED,
                "digests, others belong into the pipeline",
                dest == null || verify == null ? 0 : verify.strip().digests().size());
        if (action == Action.DELETE && archive == null && withoutArchive == false) {
            throw new IllegalArgumentException(
                    "[archive] is required with [action] delete: name an index, or say [\"archive\": false] to delete"
                            + " without a copy, got: nothing");
        }
        if (action == Action.REPORT && merge.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[merge] is only allowed with [action] tag or delete, got: " + merge + " with report");
        }
        if (action == Action.TAG && merge.isEmpty() == false && archive == null && withoutArchive == false) {
            throw new IllegalArgumentException("[archive] is required with [merge]: name an index, or say"
                    + " [\"archive\": false] to change survivors without a copy, got: nothing");
        }
        if (action != Action.DELETE && merge.isEmpty() && archive != null) {
            throw new IllegalArgumentException("[archive] is only allowed with [action] delete, or with [merge], got: "
                    + action.name().toLowerCase(Locale.ROOT));
        }
        if (sinceLast && dest == null) {
            throw new IllegalArgumentException(
                    "[dest] is required with [new_since] last, which keeps there what the last run saw, got: nothing");
        }
        if (against != null && (linkage == Linkage.CHAIN || merge.isEmpty() == false || sizeField != null)) {
            throw new IllegalArgumentException("[against] must stand without [linkage] chain, [merge] and [size_field],"
                    + " which would change its documents, got: [linkage] "
                    + linkage.name().toLowerCase(Locale.ROOT) + ", [merge] " + merge + ", [size_field] " + sizeField);
        }
        if (pairs && (dest == null || newSince != null || sinceLast)) {
            throw new IllegalArgumentException(
                    "[pairs] needs [dest], which gets all links, and stands without [new_since],"
                            + " which finds some, got: " + (dest == null ? "no [dest]" : "[new_since]"));
        }
        if (candidates != null && verify == null) {
            throw new IllegalArgumentException("[verify] is required with [candidates], got: nothing");
        }
        if (minSimilarity != null && (minSimilarity > 0 && minSimilarity <= 1) == false) {
            throw new IllegalArgumentException(
                    "[min_similarity] must be greater than 0 and at most 1, got: " + minSimilarity);
        }
        if (candidates != null && (minSimilarity != null || passages != null)) {
            throw new IllegalArgumentException("[candidates] must stand without [sketch] "
                    + (passages == null ? SketchKind.MINHASH : SketchKind.PASSAGES) + ", got: both");
        }
        if (action == Action.DELETE) {
            if (passages != null) {
                throw new IllegalArgumentException(
                        "[action] must be report or tag with [sketch] passages, because a passage that documents share"
                                + " ends none of them, got: delete");
            }
            EndRule.requireSimilarity("delete", verify, minSimilarity);
        }
        EndRule.maxOwnWords(maxOwnWords);
        if (action != Action.TAG && sizeField != null) {
            throw new IllegalArgumentException("[size_field] is only allowed with [action] tag, got: " + sizeField);
        }
        sizeField = outside(field, sizeField);
        survivor = List.copyOf(survivor);
        merge = merged(merge, field, sizeField);
    }

    private static List<String> merged(List<String> names, String object, String sizeField) {
        String rule = "[merge] must be a list of names of fields";
        List<String> fields = names.stream()
                .map(name -> ProcessorOptions.requirePath(rule, name))
                .distinct()
                .toList();
        TypedNumber.requireAtMost("[merge]", MOST_MERGED, "fields", fields.size());
        for (String field : fields) {
            if (field.startsWith("_")) {
                throw new IllegalArgumentException("[merge] must name fields, not metadata, got: " + field);
            }
            for (String reserved : sizeField == null ? List.of(object) : List.of(object, sizeField)) {
                if (ProcessorOptions.isWithin(field, reserved) || ProcessorOptions.isWithin(reserved, field)) {
                    throw new IllegalArgumentException(
                            "[merge] must name fields outside of [" + reserved + "], got: " + field);
                }
            }
        }
        return fields;
    }

    /** Checks a field for sizes. What is inside the fingerprint object is replaced with it. */
    public static String outside(String field, String sizeField) {
        if (sizeField == null) {
            return null;
        }
        String path = ProcessorOptions.requirePath("[size_field] must name a field", sizeField);
        if (ProcessorOptions.isWithin(path, field) || ProcessorOptions.isWithin(field, path)) {
            throw new IllegalArgumentException(
                    "[size_field] must be outside the fingerprint object [" + field + "], got: " + path);
        }
        if (path.startsWith("_")) {
            throw new IllegalArgumentException("[size_field] must be a field, not metadata, got: " + path);
        }
        return path;
    }

    public SketchKind kind() {
        return passages != null ? SketchKind.PASSAGES : minSimilarity == null ? SketchKind.SIMHASH : SketchKind.MINHASH;
    }

    /** Whether links are compared by more than what the index has. */
    public boolean comparesTexts() {
        return verify != null || passages != null;
    }

    /** Fields of {@code same} that divide documents into classes: only documents of one class are compared. */
    public List<String> same() {
        return conditions.classes();
    }

    public EndRule ending() {
        Criteria near = new Criteria(
                kind(), field, maxDistance, minSimilarity == null ? 0 : minSimilarity, verify, passages, conditions);
        return new EndRule(near, maxOwnWords, shortTexts, sameId, candidates != null);
    }

    /** How often a changed document is written: a deleted one with a copy twice. */
    public int writesOfADocument() {
        return action == Action.DELETE && archive != null ? 2 : 1;
    }

    public boolean comparesFingerprints() {
        return candidates == null && kind() == SketchKind.SIMHASH;
    }

    /** Options by the object that is compared where the request names none; null for the usual one. */
    public static Function<String, DeduplicateOptions> named(XContentParser parser) throws IOException {
        Given given = DeduplicateParser.parse(parser);
        return print -> DeduplicateParser.build(given, print);
    }

    /** The parameters of a run, as in its groups. */
    public Map<String, Object> asMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("field", field);
        if (kind() == SketchKind.SIMHASH) {
            map.put("max_distance", maxDistance);
        } else {
            map.put("sketch", kind().toString());
            map.putAll(passages == null ? Map.of("min_similarity", minSimilarity) : passages.asPairs());
        }
        if (verify != null) {
            map.put("verify", VerifyOptions.asMap(verify));
        }
        map.putAll(XContentHelper.convertToMap(JsonXContent.jsonXContent, conditions.format(), true));
        if (sameId) {
            map.put("same_id", "duplicate");
        }
        map.put("linkage", linkage.name().toLowerCase(Locale.ROOT));
        map.put("max_group_size", maxGroupSize);
        map.put(
                "survivor",
                survivor.stream()
                        .map(each -> object(
                                "field", each.field(), "order", each.order().toString()))
                        .toList());
        if (query instanceof MatchAllQueryBuilder == false) {
            map.put("query", shown(query));
        }
        if (candidates != null) {
            map.put(
                    "candidates",
                    object("index", candidates.index, "field", candidates.field, "min_score", candidates.minScore));
        }
        if (against != null) {
            boolean isWhole = against.query instanceof MatchAllQueryBuilder;
            map.put("against", object("index", against.index, "query", isWhole ? null : shown(against.query)));
        }
        return map;
    }

    /** @param fields names and values, in turns; null for no value */
    private static Map<String, Object> object(Object... fields) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            if (fields[i + 1] != null) {
                object.put((String) fields[i], fields[i + 1]);
            }
        }
        return object;
    }

    /** As text, because fields of queries have no common mapping. The whole, or its beginning and its hash: each group has it. */
    private static String shown(QueryBuilder query) {
        String text = query.toString();
        return text.length() <= QUERY_CHARACTERS
                ? text
                : text.substring(0, QUERY_CHARACTERS) + "… of " + text.length() + " characters, SHA-256 "
                        + MessageDigests.toHexString(
                                MessageDigests.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Documents that those of the path are compared with.
     *
     * @param index a name, an alias or a pattern, or several with commas between them
     */
    public record Against(String index, QueryBuilder query) {

        private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("against");

        static {
            declare(PARSER, "index", RequestOptions.string("[index] of [against] must be a string"));
            declare(PARSER, "query", RequestOptions.object("query", AbstractQueryBuilder::parseInnerQueryBuilder));
            PARSER.declareRequiredFieldSet("index");
        }

        static Against parse(XContentParser parser) throws IOException {
            Given given = PARSER.parse(parser, null);
            return new Against(given.get("index", null), given.get("query", QueryBuilders.matchAllQuery()));
        }

        public String[] indices() {
            return Endpoint.names("index] of [against", index);
        }
    }

    /**
     * An index whose documents hold sets of ids to compare.
     *
     * @param field an array of ids, or of objects {@code {id, score}}
     * @param minScore the lowest score of ids that count, or null
     */
    public record CandidateLog(String index, String field, Double minScore) {

        private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("candidates");

        static {
            for (String name : List.of("index", "field")) {
                declare(PARSER, name, RequestOptions.string("[" + name + "] of [candidates] must be a string"));
                PARSER.declareRequiredFieldSet(name);
            }
            declare(PARSER, "min_score", RequestOptions.number("[min_score] must be a number"));
        }

        static CandidateLog parse(XContentParser parser) throws IOException {
            Given given = PARSER.parse(parser, null);
            return new CandidateLog(given.get("index", null), given.get("field", null), given.get("min_score", null));
        }

        public CandidateLog {
            field = ProcessorOptions.requirePath("[field] of [candidates] must be the name of a field", field);
        }
    }
}

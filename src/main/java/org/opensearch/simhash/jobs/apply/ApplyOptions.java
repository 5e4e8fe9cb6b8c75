/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import static org.opensearch.simhash.search.options.RequestOptions.declare;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.arrivals.ending.EndRule;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Against;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.CandidateLog;
import org.opensearch.simhash.jobs.options.DeduplicateParser;
import org.opensearch.simhash.jobs.options.DeduplicateParser.NamedIndex;
import org.opensearch.simhash.jobs.options.SurvivorField;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.VerifyOptions;

/**
 * @param dest index with the groups
 * @param run whose groups
 * @param archive index for copies of deleted documents, or null
 * @param withoutArchive whether the request refuses an archive
 * @param verify the rule for texts; null for that of the run, or none
 * @param isUnverified whether the request refuses to compare texts
 * @param maxOwnWords as for a job
 * @param shortTexts as for a job
 * @param sizeField as for a job; or null
 * @param merge as for a job
 * @param into for documents of indices that the request does not name; or null
 */
record ApplyOptions(
        String dest,
        String run,
        Only only,
        DeduplicateOptions.Action action,
        String archive,
        boolean withoutArchive,
        Verification verify,
        boolean isUnverified,
        int maxOwnWords,
        boolean shortTexts,
        String sizeField,
        List<String> merge,
        String into) {

    enum Only {
        ACCEPTED,
        /** Includes groups that are undecided or skipped. */
        NOT_REJECTED
    }

    private static final class Body {

        private String dest;
        private String run;
        private Only only = Only.ACCEPTED;
        private String action;
        private String archive;
        private boolean withoutArchive;
        private Verification verify;
        private boolean isUnverified;
        private Integer maxOwnWords;
        private Boolean shortTexts;
        private String sizeField;
        private List<String> merge = List.of();
        private String into;

        private void setVerify(Optional<Verification> value) {
            isUnverified = value.isEmpty();
            verify = value.orElse(null);
        }

        private void setArchive(Optional<String> value) {
            withoutArchive = value.isEmpty();
            archive = value.orElse(null);
        }
    }

    private static final String ACTION_RULE = "[action] must be one of [tag, delete]";

    private static final ObjectParser<Body, Void> PARSER = new ObjectParser<>("apply", Body::new);

    static {
        declare(PARSER, "dest", (body, value) -> body.dest = value, NamedIndex.reader("dest"));
        declare(PARSER, "run", (body, value) -> body.run = value, RequestOptions.text("run"));
        declare(PARSER, "only", (body, value) -> body.only = value, Choice.reader("only", Only.class));
        declare(PARSER, "action", (body, value) -> body.action = value, RequestOptions.string(ACTION_RULE));
        declare(PARSER, "archive", Body::setArchive, NamedIndex.archive());
        declare(PARSER, "verify", Body::setVerify, DeduplicateParser.verifyOrFalse());
        declare(
                PARSER,
                "max_own_words",
                (body, value) -> body.maxOwnWords = value,
                RequestOptions.integer("max_own_words"));
        declare(PARSER, "short_texts", (body, value) -> body.shortTexts = value, RequestOptions.flag("short_texts"));
        declare(PARSER, "size_field", (body, value) -> body.sizeField = value, RequestOptions.text("size_field"));
        declare(
                PARSER,
                "merge",
                (body, value) -> body.merge = value,
                RequestOptions.strings("[merge] must be a list of names of fields"));
        declare(PARSER, "into", (body, value) -> body.into = value, RequestOptions.text("into"));
        PARSER.declareRequiredFieldSet("dest");
        PARSER.declareRequiredFieldSet("run");
        PARSER.declareRequiredFieldSet("action");
    }

    ApplyOptions {
        if (action == DeduplicateOptions.Action.REPORT) {
            throw new IllegalArgumentException(ACTION_RULE + ", got: report");
        }
    }

    static ApplyOptions fromXContent(XContentParser parser) throws IOException {
        Body body = RequestOptions.requiredBody(PARSER, parser);
        DeduplicateOptions.Action action = action(body.action);
        boolean deletes = action == DeduplicateOptions.Action.DELETE;
        if (deletes == false && (body.verify != null || body.isUnverified)) {
            throw new IllegalArgumentException("[verify] is only allowed with [action] delete, got: tag");
        }
        DeduplicateParser.onlyToDelete("max_own_words", body.maxOwnWords, deletes);
        DeduplicateParser.onlyToDelete("short_texts", body.shortTexts, deletes);
        ApplyOptions options = new ApplyOptions(
                body.dest,
                body.run,
                body.only,
                action,
                body.archive,
                body.withoutArchive,
                body.verify,
                body.isUnverified,
                EndRule.maxOwnWords(body.maxOwnWords),
                Boolean.TRUE.equals(body.shortTexts),
                body.sizeField,
                body.merge,
                body.into);
        options.asJob(Map.of("field", FingerprintFields.DEFAULT_OBJECT));
        return options;
    }

    private static DeduplicateOptions.Action action(String value) {
        return switch (value) {
            case "tag" -> DeduplicateOptions.Action.TAG;
            case "delete" -> DeduplicateOptions.Action.DELETE;
            default -> throw new IllegalArgumentException(ACTION_RULE + ", got: " + value);
        };
    }

    /**
     * The options of a job that writes the same.
     *
     * @param parameters of the run that found the groups; the fingerprint object as {@code field}
     */
    DeduplicateOptions asJob(Map<?, ?> parameters) {
        return new DeduplicateOptions(
                (String) parameters.get("field"),
                QueryBuilders.matchAllQuery(),
                parameters.get("max_distance") instanceof Integer distance ? distance : DeduplicateOptions.MAX_DISTANCE,
                action == DeduplicateOptions.Action.DELETE ? verification(parameters) : null,
                PairConditions.of(parameters.get("same"), parameters.get("differ"), parameters.get("within")),
                "chain".equals(parameters.get("linkage"))
                        ? DeduplicateOptions.Linkage.CHAIN
                        : DeduplicateOptions.Linkage.SURVIVOR,
                2,
                List.of(new SurvivorField("_id", SortOrder.ASC)),
                action,
                null,
                false,
                archive,
                withoutArchive,
                null,
                false,
                action == DeduplicateOptions.Action.DELETE ? CandidateLog.fromMap(parameters.get("candidates")) : null,
                Against.fromMap(parameters.get("against")),
                parameters.get("min_similarity") instanceof Number similarity ? similarity.doubleValue() : null,
                PassageRule.ofPairs(parameters),
                maxOwnWords,
                shortTexts,
                "duplicate".equals(parameters.get("same_id")),
                DeduplicateOptions.Groups.DUPLICATES,
                sizeField,
                merge);
    }

    /** That of the request, else that of the run, else the default. */
    private Verification verification(Map<?, ?> parameters) {
        if (isUnverified) {
            return null;
        }
        if (verify != null) {
            return verify;
        }
        return VerifyOptions.fromTyped(
                parameters.get("verify") instanceof Map<?, ?> ofRun ? VerifyOptions.typed(ofRun, true) : Map.of());
    }
}

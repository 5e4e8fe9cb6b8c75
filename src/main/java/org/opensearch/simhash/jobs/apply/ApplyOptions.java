/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

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
import org.opensearch.simhash.search.options.RequestOptions.Given;
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

    private static final String ACTION_RULE = "[action] must be one of [tag, delete]";

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("apply");

    static {
        declare(PARSER, "dest", NamedIndex.reader("dest"));
        option(PARSER, "run", RequestOptions::text);
        declare(PARSER, "only", Choice.reader("only", Only.class));
        declare(PARSER, "action", RequestOptions.string(ACTION_RULE));
        declare(PARSER, "archive", NamedIndex.archive());
        declare(PARSER, "verify", DeduplicateParser.verifyOrFalse());
        option(PARSER, "max_own_words", RequestOptions::integer);
        option(PARSER, "short_texts", RequestOptions::flag);
        option(PARSER, "size_field", RequestOptions::text);
        declare(PARSER, "merge", RequestOptions.strings("[merge] must be a list of names of fields"));
        option(PARSER, "into", RequestOptions::text);
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
        Given body = RequestOptions.requiredBody(PARSER, parser);
        DeduplicateOptions.Action action = action(body.get("action", null));
        boolean deletes = action == DeduplicateOptions.Action.DELETE;
        if (deletes == false && body.has("verify")) {
            throw new IllegalArgumentException("[verify] is only allowed with [action] delete, got: tag");
        }
        DeduplicateParser.onlyToDelete(body, deletes);
        Optional<String> archive = body.get("archive", Optional.empty());
        Optional<Verification> verify = body.get("verify", Optional.empty());
        ApplyOptions options = new ApplyOptions(
                body.get("dest", null),
                body.get("run", null),
                body.get("only", Only.ACCEPTED),
                action,
                archive.orElse(null),
                body.has("archive") && archive.isEmpty(),
                verify.orElse(null),
                body.has("verify") && verify.isEmpty(),
                EndRule.maxOwnWords(body.get("max_own_words", null)),
                body.get("short_texts", false),
                body.get("size_field", null),
                body.get("merge", List.of()),
                body.get("into", null));
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

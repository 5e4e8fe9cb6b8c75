/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.apply;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.DeduplicateOptions.Action;
import org.opensearch.simhash.jobs.options.DeduplicateParser;
import org.opensearch.simhash.jobs.options.DeduplicateParser.NamedIndex;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Choice;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/**
 * What decisions are applied, and how.
 *
 * @param dest the index with the groups of the run
 * @param into the index that has the run's documents now, if theirs is gone; null for none
 * @param body all options as typed; those of a job are read from here
 */
record ApplyOptions(String dest, String run, Only only, String into, Given body) {

    enum Only {
        ACCEPTED,
        /** Includes groups that are undecided or skipped. */
        NOT_REJECTED
    }

    /** Options of a job that the request itself may give. */
    private static final List<String> OF_JOB =
            List.of("action", "archive", "verify", "max_own_words", "short_texts", "groups", "size_field", "merge");

    /** Options of a job that decided what the run compared, as its groups keep them. */
    private static final List<String> OF_RUN = List.of(
            "field",
            "sketch",
            "max_distance",
            "min_similarity",
            "min_words",
            "min_share",
            "max_document_share",
            "same",
            "differ",
            "within",
            "linkage",
            "same_id");

    private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("apply");

    static {
        declare(PARSER, "dest", NamedIndex.reader("dest"));
        option(PARSER, "run", RequestOptions::text);
        declare(PARSER, "only", Choice.reader("only", Only.class));
        declare(PARSER, "action", Choice.reader("action", List.of(Action.TAG, Action.DELETE)));
        DeduplicateParser.declareWrites(PARSER);
        option(PARSER, "into", RequestOptions::text);
        PARSER.declareRequiredFieldSet("dest");
        PARSER.declareRequiredFieldSet("run");
        PARSER.declareRequiredFieldSet("action");
    }

    static ApplyOptions fromXContent(XContentParser parser) throws IOException {
        Given body = RequestOptions.requiredBody(PARSER, parser);
        ApplyOptions options = new ApplyOptions(
                body.get("dest", null),
                body.get("run", null),
                body.get("only", Only.ACCEPTED),
                body.get("into", null),
                body);
        if (options.action() != Action.DELETE && body.has("verify")) {
            throw new IllegalArgumentException("[verify] is only allowed with [action] delete, got: tag");
        }
        options.asJob(Map.of());
        return options;
    }

    Action action() {
        return body.get("action", null);
    }

    /** Null for none. */
    String archive() {
        return body.get("archive", Optional.<String>empty()).orElse(null);
    }

    /** The job that the run would be if it did now what this request asks for. */
    DeduplicateOptions asJob(Map<?, ?> parameters) {
        Map<String, Object> ofRun = new HashMap<>();
        Stream.concat(OF_RUN.stream(), action() == Action.DELETE ? Stream.of("verify", "candidates") : Stream.of())
                .filter(parameters::containsKey)
                .forEach(name -> ofRun.put(name, parameters.get(name)));
        if (parameters.get("against") instanceof Map<?, ?> against) {
            ofRun.put("against", Map.of("index", against.get("index"))); // Its query was kept as text.
        }
        Given job = DeduplicateParser.parse(ofRun);
        OF_JOB.stream().filter(body::has).forEach(name -> job.all().put(name, body.get(name, null)));
        return DeduplicateParser.build(job, null);
    }
}

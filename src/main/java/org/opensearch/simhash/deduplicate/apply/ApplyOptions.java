/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.apply;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.NamedIndex;
import org.opensearch.simhash.deduplicate.options.SurvivorField;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.options.Choice;
import org.opensearch.simhash.options.RequestOptions;

/**
 * @param dest index with the groups
 * @param run whose groups
 * @param archive index for copies of deleted documents, or null
 * @param withoutArchive whether the request refuses an archive
 */
record ApplyOptions(
        String dest, String run, Only only, DeduplicateOptions.Action action, String archive, boolean withoutArchive)
        implements Writeable {

    enum Only {
        ACCEPTED,
        /** Includes groups that are undecided or skipped. */
        NOT_REJECTED
    }

    private static final class Body {

        private String dest;
        private String run;
        private String only = "accepted";
        private String action;
        private String archive;
        private boolean withoutArchive;

        private void setArchive(Optional<String> value) {
            withoutArchive = value.isEmpty();
            archive = value.orElse(null);
        }
    }

    private static final String ACTION_RULE = "[action] must be one of [tag, delete]";

    private static final ObjectParser<Body, Void> PARSER = new ObjectParser<>("apply", Body::new);

    static {
        PARSER.declareField(
                (body, value) -> body.dest = value,
                NamedIndex.reader("dest"),
                new ParseField("dest"),
                RequestOptions.ANY);
        PARSER.declareField(
                (body, value) -> body.run = value,
                RequestOptions.string("[run] must be a string"),
                new ParseField("run"),
                RequestOptions.ANY);
        PARSER.declareField(
                (body, value) -> body.only = value,
                RequestOptions.string(Choice.rule("only", Only.class)),
                new ParseField("only"),
                RequestOptions.ANY);
        PARSER.declareField(
                (body, value) -> body.action = value,
                RequestOptions.string(ACTION_RULE),
                new ParseField("action"),
                RequestOptions.ANY);
        PARSER.declareField(Body::setArchive, NamedIndex.archive(), new ParseField("archive"), RequestOptions.ANY);
        PARSER.declareRequiredFieldSet("dest");
        PARSER.declareRequiredFieldSet("run");
        PARSER.declareRequiredFieldSet("action");
    }

    ApplyOptions {
        if (action == DeduplicateOptions.Action.REPORT) {
            throw new IllegalArgumentException(ACTION_RULE + ", got: report");
        }
    }

    ApplyOptions(StreamInput in) throws IOException {
        this(
                in.readString(),
                in.readString(),
                in.readEnum(Only.class),
                in.readEnum(DeduplicateOptions.Action.class),
                in.readOptionalString(),
                in.readBoolean());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeString(dest);
        out.writeString(run);
        out.writeEnum(only);
        out.writeEnum(action);
        out.writeOptionalString(archive);
        out.writeBoolean(withoutArchive);
    }

    static ApplyOptions fromXContent(XContentParser parser) throws IOException {
        Body body = RequestOptions.body(PARSER, parser);
        ApplyOptions options = new ApplyOptions(
                body.dest, body.run, only(body.only), action(body.action), body.archive, body.withoutArchive);
        options.asJob(FingerprintFields.DEFAULT_OBJECT);
        return options;
    }

    private static Only only(String value) {
        return Choice.of("only", Only.class, value);
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
     * @param field the fingerprint object
     */
    DeduplicateOptions asJob(String field) {
        return new DeduplicateOptions(
                field,
                QueryBuilders.matchAllQuery(),
                0,
                null,
                List.of(),
                DeduplicateOptions.Linkage.SURVIVOR,
                2,
                List.of(new SurvivorField("_id", SortOrder.ASC)),
                action,
                null,
                archive,
                withoutArchive,
                null,
                false,
                null,
                null);
    }
}

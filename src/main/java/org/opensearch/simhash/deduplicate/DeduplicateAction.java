/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate;

import java.io.IOException;
import java.util.Locale;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.deduplicate.job.OptionsRequest;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.options.WritePace;

/** Finds the groups of near-duplicates in whole indices, and reports, tags or deletes them. */
public final class DeduplicateAction extends ActionType<DeduplicateResponse> {

    public static final String NAME = "indices:data/write/simhash/deduplicate";
    public static final DeduplicateAction INSTANCE = new DeduplicateAction();

    private DeduplicateAction() {
        super(NAME, DeduplicateResponse::new);
    }

    /** The indices and the options. */
    public static final class Request extends OptionsRequest<DeduplicateOptions> {

        Request(String[] indices, DeduplicateOptions options, WritePace pace) {
            super(indices, options, pace);
        }

        /** @param parser null if there is no body */
        public static Request fromXContent(String[] indices, XContentParser parser, WritePace pace) throws IOException {
            return new Request(indices, DeduplicateOptions.fromXContent(parser), pace);
        }

        Request(StreamInput in) throws IOException {
            super(in, DeduplicateOptions::new);
        }

        @Override
        public String getDescription() {
            return "deduplicate [" + String.join(",", indices()) + "], "
                    + options().action().name().toLowerCase(Locale.ROOT);
        }
    }
}

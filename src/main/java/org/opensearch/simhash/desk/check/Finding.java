/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.io.IOException;
import java.util.Locale;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** @param mend a request for Dev Tools, or words if no request mends it */
public record Finding(Severity severity, Code code, String index, String message, String mend)
        implements ToXContentObject {

    /** The worst last. */
    public enum Severity {

        /** Near-duplicates are found, but something is not right. */
        WARNING,

        /** Near-duplicates are missed, or documents are refused. */
        ERROR
    }

    String status() {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject()
                .field("severity", status())
                .field("code", code.toString())
                .field("index", index)
                .field("message", message)
                .field("mend", mend)
                .endObject();
    }

    /** @param tooShort documents with only a digest */
    record PrintCounts(long documents, long fingerprinted, long tooShort, long without) {

        static final PrintCounts NONE = new PrintCounts(0, 0, 0, 0);

        PrintCounts plus(PrintCounts other) {
            return new PrintCounts(
                    documents + other.documents,
                    fingerprinted + other.fingerprinted,
                    tooShort + other.tooShort,
                    without + other.without);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.simhash.calibrate.estimate.Suggestion;
import org.opensearch.simhash.query.VerifyOptions;
import org.opensearch.simhash.verify.Verification;

/** The request to send next, for Dev Tools. */
final class NextRequest {

    private NextRequest() {}

    static String report(
            CalibrateAction.Request request,
            String field,
            Scale scale,
            Suggestion suggestion,
            Verification verification) {
        String indices = Arrays.stream(request.indices())
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("%2A", "*"))
                .collect(Collectors.joining(","));
        try (XContentBuilder json = XContentFactory.jsonBuilder().prettyPrint()) {
            json.startObject();
            json.field("action", "report");
            if (field.equals(request.options().kind().defaultObject()) == false) {
                json.field("field", field);
            }
            if (request.options().query() instanceof MatchAllQueryBuilder == false) {
                json.field("query");
                request.options().query().toXContent(json, ToXContent.EMPTY_PARAMS);
            }
            scale.writeJob(json, suggestion.step());
            if (suggestion.verify()) {
                VerifyOptions.toXContent(json, verification);
            }
            json.endObject();
            return "POST /_plugins/_simhash/deduplicate/" + indices + "\n" + json;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

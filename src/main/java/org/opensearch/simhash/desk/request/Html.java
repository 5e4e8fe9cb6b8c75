/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.request;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestResponse;

/** What the pages have in common: resources joined into one file, and an answer that no other page may frame or keep. */
public final class Html {

    private Html() {}

    /** Resources one after the other. */
    public static String read(Class<?> beside, String... names) {
        StringBuilder joined = new StringBuilder();
        for (String name : names) {
            try (InputStream part = beside.getResourceAsStream(name)) {
                joined.append(new String(part.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(name, e);
            }
        }
        return joined.toString();
    }

    /** The source of a script or style in a policy. */
    public static String hash(String inline) {
        byte[] hash = MessageDigests.sha256().digest(inline.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    /** @param policy for {@code Content-Security-Policy} */
    public static RestResponse response(String html, String policy) {
        RestResponse response =
                new BytesRestResponse(RestStatus.OK, "text/html; charset=UTF-8", html.getBytes(StandardCharsets.UTF_8));
        response.addHeader("Content-Security-Policy", policy);
        response.addHeader("X-Content-Type-Options", "nosniff");
        response.addHeader("X-Frame-Options", "DENY");
        response.addHeader("Referrer-Policy", "no-referrer");
        response.addHeader("Cache-Control", "no-store");
        return response;
    }
}

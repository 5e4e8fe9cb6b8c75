/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.query.QueryBuilder;

/** Requests that mend, for Dev Tools. */
public final class MendingRequest {

    private MendingRequest() {}

    static String of(String method, String path, Map<String, ?> body) {
        try (XContentBuilder json = XContentFactory.jsonBuilder().prettyPrint()) {
            return method + " " + path + "\n" + json.map(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Maps the missing parts of the fingerprint. Names each segment, because dynamic templates would replace those of the index.
     */
    static String putMapping(CheckedIndex index, int segments) {
        Map<String, Object> parts = index.kind().partsAndTags(segments);
        parts.keySet().removeIf(part -> index.mapping().maps(index.path(part)));
        return of("PUT", "/" + index.name() + "/_mapping", within(index.fingerprint(), Map.of("properties", parts)));
    }

    public static Map<String, Object> within(String path, Map<String, Object> object) {
        String[] names = path.split("\\.", -1);
        Map<String, Object> inner = object;
        for (int i = names.length - 1; i >= 0; i--) {
            inner = Map.of("properties", Map.of(names[i], inner));
        }
        return inner;
    }

    /** A copy with one changed value. */
    public static Map<String, Object> with(Map<?, ?> options, String name, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>();
        options.forEach((option, typed) -> changed.put(String.valueOf(option), typed));
        changed.put(name, value);
        return changed;
    }

    static String putSettings(String index, String setting, Object value) {
        return of("PUT", "/" + index + "/_settings", Map.of(setting, value));
    }

    static String putPipeline(String pipeline, Map<String, Object> definition) {
        return of("PUT", "/_ingest/pipeline/" + encoded(pipeline), definition);
    }

    static String updateByQuery(String index, String pipeline, QueryBuilder query) {
        return of(
                "POST",
                "/" + index + "/_update_by_query?pipeline=" + encoded(pipeline) + "&conflicts=proceed&refresh=true",
                Map.of("query", query));
    }

    /** Copies the documents into a new index. */
    static String reindex(CheckedIndex index, int segments) {
        String copy = index.name() + "-remapped";
        List<String> pipeline = index.writer()
                .map(writer -> index.defaultPipeline().stream().toList())
                .orElse(List.of());
        Map<String, Object> destination =
                pipeline.isEmpty() ? Map.of("index", copy) : Map.of("index", copy, "pipeline", pipeline.getFirst());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put(
                "mappings",
                within(index.fingerprint(), Map.of("properties", index.kind().partsAndTags(segments))));
        if (pipeline.isEmpty() == false) {
            body.put("settings", Map.of("index.default_pipeline", pipeline.getFirst()));
        }
        return of("PUT", "/" + copy, body)
                + "\n\n"
                + of(
                        "POST",
                        "/_reindex?refresh=true",
                        Map.of("source", Map.of("index", index.name()), "dest", destination));
    }

    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}

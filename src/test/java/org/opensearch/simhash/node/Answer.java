/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.util.List;
import java.util.Map;

/** What a node answered. Thread-safe. */
public final class Answer {

    private final int status;
    private final String text;
    private final List<String> warnings;
    private volatile Object parsed;

    /**
     * An answer.
     *
     * @param status the HTTP status
     * @param text the body as it came
     */
    public Answer(int status, String text) {
        this(status, text, List.of());
    }

    /** @param warnings the sentences of its {@code Warning} headers */
    Answer(int status, String text, List<String> warnings) {
        this.status = status;
        this.text = text;
        this.warnings = warnings;
    }

    public int status() {
        return status;
    }

    public String text() {
        return text;
    }

    public List<String> warnings() {
        return warnings;
    }

    @Override
    public String toString() {
        return status + " " + text;
    }

    private Object parsed() {
        if (parsed == null) {
            parsed = Json.parse(text);
        }
        return parsed;
    }

    /** The body as a JSON object. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> json() {
        return (Map<String, Object>) parsed();
    }

    /** The value at a dotted path of the body, see {@link Json#at}; null when there is nothing. */
    public Object at(String path) {
        return Json.at(parsed(), path);
    }

    public long number(String path) {
        return ((Number) at(path)).longValue();
    }

    public String string(String path) {
        return (String) at(path);
    }

    /** The hits of a search, best first. */
    @SuppressWarnings("unchecked")
    public List<Map<String, Object>> hits() {
        return (List<Map<String, Object>>) at("hits.hits");
    }

    /** The ids of {@link #hits}. */
    public List<String> ids() {
        return hits().stream().map(hit -> (String) hit.get("_id")).toList();
    }

    /** The message of the innermost cause of an error: what its user has to read. */
    public String reason() {
        Object cause = at("error.root_cause.0.reason");
        return cause == null ? String.valueOf(at("error")) : cause.toString();
    }

    public boolean ok() {
        return status >= 200 && status < 300;
    }
}

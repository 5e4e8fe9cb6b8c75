/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import static org.opensearch.simhash.rights.Scene.COPY;
import static org.opensearch.simhash.rights.Scene.TRAM;
import static org.opensearch.simhash.rights.Scene.require;

import java.util.List;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;

/** What {@code simhash_reader} is for. */
final class ReaderFeatures {

    private final Scene scene;

    private ReaderFeatures(Scene scene) {
        this.scene = scene;
    }

    static List<Feature> all(Scene scene) {
        ReaderFeatures features = new ReaderFeatures(scene);
        features.prepare();
        return List.of(
                feature("query", features::query, "a search"),
                feature("query with id", features::queryWithId, "a search", "the query with `id`"),
                feature("warning", features::warning, "a search", "warnings of a search"),
                feature("collapse", features::collapse, "a search"),
                feature("fingerprint", features::fingerprint, "`fingerprint`"),
                feature("compare given texts", features::compareTexts, "`compare` of given texts"),
                feature("compare stored texts", features::compare, "`compare` of stored texts"),
                feature("feature_weights", features::featureWeights, "`feature_weights`"),
                feature("blocks", features::blocks, "`blocks`"),
                feature("check", features::check, "`check`"),
                feature("stats", features::stats, "counters"),
                feature("metrics", () -> scene.as("GET", "/_plugins/_simhash/metrics", null), "metrics"),
                feature("review", features::review, "review"));
    }

    private static Feature feature(String name, Runnable use, String... rows) {
        return new Feature(name, List.of(rows), () -> {}, use, () -> {});
    }

    private void prepare() {
        scene.create("docs-read", "");
        scene.fill("docs-read");
        // A scroll has a page for two documents.
        scene.create("docs-few", ",\"index.max_result_window\":2");
        scene.fill("docs-few");
        scene.must(
                "PUT",
                "/_ingest/pipeline/other",
                "{\"processors\":[{\"simhash\":{\"field\":\"content\",\"max_shingle_size\":3}},"
                        + "{\"passages\":{\"field\":\"content\"}}]}");
        scene.create("docs-other", ",\"index.default_pipeline\":\"other\"");
        scene.fill("docs-other");
        scene.must("PUT", "/docs-other/_settings", "{\"index.default_pipeline\":\"fingerprint\"}");
        scene.remove("groups-read");
        scene.must(
                "POST",
                "/_plugins/_simhash/deduplicate/docs-read",
                "{\"max_distance\":16,\"dest\":{\"index\":\"groups-read\"}}");
    }

    private Answer search(String index, String options) {
        return scene.as("POST", "/" + index + "/_search", "{\"query\":{\"simhash\":{" + options + "}}}");
    }

    private void query() {
        require(2, search("docs-read", "\"text\":\"" + TRAM + "\",\"max_distance\":16"), "hits.total.value");
    }

    private void queryWithId() {
        require(1, search("docs-read", "\"id\":\"tram\",\"max_distance\":16"), "hits.total.value");
    }

    private void warning() {
        Answer found = search("docs-other", "\"text\":\"" + COPY.replace("three", "four") + "\"");
        if (found.warnings().stream().noneMatch(warning -> warning.contains("only of others"))) {
            throw new AssertionError("no warning: " + found.warnings());
        }
    }

    private void collapse() {
        Answer found = scene.as(
                "POST",
                "/docs-read/_search",
                "{\"query\":{\"match\":{\"content\":\"tram\"}},\"search_pipeline\":{"
                        + "\"request_processors\":[{\"collapse_near_duplicates\":{\"max_distance\":8}}],"
                        + "\"response_processors\":[{\"collapse_near_duplicates\":{}}]}}");
        require(1, found, "ext.simhash.hidden");
    }

    private void fingerprint() {
        Answer shown = scene.as(
                "POST",
                "/_plugins/_simhash/fingerprint",
                "{\"pipeline\":\"fingerprint\",\"text\":\"" + TRAM + "\",\"explain\":true}");
        require(
                16,
                new Answer(
                        200, "{\"length\":" + String.valueOf(shown.at("hash")).length() + "}"),
                "length");
    }

    private void compareTexts() {
        Answer compared = scene.as(
                "POST",
                "/_plugins/_simhash/compare",
                "{\"pipeline\":\"fingerprint\",\"a\":{\"text\":\"" + TRAM + "\"},\"b\":{\"document\":"
                        + Scene.content(TRAM) + "}}");
        require(0, compared, "distance");
    }

    private void compare() {
        Answer compared = scene.as(
                "POST",
                "/_plugins/_simhash/compare",
                "{\"a\":{\"index\":\"docs-read\",\"id\":\"copy\"},\"b\":{\"text\":\"" + COPY + "\"}}");
        require(0, compared, "distance");
    }

    private void featureWeights() {
        require(3, scene.as("POST", "/_plugins/_simhash/feature_weights/docs-few", "{}"), "documents");
    }

    private void blocks() {
        Answer blocks = scene.as("POST", "/_plugins/_simhash/blocks/docs-other", "{\"pipeline\":\"other\"}");
        require(0, blocks, "compared_terms");
    }

    private void check() {
        Answer checked = scene.as("GET", "/_plugins/_simhash/check/docs-read", null);
        if (checked.text().contains("not_searchable")) {
            throw new Refused(checked);
        }
        require(3, checked, "fingerprinted");
    }

    private void stats() {
        require(1, scene.as("GET", "/_plugins/_simhash/stats", null), "_nodes.successful");
    }

    private void review() {
        scene.as("GET", "/_plugins/_simhash/review/groups-read", null);
        Answer groups = scene.as("GET", "/_plugins/_simhash/review/groups-read/groups", null);
        require(2, groups, "groups.0._source.size");
        Answer texts = scene.as(
                "POST",
                "/_mget",
                "{\"docs\":[{\"_index\":\"docs-read\",\"_id\":\"tram\"},{\"_index\":\"docs-read\",\"_id\":\"copy\"}]}");
        requireFound(texts);
    }

    private static void requireFound(Answer texts) {
        for (Object document : (List<?>) texts.at("docs")) {
            if (Boolean.TRUE.equals(Json.at(document, "found")) == false) {
                throw new Refused(texts);
            }
        }
    }
}

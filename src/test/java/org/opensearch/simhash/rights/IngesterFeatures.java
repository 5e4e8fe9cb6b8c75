/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import static org.opensearch.simhash.rights.Scene.COPY;
import static org.opensearch.simhash.rights.Scene.TRAM;
import static org.opensearch.simhash.rights.Scene.require;

import java.util.List;
import java.util.Set;
import org.opensearch.simhash.node.Answer;

/** What {@code simhash_ingester} is for. */
final class IngesterFeatures {

    private static final String INDEX = "docs-written";

    private final Scene scene;

    private IngesterFeatures(Scene scene) {
        this.scene = scene;
    }

    static List<Feature> all(Scene scene) {
        IngesterFeatures features = new IngesterFeatures(scene);
        for (String action : List.of("tag", "drop")) {
            scene.must(
                    "PUT",
                    "/_ingest/pipeline/" + action,
                    "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{\"max_distance\":16,"
                            + "\"action\":\"" + action + "\""
                            + (action.equals("tag") ? "" : ",\"verify\":{\"field\":\"content\",\"min_similarity\":0.5}")
                            + "}}]}");
        }
        return List.of(
                new Feature(
                        "bulk into a new index",
                        List.of("writes", "an index that is not there yet"),
                        () -> scene.remove(INDEX),
                        features::writeNew,
                        () -> {}),
                new Feature(
                        "a document, an update and a delete",
                        List.of("writes"),
                        () -> scene.create(INDEX, ""),
                        features::writeEach,
                        () -> {}),
                new Feature(
                        "near_duplicate that tags",
                        List.of("writes", "`near_duplicate`"),
                        () -> features.original("tag"),
                        features::tag,
                        () -> {}),
                new Feature(
                        "near_duplicate that drops",
                        List.of("writes", "`near_duplicate`"),
                        () -> features.original("drop"),
                        features::drop,
                        features::original));
    }

    private void writeNew() {
        scene.as("POST", "/" + INDEX + "/_bulk", Scene.lines("tram", TRAM));
        if (scene.must("GET", "/" + INDEX + "/_doc/tram", null).at("_source.simhash.hash") == null) {
            throw new AssertionError("no fingerprint");
        }
    }

    private void writeEach() {
        scene.as("PUT", "/" + INDEX + "/_doc/tram", Scene.content(TRAM));
        require("updated", scene.as("POST", "/" + INDEX + "/_update/tram", "{\"doc\":{\"read\":1}}"), "result");
        require("deleted", scene.as("DELETE", "/" + INDEX + "/_doc/tram", null), "result");
    }

    private void original(String pipeline) {
        scene.create(INDEX, ",\"index.default_pipeline\":\"" + pipeline + "\"");
        scene.bulk(INDEX, "tram", TRAM);
    }

    private void tag() {
        scene.as("POST", "/" + INDEX + "/_bulk?refresh=true", Scene.lines("a", COPY, "b", COPY));
        Answer tagged = scene.must("GET", "/" + INDEX + "/_doc/a", null);
        require("tram", tagged, "_source.near_duplicate.id");
    }

    private void drop() {
        require("noop", scene.as("PUT", "/" + INDEX + "/_doc/copy?refresh=true", Scene.content(COPY)), "result");
    }

    /** Whatever became of its copy. */
    private void original() {
        if (scene.ids(INDEX).containsAll(Set.of("tram")) == false) {
            throw new AssertionError("the original is gone");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Reads pages of search results without near-duplicates, and expects none in them. */
final class PageReader implements Actor.Deed {

    private static final int SIZE = 20;
    private static final int MOST = 16;

    private final Texts texts;
    private final Run run;
    private final RandomGenerator random;

    PageReader(Texts texts, Run run, RandomGenerator random) {
        this.texts = texts;
        this.run = run;
        this.random = random;
    }

    @Override
    public void act(RestClient client) {
        int maxDistance = random.nextInt(MOST + 1);
        var processor = Map.of("collapse_near_duplicates", Map.of("max_distance", maxDistance));
        var pipeline = Map.of("request_processors", List.of(processor), "response_processors", List.of(processor));
        var search = Map.of(
                "query",
                Map.of("match", Map.of("content", texts.word(random) + " " + texts.word(random))),
                "size",
                SIZE,
                "_source",
                Stored.SOURCE,
                "search_pipeline",
                pipeline);
        String path = "/" + Run.INDEX + "/_search?allow_partial_search_results=false";
        List<Stored> hits = client.must("POST", path, Json.write(search)).hits().stream()
                .map(Stored::of)
                .toList();
        run.findings().count("pages", 1);
        for (int i = 0; i < hits.size(); i++) {
            for (Stored better : hits.subList(0, i)) {
                run.findings()
                        .check(
                                hits.get(i).distance(better) > maxDistance,
                                "a page within " + maxDistance + " has " + better + " and " + hits.get(i));
            }
        }
    }
}

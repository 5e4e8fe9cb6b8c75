/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.folders.Folders;

/**
 * The plugin on one node with the real plugins k-NN, neural search and job scheduler, of the newest release whose zips Maven Central has:
 * hybrid queries with normalisation, vectors filtered by fingerprints, and vectors that propose what the texts decide.
 */
class BesideNeighbours {

    private static final String INDEX = "pages";
    private static final int DIMENSIONS = 16;
    private static final int PROPOSED = 5;
    private static final double MIN_SCORE = .5;
    private static final int MAX_DISTANCE = 7;
    private static final String NORMALISED = "?search_pipeline=normalised";
    private static final String BLOCK = "```json k-nn\n";
    private static final Pattern REQUEST = Pattern.compile("(GET|POST) (\\S+)\n(\\{.*?\\})\n(?:\n|$)", Pattern.DOTALL);

    private static Path folder;
    private static RealCluster cluster;
    private static RestClient client;
    private static Map<String, Map<String, Object>> documents;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Distribution build = Distribution.ofTheBuild();
        folder = build.newFolder();
        Path stock = folder.resolve("stock");
        Folders.link(build.stock().resolveSibling("opensearch-" + System.getProperty("neighbours.version")), stock);
        for (String plugin : List.of("opensearch-job-scheduler", "opensearch-knn", "neural-search")) {
            Distribution.runInstaller(stock, zip(plugin), folder.resolve("install-" + plugin + ".log"));
        }
        // The zip of k-NN has no native libraries: the engine lucene needs none.
        cluster = RealCluster.start(
                new Distribution(stock, build.zip(), build.work()),
                new NodeOptions(1, List.of("-Xms1g", "-Xmx1g", "-XX:TieredStopAtLevel=1"), Map.of())
                        .with("cluster.search.enabled_system_generated_factories", "simhash_distinct"));
        client = cluster.client();
        fill();
    }

    private static Path zip(String plugin) throws IOException {
        try (Stream<Path> zips = Files.list(Path.of(System.getProperty("neighbours.zips")))) {
            return zips.filter(zip -> zip.getFileName().toString().startsWith(plugin))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
        Folders.delete(folder);
    }

    private static void fill() {
        SampleIndex sample = new SampleIndex();
        documents = new LinkedHashMap<>(sample.documents());
        documents.values().removeIf(document -> "en".equals(document.get("language")) == false);
        assertTrue(documents.size() > 50, "" + documents.size());
        sample.configure(client);
        Map<String, Object> method = Map.of("name", "hnsw", "space_type", "l2", "engine", "lucene");
        client.must(
                "PUT",
                "/" + INDEX,
                Json.write(Map.of(
                        "settings",
                        Map.of("index.knn", true, "number_of_shards", 2, "default_pipeline", SampleIndex.PIPELINE),
                        "mappings",
                        sample.mappings())));
        client.must(
                "PUT",
                "/" + INDEX + "/_mapping",
                Json.write(Map.of(
                        "properties",
                        Map.of("vector", Map.of("type", "knn_vector", "dimension", DIMENSIONS, "method", method)))));
        StringBuilder bulk = new StringBuilder();
        documents.forEach((id, document) -> {
            Map<String, Object> source = new HashMap<>(document);
            source.put("vector", vector((String) document.get("content")));
            bulk.append(Json.write(Map.of("index", Map.of("_id", id)))).append('\n');
            bulk.append(Json.write(source)).append('\n');
        });
        Answer filled = client.must("POST", "/" + INDEX + "/_bulk?refresh=true", bulk.toString());
        assertFalse((boolean) filled.at("errors"), filled.text());
        client.must(
                "PUT",
                "/_search/pipeline/normalised",
                "{\"phase_results_processors\":[{\"normalization-processor\":{\"normalization\":{\"technique\":\"min_max\"},"
                        + "\"combination\":{\"technique\":\"arithmetic_mean\"}}}]}");
    }

    /** The frequencies of words, thrown together: near for texts that share many. */
    private static List<Double> vector(String text) {
        double[] sums = new double[DIMENSIONS];
        for (String word : text.toLowerCase(Locale.ROOT).split("\\W+", -1)) {
            sums[Math.floorMod(word.hashCode() * 31, DIMENSIONS)]++;
        }
        double length = Math.sqrt(Arrays.stream(sums).map(sum -> sum * sum).sum());
        return Arrays.stream(sums).map(sum -> sum / length).boxed().toList();
    }

    private static String hybrid(String words, String id, int from, int size, String more) {
        return "{\"from\":" + from + ",\"size\":" + size + more + ",\"query\":{\"hybrid\":{\"pagination_depth\":200,"
                + "\"queries\":[{\"match\":{\"content\":\"" + words + "\"}},{\"knn\":{\"vector\":{\"vector\":"
                + vector((String) documents.get(id).get("content")) + ",\"k\":100}}}]}}}";
    }

    private static List<String> someIds(int count) {
        return List.copyOf(documents.keySet()).subList(0, count);
    }

    /** Each page is full and is what stays of the same search without, compared by hand. */
    @Test
    void testDistinctFillsThePagesOfHybridSearches() {
        String distinct = ",\"ext\":{\"simhash\":{\"distinct\":{\"max_distance\":" + MAX_DISTANCE + "}}}";
        int hidden = 0;
        for (String id : someIds(6)) {
            Set<String> seen = new HashSet<>();
            for (int from = 0; from < 20; from += 10) {
                Answer page = client.must(
                        "GET",
                        "/" + INDEX + "/_search" + NORMALISED,
                        hybrid("build your site with components", id, from, 10, distinct));
                int window = (int) page.number("ext.simhash.window");
                Answer plain = client.must(
                        "GET",
                        "/" + INDEX + "/_search" + NORMALISED,
                        hybrid("build your site with components", id, 0, window, ""));
                List<String> expected = List.copyOf(
                        new RankedHits(plain.hits()).collapse(MAX_DISTANCE).keySet());
                assertEquals(expected.subList(from, from + 10), page.ids(), page.text());
                assertTrue(seen.addAll(page.ids()));
                hidden += (int) page.number("ext.simhash.hidden");
            }
        }
        assertTrue(hidden > 0);
    }

    /** The graph is searched among near-duplicates only, and finds all of them. */
    @Test
    void testVectorsAreFilteredByFingerprints() {
        int found = 0;
        for (String id : someIds(20)) {
            String near = "{\"simhash\":{\"id\":\"" + id + "\",\"max_distance\":" + MAX_DISTANCE + "}}";
            Answer alone = client.must("GET", "/" + INDEX + "/_search", "{\"size\":200,\"query\":" + near + "}");
            Answer filtered = client.must(
                    "GET",
                    "/" + INDEX + "/_search",
                    "{\"size\":200,\"query\":{\"knn\":{\"vector\":{\"vector\":"
                            + vector((String) documents.get(id).get("content")) + ",\"k\":100,\"filter\":" + near
                            + "}}}}");
            assertEquals(new TreeSet<>(alone.ids()), new TreeSet<>(filtered.ids()));
            found += alone.ids().size();
        }
        assertTrue(found > 0);
    }

    /** OpenSearch's own collapse on the ids of stories, in a hybrid search: each story once, by its best hit. */
    @Test
    void testStoriesAreCollapsedInHybridSearches() {
        client.must(
                "POST",
                "/_plugins/_simhash/deduplicate/" + INDEX,
                "{\"max_distance\":" + MAX_DISTANCE + ",\"action\":\"tag\",\"groups\":\"all\"}");
        client.must("POST", "/" + INDEX + "/_refresh", null);
        int hidden = 0;
        for (String id : someIds(6)) {
            Answer plain = client.must(
                    "GET", "/" + INDEX + "/_search" + NORMALISED, hybrid("install the integration", id, 0, 100, ""));
            Answer collapsed = client.must(
                    "GET",
                    "/" + INDEX + "/_search" + NORMALISED,
                    hybrid("install the integration", id, 0, 100, ",\"collapse\":{\"field\":\"simhash.group\"}"));
            Set<Object> stories = new LinkedHashSet<>();
            plain.hits().forEach(hit -> stories.add(Json.at(hit, "_source.simhash.group")));
            List<Object> found = collapsed.hits().stream()
                    .map(hit -> Json.at(hit, "_source.simhash.group"))
                    .toList();
            assertEquals(found.size(), new HashSet<>(found).size(), collapsed.text());
            assertEquals(stories, new LinkedHashSet<>(found));
            hidden += plain.hits().size() - found.size();
        }
        assertTrue(hidden > 0);
    }

    /** As docs/deduplicate.md says: the nearest vectors of each document are candidates, and a job keeps those with like texts. */
    @Test
    void testVectorsProposeAndTextsDecide() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("project.basedir")).resolve("docs").resolve("deduplicate.md"));
        String block = page.substring(page.indexOf(BLOCK) + BLOCK.length());
        List<List<String>> requests = REQUEST.matcher(block.substring(0, block.indexOf("```")))
                .results()
                .map(request -> List.of(request.group(1), request.group(2), request.group(3)))
                .toList();
        assertEquals(3, requests.size());
        List<Set<String>> proposed = new ArrayList<>();
        for (String id : documents.keySet()) {
            List<String> search = requests.get(0);
            String vector = vector((String) documents.get(id).get("content")).toString();
            Answer nearest =
                    client.must(search.get(0), search.get(1), search.get(2).replace("[0.12, 0.05]", vector));
            assertEquals(PROPOSED, nearest.ids().size());
            List<Map<String, Object>> set = nearest.hits().stream()
                    .<Map<String, Object>>map(hit -> Map.of("id", hit.get("_id"), "score", hit.get("_score")))
                    .toList();
            List<String> write = requests.get(1);
            Map<String, Object> body = Map.of("near", set);
            assertEquals(body.keySet(), ((Map<?, ?>) Json.parse(write.get(2))).keySet());
            client.must(write.get(0), write.get(1), Json.write(body));
            proposed.add(nearest.hits().stream()
                    .filter(hit -> ((Number) hit.get("_score")).doubleValue() >= MIN_SCORE)
                    .map(hit -> (String) hit.get("_id"))
                    .collect(Collectors.toSet()));
        }
        client.must("POST", "/nearest/_refresh", null);
        List<String> job = requests.get(2);
        Answer ran = client.must(job.get(0), job.get(1), job.get(2));
        Set<Set<String>> expected = components(proposed);
        assertTrue(expected.size() > 5, "" + expected);
        client.must("POST", "/nearest-groups/_refresh", null);
        Set<Set<String>> groups = new HashSet<>();
        for (Map<String, Object> hit :
                client.must("GET", "/nearest-groups/_search?size=1000", null).hits()) {
            Set<String> members = new TreeSet<>();
            members.add((String) Json.at(hit, "_source.survivor.id"));
            ((List<?>) Json.at(hit, "_source.members")).forEach(member -> members.add((String) Json.at(member, "id")));
            groups.add(members);
        }
        assertEquals(expected, groups);
        assertEquals(expected.size(), ran.number("groups"));
    }

    /** What proposed pairs with like texts connect. Which texts are alike says the query, by all documents. */
    private static Set<Set<String>> components(List<Set<String>> proposed) {
        Map<String, Set<String>> of = new HashMap<>();
        documents.keySet().forEach(id -> of.put(id, new TreeSet<>(Set.of(id))));
        for (String id : documents.keySet()) {
            Answer alike = client.must(
                    "GET",
                    "/" + INDEX + "/_search",
                    "{\"size\":1000,\"query\":{\"simhash\":{\"id\":\"" + id
                            + "\",\"max_distance\":64,\"verify\":{\"field\":\"content\",\"min_similarity\":0.7}}}}");
            for (String other : alike.ids()) {
                if (proposed.stream().anyMatch(set -> set.contains(id) && set.contains(other))) {
                    Set<String> joined = of.get(id);
                    joined.addAll(of.get(other));
                    joined.forEach(member -> of.put(member, joined));
                }
            }
        }
        Set<Set<String>> groups = new HashSet<>(of.values());
        groups.removeIf(group -> group.size() < 2);
        return groups;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.After;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.ClusterTestCase.OwnNodes;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * Random jobs by sketches on three nodes against all pairs compared: with the words on the heap, in files, and in passes. {@code
 * -Dsketch.jobs=200} runs more of them.
 */
@OwnNodes
@ClusterScope(scope = Scope.SUITE, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class SketchDuelTests extends HookedClusterTestCase {

    private static final int JOBS = Rounds.of("sketch.jobs", 9, 90);
    private static final int JOBS_OF_AN_INDEX = 5;
    private static final int PERMUTATIONS = 64;

    /** @param sketch null of a text too short for one */
    private record Document(String id, Sketch sketch, String digest, String scheme, String tenant) {}

    private final List<Document> documents = new ArrayList<>();

    private void fill(String index) {
        newIndex(index, Map.of("properties", Map.of("minhash", mapping(), "tenant", Map.of("type", "keyword"))));
        documents.clear();
        List<long[]> texts = new ArrayList<>();
        int count = between(150, 400);
        BulkRequestBuilder bulk = client().prepareBulk();
        for (int i = 0; i < count; i++) {
            long[] features = texts.isEmpty() || randomInt(2) == 0
                    ? random().longs(between(60, 120)).toArray()
                    : texts.get(random().nextInt(texts.size())).clone();
            int changed = rarely() ? 0 : random().nextInt(features.length / 2);
            for (int j = 0; j < changed; j++) {
                features[random().nextInt(features.length)] = randomLong();
            }
            texts.add(features);
            boolean isShort = rarely();
            Sketch sketch = isShort ? null : Sketch.of(features, features.length, PERMUTATIONS);
            Document document = new Document(
                    "" + i,
                    sketch,
                    String.format(Locale.ROOT, "%032x", isShort ? randomInt(9) : Arrays.hashCode(features)),
                    randomInt(3) == 0 ? "m2-0a589bd5" : "m2-0a589bd6",
                    randomFrom("a", "b"));
            documents.add(document);
            bulk.add(client().prepareIndex(index).setId(document.id).setSource(source(document)));
        }
        assertFalse(bulk.get().hasFailures());
        refresh(index);
    }

    private void newIndex(String index, Map<String, Object> mapping) {
        assertAcked(client().admin()
                .indices()
                .prepareCreate(index)
                .setSettings(Settings.builder()
                        .put("index.number_of_shards", between(1, 4))
                        .put("index.number_of_replicas", 0))
                .setMapping(mapping));
        ensureGreen(index);
    }

    private static Object mapping() {
        return ((Map<?, ?>) ((Map<?, ?>) new SampleIndex().mappings()).get("properties")).get("minhash");
    }

    private static Map<String, Object> source(Document document) {
        Map<String, Object> minhash = new HashMap<>(Map.of("digest", document.digest, "scheme", document.scheme));
        minhash.put("size", 10);
        if (document.sketch != null) {
            minhash.put("sketch", document.sketch.toBase64());
            minhash.put("bands", List.of(new BandLayout(PERMUTATIONS, 16, 4).terms(document.sketch)));
        }
        return Map.of("minhash", minhash, "tenant", document.tenant);
    }

    /** Sketches of one scheme that are similar enough, or texts too short for one with equal digests. */
    private static boolean areLinked(Document a, Document b, double least, boolean sameTenant) {
        if (sameTenant && a.tenant.equals(b.tenant) == false) {
            return false;
        }
        if (a.sketch == null || b.sketch == null) {
            return a.sketch == null && b.sketch == null && a.digest.equals(b.digest);
        }
        return a.scheme.equals(b.scheme) && Sketch.similarity(a.sketch.agreeing(b.sketch), PERMUTATIONS) >= least;
    }

    public void testRandomJobsFindWhatAllPairsHave() throws IOException {
        for (int job = 0; job < JOBS; job++) {
            if (job % JOBS_OF_AN_INDEX == 0) {
                fill("sketches-" + job);
            }
            String index = "sketches-" + job / JOBS_OF_AN_INDEX * JOBS_OF_AN_INDEX;
            double least = randomFrom(0.5, 0.7, 0.8, 0.9);
            boolean sameTenant = randomBoolean();
            List<Integer> added = rarely() || job % 3 == 1
                    ? IntStream.range(0, between(1, 5))
                            .mapToObj(i -> random().nextInt(documents.size()))
                            .toList()
                    : null;
            set(job % 3);
            String body = "{\"sketch\":\"minhash\",\"linkage\":\"chain\",\"max_group_size\":10000,\"min_similarity\":"
                    + least
                    + (sameTenant ? ",\"same\":[\"tenant\"]" : "")
                    + (added == null
                            ? ""
                            : ",\"new_since\":{\"ids\":{\"values\":"
                                    + added.stream().map(i -> "\"" + i + "\"").toList() + "}}")
                    + "}";
            JobResponse response = run(index, body);
            String what = body + " of " + documents.size() + " documents, " + response.count("passes") + " passes";
            Expected expected = expected(least, sameTenant, added);
            assertEquals(what, expected.groups, response.count("groups"));
            assertEquals(what, expected.duplicates, response.count("duplicates"));
            if (added == null) {
                assertEquals(what, expected.pairs, response.count("pairs"));
            }
            if (job % 3 == 2) {
                assertTrue(what, response.count("passes") > 1);
            }
        }
    }

    /** Of one tenant against the other. */
    public void testRandomJobsAgainstOthersFindWhatAllPairsHave() throws IOException {
        fill("sides");
        for (int job = 0; job < JOBS; job++) {
            double least = randomFrom(0.5, 0.7, 0.8, 0.9);
            set(job % 3);
            String body = "{\"sketch\":\"minhash\",\"min_similarity\":" + least
                    + ",\"query\":{\"term\":{\"tenant\":\"a\"}},\"against\":{\"index\":\"sides\",\"query\":{\"term\":"
                    + "{\"tenant\":\"b\"}}}}";
            JobResponse response = run("sides", body);
            long pairs = 0;
            long matched = 0;
            for (Document a : documents) {
                long links = documents.stream()
                        .filter(b -> a.tenant.equals("a") && b.tenant.equals("b") && areLinked(a, b, least, false))
                        .count();
                pairs += links;
                matched += links > 0 ? 1 : 0;
            }
            assertEquals(body, matched, response.count("matched"));
            assertEquals(body, pairs, response.count("pairs"));
        }
    }

    @After
    public void setNothing() {
        set(0);
    }

    private record Expected(long pairs, long groups, long duplicates) {}

    private Expected expected(double least, boolean sameTenant, List<Integer> added) {
        int[] group = IntStream.range(0, documents.size()).toArray();
        long pairs = 0;
        for (int i = 0; i < group.length; i++) {
            for (int j = 0; j < i; j++) {
                if (areLinked(documents.get(i), documents.get(j), least, sameTenant)) {
                    pairs++;
                    int from = group[i];
                    int to = group[j];
                    for (int k = 0; k < group.length; k++) {
                        group[k] = group[k] == from ? to : group[k];
                    }
                }
            }
        }
        Map<Integer, List<Integer>> members = IntStream.range(0, group.length)
                .boxed()
                .collect(Collectors.groupingBy(i -> group[i], TreeMap::new, Collectors.toList()));
        members.values()
                .removeIf(ofGroup ->
                        ofGroup.size() < 2 || (added != null && ofGroup.stream().noneMatch(added::contains)));
        long duplicates = members.values().stream()
                .mapToLong(ofGroup -> ofGroup.size() - 1)
                .sum();
        return new Expected(pairs, members.size(), duplicates);
    }

    private JobResponse run(String index, String body) throws IOException {
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, body)) {
            return client().execute(
                            DeduplicateAction.INSTANCE,
                            DeduplicateAction.Request.fromXContent(
                                    new String[] {index}, parser, new WritePace(Float.POSITIVE_INFINITY, 50)))
                    .actionGet();
        }
    }

    /** @param where 0: on the heap; 1: in files; 2: in passes */
    private void set(int where) {
        Settings.Builder settings =
                Settings.builder().putNull(DeduplicateMemory.ALLOWANCE.getKey()).putNull(DeduplicateDisk.MOST.getKey());
        if (where == 1) {
            settings.put(DeduplicateMemory.ALLOWANCE.getKey(), "30kb");
        } else if (where == 2) {
            settings.put(DeduplicateMemory.ALLOWANCE.getKey(), "16kb")
                    .put(DeduplicateDisk.MOST.getKey(), randomFrom("0b", "4kb"));
        }
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }
}

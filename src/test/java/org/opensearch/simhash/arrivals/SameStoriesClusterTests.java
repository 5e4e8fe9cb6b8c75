/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.core.Rounds;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.JobRequests;
import org.opensearch.simhash.jobs.job.JobResponse;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;

/** Documents get the same stories whether they come one by one, in bulks, through several nodes, or are grouped by a job. */
public class SameStoriesClusterTests extends NearDuplicateClusterTestCase {

    private static final int NEAR = 3;
    private static final String JOB = "job";

    private Set<Set<String>> stories(String index) {
        Map<Object, Set<String>> stories = new HashMap<>();
        stored(index)
                .forEach((id, source) -> stories.computeIfAbsent(
                                XContentMapValues.extractValue("simhash.group", source), any -> new TreeSet<>())
                        .add(id));
        return new HashSet<>(stories.values());
    }

    private JobResponse job(String index, String linkage) throws IOException {
        String json =
                "{\"action\":\"tag\",\"groups\":\"all\",\"max_distance\":" + NEAR + ",\"linkage\":\"" + linkage + "\"}";
        refresh(index);
        try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
            return client().execute(DeduplicateAction.INSTANCE, JobRequests.of(index, DeduplicateOptions.named(parser)))
                    .actionGet();
        }
    }

    /** @param most documents of a bulk */
    private void write(String index, Map<String, Long> corpus, int most, boolean isByAll) {
        List<String> ids = new ArrayList<>(corpus.keySet());
        Collections.shuffle(ids, random());
        for (int from = 0; from < ids.size(); ) {
            String[] nodes = internalCluster().getNodeNames();
            BulkRequestBuilder bulk = internalCluster()
                    .client(nodes[isByAll ? random().nextInt(nodes.length) : 0])
                    .prepareBulk();
            int end = Math.min(ids.size(), from + 1 + random().nextInt(most));
            for (String id : ids.subList(from, end)) {
                bulk.add(new IndexRequest(index)
                        .id(id)
                        .source(print(corpus.get(id)))
                        .setPipeline(PIPELINE));
            }
            assertIndexed(bulk.get(PATIENCE));
            if (random().nextInt(3) == 0) {
                refresh(index);
            }
            from = end;
        }
    }

    /** Texts of a story are all near one another: then the order of arrival does not count. */
    public void testStoriesOfTextsThatAreAllNearAreThoseOfAJob() throws IOException {
        int corpora = Rounds.of("stories.corpora", 4, 200);
        for (int round = 0; round < corpora; round++) {
            Map<String, Long> corpus = corpus(1);
            pipeline("");
            index(JOB, 2);
            write(JOB, corpus, 50, false);
            job(JOB, "survivor");
            Set<Set<String>> expected = stories(JOB);
            pipeline("'groups': 'all'");
            for (int most : new int[] {1, 20}) {
                index(DOCS, 2);
                write(DOCS, corpus, most, most > 1 || random().nextBoolean());
                assertEquals(expected, stories(DOCS));
                JobResponse job = job(DOCS, "survivor");
                assertEquals(
                        job.toString(),
                        0,
                        job.count("groups_new") + job.count("groups_split") + job.count("groups_merged"));
                assertEquals(expected, stories(DOCS));
                client().admin().indices().prepareDelete(DOCS).get();
            }
            client().admin().indices().prepareDelete(JOB).get();
        }
    }

    /** Of chains, ingest puts nothing together that a chain would not: it joins one story of several that a document is near. */
    public void testIngestPutsNothingTogetherThatAChainParts() throws IOException {
        for (int round = 0; round < Rounds.of("stories.corpora", 4, 200); round++) {
            Map<String, Long> corpus = corpus(3);
            pipeline("'groups': 'all'");
            index(DOCS, 2);
            write(DOCS, corpus, 20, true);
            Set<Set<String>> atIngest = stories(DOCS);
            job(DOCS, "chain");
            Set<Set<String>> chains = stories(DOCS);
            for (Set<String> story : atIngest) {
                assertTrue(story + " in " + chains, chains.stream().anyMatch(chain -> chain.containsAll(story)));
            }
            client().admin().indices().prepareDelete(DOCS).get();
        }
    }

    /** @param most bits in which a document differs from the center of its story */
    private Map<String, Long> corpus(int most) {
        Map<String, Long> corpus = new TreeMap<>();
        for (int story = 0; story < 12; story++) {
            long center = random().nextLong();
            for (int i = random().nextInt(6); i >= 0; i--) {
                long bits = center;
                for (int flips = random().nextInt(most + 1); flips > 0; flips--) {
                    bits ^= 1L << random().nextInt(64);
                }
                corpus.put("s" + story + "-" + i, bits);
            }
        }
        return corpus;
    }
}

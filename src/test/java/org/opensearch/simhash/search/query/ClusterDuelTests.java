/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.search.SearchService;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintDistribution;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The query against brute force over all shards, in the mapping of the template and in a dynamic one, before and after a restart. */
@ClusterScope(scope = Scope.TEST, numDataNodes = 3, numClientNodes = 0, supportsDedicatedMasters = false)
public class ClusterDuelTests extends SimHashClusterTestCase {

    private static final int DOCUMENTS = 300;
    private static final List<Integer> DISTANCES = List.of(0, 1, 3, 4, 7, 10, 16, 32, 64);
    private static final String TEMPLATE = "docs";
    private static final String DYNAMIC = "plain";

    private final Map<String, Map<String, FingerprintedDocument>> live = new HashMap<>();

    public void testEqualsBruteForceBeforeAndAfterARestart() throws Exception {
        long centre = randomLong();
        spreadIndex(TEMPLATE, "index.default_pipeline", "_none");
        spreadIndex(DYNAMIC);
        for (String index : List.of(TEMPLATE, DYNAMIC)) {
            fill(index, centre);
        }
        duel(centre, DISTANCES);
        concurrently(() -> duel(centre, randomSubsetOf(3, DISTANCES)));
        internalCluster().fullRestart();
        ensureGreen(TimeValue.timeValueSeconds(120), TEMPLATE, DYNAMIC);
        duel(centre, randomSubsetOf(3, DISTANCES));
        forceMerge(1);
        duel(centre, randomSubsetOf(3, DISTANCES));
    }

    /** With the Lucene leaves of a shard searched by several threads. */
    private static void concurrently(Runnable searches) {
        String mode = SearchService.CLUSTER_CONCURRENT_SEGMENT_SEARCH_MODE.getKey();
        set(Settings.builder().put(mode, SearchService.CONCURRENT_SEGMENT_SEARCH_MODE_ALL));
        searches.run();
        set(Settings.builder().putNull(mode));
    }

    private static void set(Settings.Builder settings) {
        assertAcked(client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings));
    }

    /** Several bulks and refreshes make several Lucene leaves; some documents are replaced, some deleted. */
    private void fill(String index, long centre) {
        Map<String, FingerprintedDocument> documents = new TreeMap<>();
        live.put(index, documents);
        int number = 0;
        for (FingerprintDistribution distribution : FingerprintDistribution.values()) {
            int segments = randomIntBetween(SegmentLayout.MIN, SegmentLayout.MAX);
            BulkRequestBuilder bulk = client().prepareBulk();
            for (int i = 0; i < DOCUMENTS / FingerprintDistribution.values().length; i++) {
                int id = random().nextInt(20) == 0 && number > 0 ? random().nextInt(number) : number++;
                FingerprintedDocument document = FingerprintedDocument.of(
                                id, distribution.next(random(), centre), segments)
                        .withDigest("digest" + random().nextInt(100))
                        .withScheme(randomFrom("v1-a", "v1-b"));
                documents.put(document.id(), document);
                bulk.add(client().prepareIndex(index).setId(document.id()).setSource("simhash", fields(document)));
            }
            assertFalse(bulk.get().hasFailures());
            refresh(index);
        }
        BulkRequestBuilder deletes = client().prepareBulk();
        for (String id : randomSubsetOf(20, documents.keySet())) {
            documents.remove(id);
            deletes.add(client().prepareDelete(index, id));
        }
        assertFalse(deletes.get().hasFailures());
        refresh(index);
    }

    private static Map<String, Object> fields(FingerprintedDocument document) {
        OptionalLong bits = OptionalLong.of(document.bits().getFirst());
        Fingerprint fingerprint = new Fingerprint(bits, document.digest(), 20, document.scheme());
        return FingerprintFields.of(fingerprint, new SegmentLayout(document.segments()));
    }

    private void duel(long centre, List<Integer> distances) {
        for (String index : live.keySet()) {
            Map<String, FingerprintedDocument> documents = live.get(index);
            List<String> hashes = new ArrayList<>(List.of(Fingerprint.toHex(centre), Fingerprint.toHex(randomLong())));
            String id = randomFrom(documents.keySet().toArray(String[]::new));
            for (int distance : distances) {
                String option = ", 'max_distance': " + distance;
                for (String hash : hashes) {
                    assertEquals(
                            index + " " + hash + option,
                            bruteForce(documents, Target.of(Fingerprint.fromHex(hash)), distance),
                            scores(near("'hash': '" + hash + "'" + option, index)));
                }
                assertEquals(
                        index + " " + id + option,
                        bruteForce(documents, target(documents.get(id)), distance),
                        scores(near("'id': '" + id + "', 'include_self': true" + option, index)));
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.opensearch.simhash.core.verify.TokenWeights;
import org.opensearch.simhash.benchmark.FingerprintIndex;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.verify.TextComparison;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * What a job finds among many real texts, edits of which are known: {@link EditedTexts} in one shard of a real node of 4 GB heap, with
 * the pipeline and the template of {@code config/}. A pair of a text and the one it is an edit of is <em>near</em> at a Jaccard
 * similarity of token 3-shingles of 0.8, computed here. It is missed when the job would keep both. A duplicate is wrong when it is not near its
 * survivor; by {@code verify}, when that would refuse the two, which counts longer shingles where words are not set apart by spaces.
 *
 * <p>Arguments: number of documents, then the jobs: a distance or {@code minhash}, and behind a colon a similarity to verify, such as {@code 3
 * 7:0.8 minhash:0.8}. {@code heap=2g} starts the node again with another heap, for the jobs behind it.
 * With {@code -Dsimhash.node=http://HOST:PORT} the jobs run on a node that runs already, and the index is made there unless it is there.
 */
public final class ScaledTexts {

    private static final String INDEX = "docs-scaled";
    private static final String GROUPS = "scaled-groups";
    private static final int PAGE = 2_000;
    private static final long SEED = 42;

    /** Near pairs are also counted by how near they are: from each of these similarities to the next. */
    private static final double[] BANDS = {Truth.NEAR, .82, .85, .9};

    private static final String HEAP = "heap=";
    private static final String MINHASH = "minhash";

    /** Of a node that may be started again. */
    private final Supplier<RestClient> clients;

    private final EditedTexts texts;
    private final Fingerprinter words;
    private final Fingerprinter stored;
    private final int documents;

    private ScaledTexts(
            Supplier<RestClient> clients,
            EditedTexts texts,
            Fingerprinter words,
            Fingerprinter stored,
            int documents) {
        this.clients = clients;
        this.stored = stored;
        this.texts = texts;
        this.words = words;
        this.documents = documents;
    }

    public static void main(String[] args) throws Exception {
        EditedTexts texts = EditedTexts.of(new TextSets(DataSets.configured()).read(), SEED);
        int documents = Integer.parseInt(args[0]);
        System.out.printf(
                Locale.ROOT,
                "%,d documents of %,d sentences in %d languages%n",
                documents,
                texts.sentences(),
                texts.languages());
        String address = System.getProperty("simhash.node");
        try (var node = new NodeProcessors(Path.of("target"));
                var standing = address == null ? null : new RestClient(URI.create(address));
                var cluster = address == null
                        ? RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "4g"))
                        : null) {
            Fingerprinter words = node.create(Map.of("min_shingle_size", 3, "max_shingle_size", 3))
                    .fingerprinter();
            Fingerprinter stored = node.create(Map.of()).fingerprinter();
            var scaled = new ScaledTexts(
                    () -> standing == null ? cluster.client() : standing, texts, words, stored, documents);
            if (scaled.client().get("/" + INDEX).ok() == false) {
                scaled.index();
            }
            double[] similarities = scaled.similarities();
            for (String job : List.of(args).subList(1, args.length)) {
                if (job.startsWith(HEAP)) {
                    cluster.kill(0);
                    cluster.restart(0, NodeOptions.production(1, job.substring(HEAP.length())));
                } else {
                    scaled.run(job, similarities);
                }
            }
        }
    }

    private RestClient client() {
        return clients.get();
    }

    private void index() {
        RestClient client = client();
        new SampleIndex().configure(client);
        List<Map<String, ?>> processors =
                List.of(Map.of("simhash", Map.of("field", "content")), Map.of(MINHASH, Map.of("field", "content")));
        client.must("PUT", "/_ingest/pipeline/both", Json.write(Map.of("processors", processors)));
        // The texts are read by the job, and searched by nobody.
        Map<String, ?> content = Map.of("properties", Map.of("content", Map.of("type", "text", "index", false)));
        FingerprintIndex index = FingerprintIndex.build(
                client,
                INDEX,
                Map.of("default_pipeline", "both"),
                content,
                documents,
                number -> Json.write(Map.of("content", texts.text(number))));
        System.out.printf(
                Locale.ROOT,
                "indexed in %,.0f s, merged in %,.0f s, %,d bytes a document%n",
                index.bulkSeconds(),
                index.mergeSeconds(),
                index.bytes() / documents);
    }

    /** Of each edit with what it is an edit of; NaN for the others. */
    private double[] similarities() {
        double[] similarities = new double[documents];
        IntStream.range(0, documents).parallel().forEach(number -> {
            int origin = texts.origin(number);
            similarities[number] = origin < 0 ? Double.NaN : jaccard(number, origin);
        });
        long near =
                Arrays.stream(similarities).filter(value -> value >= Truth.NEAR).count();
        long edits = Arrays.stream(similarities).filter(value -> value >= 0).count();
        System.out.printf(Locale.ROOT, "%,d edits, %,d near%n", edits, near);
        return similarities;
    }

    private double jaccard(int a, int b) {
        return ShingleSets.jaccard(shingles(a), shingles(b));
    }

    private long[] shingles(int number) {
        return ShingleSets.features(texts.text(number), null, words);
    }

    private boolean isVerified(int a, int b) {
        var verification =
                Verification.of(NodeProcessors.TEXT, null, Verification.DEFAULT_SHINGLE_SIZE, null, null);
        String left = stored.prepare(texts.text(a), bytes -> {});
        Analyzer analyzer = stored.analyzer(null, left);
        return new TextComparison(verification, analyzer, TokenWeights.EQUAL, left, bytes -> {}, () -> {})
                .compare(stored.prepare(texts.text(b), bytes -> {}), bytes -> {}, () -> {})
                .isSimilar();
    }

    private void run(String job, double[] similarities) {
        String[] parts = job.split(":", 2);
        Map<String, Object> options = new TreeMap<>();
        if (parts[0].equals(MINHASH)) {
            options.put("sketch", MINHASH);
        } else {
            options.put("max_distance", Integer.parseInt(parts[0]));
        }
        options.put("dest", Map.of("index", GROUPS));
        if (parts.length > 1) {
            options.put("verify", Map.of("field", "content", "min_similarity", Double.parseDouble(parts[1])));
        }
        client().send("DELETE", "/" + GROUPS, null);
        Answer answer = job(Json.write(options));
        int[] survivors = survivors();
        long near = 0;
        long missed = 0;
        long[] nearOfBand = new long[BANDS.length];
        long[] foundOfBand = new long[BANDS.length];
        long wrong = 0;
        long duplicates = 0;
        for (int number = 0; number < documents; number++) {
            if (similarities[number] >= Truth.NEAR) {
                boolean isMissed = survivors[number] < 0 && survivors[texts.origin(number)] < 0;
                near++;
                missed += isMissed ? 1 : 0;
                int place = Arrays.binarySearch(BANDS, similarities[number]);
                int band = place < 0 ? -place - 2 : place;
                nearOfBand[band]++;
                foundOfBand[band] += isMissed ? 0 : 1;
            }
        }
        boolean[] wrongs = new boolean[documents];
        var refused = new LongAdder();
        IntStream.range(0, documents)
                .parallel()
                .filter(number -> survivors[number] >= 0)
                .filter(number -> jaccard(number, survivors[number]) < Truth.NEAR)
                .forEach(number -> {
                    wrongs[number] = true;
                    if (isVerified(number, survivors[number]) == false) {
                        refused.increment();
                    }
                });
        for (int number = 0; number < documents; number++) {
            duplicates += survivors[number] >= 0 ? 1 : 0;
            wrong += wrongs[number] ? 1 : 0;
        }
        System.out.printf(
                Locale.ROOT,
                "job %-11s %,7.1f s, %,d pairs, %,d duplicates | of %,d near pairs missed %.3f %% | of the duplicates wrong %.3f %%, by verify %.3f %%%n    %s%n",
                job,
                answer.number("response.took") / 1e3,
                answer.number("response.pairs"),
                duplicates,
                near,
                100.0 * missed / near,
                100.0 * wrong / Math.max(1, duplicates),
                100.0 * refused.sum() / Math.max(1, duplicates),
                answer.at("response.phases_millis"));
        for (int band = 0; band < BANDS.length; band++) {
            System.out.printf(
                    Locale.ROOT,
                    "    from %.2f: %,d near pairs, found %.4f%n",
                    BANDS[band],
                    nearOfBand[band],
                    (double) foundOfBand[band] / nearOfBand[band]);
        }
    }

    /** A task: it may take longer than a request may. */
    private Answer job(String options) {
        RestClient client = client();
        String task = client.must(
                        "POST",
                        "/_plugins/_simhash/deduplicate/" + INDEX + "?wait_for_completion=false",
                        options)
                .string("task");
        Answer status = client.await(task);
        if (status.at("error") != null) {
            throw new IllegalStateException(status.text());
        }
        return status;
    }

    /** Of each document; negative for those that stay. */
    private int[] survivors() {
        int[] survivors = new int[documents];
        Arrays.fill(survivors, -1);
        RestClient client = client();
        Answer page = client.must(
                "POST",
                "/" + GROUPS + "/_search?scroll=5m&size=" + PAGE,
                "{\"sort\":[\"_doc\"],\"_source\":[\"survivor.id\",\"members.id\"]}");
        while (page.hits().isEmpty() == false) {
            for (Map<String, Object> hit : page.hits()) {
                int survivor = Integer.parseInt((String) Json.at(hit, "_source.survivor.id"));
                for (Object member : (List<?>) Json.at(hit, "_source.members")) {
                    survivors[Integer.parseInt((String) Json.at(member, "id"))] = survivor;
                }
            }
            String scroll = Json.write(Map.of("scroll", "5m", "scroll_id", page.string("_scroll_id")));
            page = client.must("POST", "/_search/scroll", scroll);
        }
        return survivors;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What scraping costs: documents per second through {@code simhash} and {@code near_duplicate} on one real node, with a scrape each
 * second and without, in turns, every other round in the opposite order; and how long the scrapes take meanwhile. All documents go into one
 * index, which grows to the number that is the first argument (200,000). The second argument is the number of rounds (10).
 *
 * <p>Documents of {@value #WORDS} words of the sample corpus, one in five a copy of another but for its last word; one shard,
 * {@value #CLIENTS} clients on the same machine.
 */
public final class MetricsOverhead {

    private static final int WORDS = 200;
    private static final int BULK = 500;
    private static final int CLIENTS = 2;
    private static final String INDEX = "scraped";
    private static final String METRICS = "/_plugins/_simhash/metrics";

    private final RestClient client;
    private final List<String> words = new SampleIndex().words("en", "de", "fr", "es");
    private final ConcurrentLinkedQueue<Long> scrapes = new ConcurrentLinkedQueue<>();
    private final Random random = new Random(1);

    private MetricsOverhead(RestClient client) {
        this.client = client;
    }

    public static void main(String[] args) throws InterruptedException, ExecutionException {
        int documents = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
        try (var cluster = RealCluster.start(Distribution.ofTheBuild(), NodeOptions.production(1, "2g"))) {
            new MetricsOverhead(cluster.client()).compare(documents, rounds);
        }
    }

    private void compare(int documents, int rounds) throws InterruptedException, ExecutionException {
        String processors = "{\"processors\":[{\"simhash\":{\"field\":\"content\"}},{\"near_duplicate\":{}}]}";
        client.must("PUT", "/_ingest/pipeline/" + INDEX, processors);
        var settings = Map.of("number_of_shards", 1, "number_of_replicas", 0, "index.default_pipeline", INDEX);
        client.must(
                "PUT", "/" + INDEX, Json.write(Map.of("settings", settings, "mappings", new SampleIndex().mappings())));
        // Each round has a part with scrapes, one without.
        int part = documents / 2 / (rounds + 1);
        double[] ratios = new double[rounds];
        List<IndexingRound> with = new ArrayList<>();
        List<IndexingRound> without = new ArrayList<>();
        for (int round = -1; round < rounds; round++) {
            boolean isScrapedFirst = round % 2 == 0;
            IndexingRound first = index(part, isScrapedFirst);
            IndexingRound second = index(part, isScrapedFirst == false);
            IndexingRound scraped = isScrapedFirst ? first : second;
            IndexingRound alone = isScrapedFirst ? second : first;
            if (round < 0) {
                scrapes.clear(); // warming up
                continue;
            }
            scraped.print("scraped, round " + (round + 1));
            alone.print("not scraped");
            with.add(scraped);
            without.add(alone);
            ratios[round] = scraped.documentsPerSecond() / alone.documentsPerSecond();
        }
        IndexingRound.median(with).print("scraped, median");
        IndexingRound.median(without).print("not scraped, median");
        long[] times = scrapes.stream().mapToLong(Long::longValue).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "throughput scraped / not scraped, median of %d rounds: %.3f; %d scrapes of %d bytes: median %.1f ms,"
                        + " p95 %.1f ms, longest %.1f ms%n",
                rounds,
                IndexingRound.median(Arrays.stream(ratios)),
                times.length,
                client.get(METRICS).text().length(),
                times[times.length / 2] / 1e6,
                times[times.length * 95 / 100] / 1e6,
                times[times.length - 1] / 1e6);
    }

    private IndexingRound index(int documents, boolean isScraped) throws InterruptedException, ExecutionException {
        List<String> bulks = bulks(documents);
        Duration cpuBefore = NodeClock.cpu(client);
        long start = System.nanoTime();
        ScheduledExecutorService scraper = Executors.newSingleThreadScheduledExecutor();
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            Future<?> scraping = isScraped ? scraper.scheduleAtFixedRate(this::scrape, 0, 1, TimeUnit.SECONDS) : null;
            List<Future<Answer>> answers = new ArrayList<>();
            for (String bulk : bulks) {
                answers.add(clients.submit(() -> client.must("POST", "/" + INDEX + "/_bulk?filter_path=errors", bulk)));
            }
            for (Future<Answer> answer : answers) {
                if ((boolean) answer.get().at("errors")) {
                    throw new IllegalStateException("documents were refused");
                }
            }
            if (scraping != null && scraping.cancel(false) == false) {
                throw new IllegalStateException("a scrape failed");
            }
        } finally {
            scraper.shutdownNow();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        client.must("POST", "/" + INDEX + "/_flush", null);
        double cpuMicros = NodeClock.cpu(client).minus(cpuBefore).toNanos() / 1e3 / documents;
        return new IndexingRound(documents / seconds, cpuMicros);
    }

    private void scrape() {
        long start = System.nanoTime();
        client.must("GET", METRICS, null);
        scrapes.add(System.nanoTime() - start);
    }

    /** Made beforehand: the clients only send. */
    private List<String> bulks(int documents) {
        List<String> bulks = new ArrayList<>();
        String content = "";
        for (int from = 0; from < documents; from += BULK) {
            var lines = new StringBuilder();
            for (int i = from; i < Math.min(from + BULK, documents); i++) {
                content = i % 5 == 4 ? content.substring(0, content.lastIndexOf(' ')) : text();
                lines.append("{\"index\":{}}\n");
                lines.append(Json.write(Map.of("content", content))).append('\n');
            }
            bulks.add(lines.toString());
        }
        return bulks;
    }

    /** Words as often as in the sample, in any order: no two texts are alike. */
    private String text() {
        var text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(words.get(random.nextInt(words.size()))).append(' ');
        }
        return text.toString().strip();
    }
}

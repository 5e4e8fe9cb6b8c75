/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * An index of one shard, merged into one Lucene leaf, whose documents hold a fingerprint and nothing else.
 *
 * @param name of the index
 * @param bytes on disk
 * @param bulkSeconds to index the documents by {@code _bulk}
 * @param mergeSeconds to merge them into one leaf
 */
public record FingerprintIndex(String name, long bytes, double bulkSeconds, double mergeSeconds) {

    private static final int BULK = 2_000;
    private static final int CLIENTS = 2;

    /** With the mapping that the plugin brings along. */
    static FingerprintIndex build(RestClient client, String name, Corpus corpus) {
        Object mappings = new SampleIndex().mappings();
        return build(client, name, Map.of(), mappings, corpus.size(), i -> document(corpus, i));
    }

    /** The same documents, their fingerprint in {@code _source} only. */
    static FingerprintIndex buildWithoutFields(RestClient client, String name, Corpus corpus) {
        Object mappings = Map.of("properties", Map.of("simhash", Map.of("type", "object", "enabled", false)));
        return build(client, name, Map.of(), mappings, corpus.size(), i -> document(corpus, i));
    }

    /** The same documents, all but one field in {@code _source} only. */
    static FingerprintIndex buildWithField(
            RestClient client, String name, Corpus corpus, String field, Map<String, Object> type) {
        Object object = Map.of("type", "object", "dynamic", false, "properties", Map.of(field, type));
        Object mappings = Map.of("properties", Map.of("simhash", object));
        return build(client, name, Map.of(), mappings, corpus.size(), i -> document(corpus, i));
    }

    /** @param source the JSON of document {@code i} */
    public static FingerprintIndex build(
            RestClient client,
            String name,
            Map<String, Object> settings,
            Object mappings,
            int documents,
            IntFunction<String> source) {
        client.send("DELETE", "/" + name, null);
        Map<String, Object> all = new TreeMap<>(settings);
        all.putAll(Map.of("number_of_shards", 1, "number_of_replicas", 0, "refresh_interval", -1));
        client.must("PUT", "/" + name, Json.write(Map.of("settings", all, "mappings", mappings)));

        long start = System.nanoTime();
        fill(client, name, documents, source);
        long filled = System.nanoTime();
        merge(client, name);
        long merged = System.nanoTime();

        Answer stats = client.must("GET", "/" + name + "/_stats/store,docs,segments", null);
        String primaries = "indices." + name + ".primaries.";
        if (stats.number(primaries + "docs.count") != documents || stats.number(primaries + "segments.count") != 1) {
            throw new IllegalStateException("not " + documents + " documents in one leaf: " + stats.text());
        }
        return new FingerprintIndex(
                name, stats.number(primaries + "store.size_in_bytes"), (filled - start) / 1e9, (merged - filled) / 1e9);
    }

    private static void fill(RestClient client, String name, int documents, IntFunction<String> source) {
        try (var clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> bulks = new ArrayList<>();
            for (int from = 0; from < documents; from += BULK) {
                int first = from;
                int end = Math.min(from + BULK, documents);
                bulks.add(clients.submit(() -> bulk(client, name, first, end, source)));
            }
            for (Future<?> bulk : bulks) {
                bulk.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void bulk(RestClient client, String name, int from, int end, IntFunction<String> source) {
        var lines = new StringBuilder();
        for (int i = from; i < end; i++) {
            lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
            lines.append(source.apply(i)).append('\n');
        }
        Answer answer = client.must("POST", "/" + name + "/_bulk?filter_path=errors", lines.toString());
        if ((boolean) answer.at("errors")) {
            throw new IllegalStateException("documents were refused by [" + name + "]");
        }
    }

    /** As a task: a large merge takes longer than a request may. */
    private static void merge(RestClient client, String name) {
        client.must("POST", "/" + name + "/_flush", null);
        String path = "/" + name + "/_forcemerge?max_num_segments=1&wait_for_completion=false";
        String task = client.must("POST", path, null).string("task");
        client.await(task);
        client.must("POST", "/" + name + "/_refresh", null);
        client.must("POST", "/" + name + "/_flush?force=true", null);
    }

    private static String document(Corpus corpus, int i) {
        return "{\"simhash\":" + fields(corpus.fingerprint(i), i) + "}";
    }

    /** The fields of document {@code i}, as the processor writes them. */
    static String fields(long bits, int i) {
        String hash = SearchForm.hex(bits);
        return "{\"hash\":\"" + hash
                + "\",\"bits\":" + bits
                + ",\"segment_0\":\"" + hash.substring(0, 4)
                + "\",\"segment_1\":\"" + hash.substring(4, 8)
                + "\",\"segment_2\":\"" + hash.substring(8, 12)
                + "\",\"segment_3\":\"" + hash.substring(12)
                + "\",\"digest\":\"" + SearchForm.hex(Corpus.mix(i)) + SearchForm.hex(Corpus.mix(~(long) i))
                + "\",\"features\":" + (100 + i % 200)
                + ",\"scheme\":\"v1-0badcafe\"}";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.reindex.BulkByScrollResponse;
import org.opensearch.index.reindex.UpdateByQueryAction;
import org.opensearch.index.reindex.UpdateByQueryRequest;
import org.opensearch.ingest.IngestService;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestActionListener;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.jobs.job.JobRequest.JobRoutes;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.Endpoint;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.script.DocumentScript;
import org.opensearch.simhash.jobs.write.JobIndex;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.tasks.LoggingTaskListener;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.node.NodeClient;

/** Requests that mend, for Dev Tools. */
public final class MendingRequest {

    private MendingRequest() {}

    public static String of(String method, String path, Map<String, ?> body) {
        try (XContentBuilder json = XContentFactory.jsonBuilder().prettyPrint()) {
            return method + " " + path + "\n" + json.map(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static BytesReference json(Map<String, Object> body) {
        try (XContentBuilder json = XContentFactory.jsonBuilder()) {
            return BytesReference.bytes(json.map(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As requests have it, with flat settings. */
    public static Map<String, Object> asMap(ToXContent part) {
        ToXContent.Params flat = new ToXContent.MapParams(Map.of("flat_settings", "true"));
        return XContentHelper.convertToMap(
                JsonXContent.jsonXContent, Strings.toString(MediaTypeRegistry.JSON, part, flat), true);
    }

    /** Maps the missing parts one by one, because dynamic templates would replace those of the index. */
    static String putMapping(CheckedIndex index, int segments) {
        Map<String, Object> parts = index.kind().partsAndTags(segments);
        parts.keySet().removeIf(part -> index.mapping().maps(index.path(part)));
        return of("PUT", "/" + index.inPath() + "/_mapping", within(index.fingerprint(), Map.of("properties", parts)));
    }

    public static Map<String, Object> within(String path, Map<String, Object> object) {
        String[] names = path.split("\\.", -1);
        Map<String, Object> inner = object;
        for (int i = names.length - 1; i >= 0; i--) {
            inner = Map.of("properties", Map.of(names[i], inner));
        }
        return inner;
    }

    public static Map<String, Object> with(Map<?, ?> options, String name, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>();
        options.forEach((option, typed) -> changed.put(String.valueOf(option), typed));
        changed.put(name, value);
        return changed;
    }

    static String putSettings(CheckedIndex index, String setting, Object value) {
        return of("PUT", "/" + index.inPath() + "/_settings", Map.of(setting, value));
    }

    static String putPipeline(String pipeline, Map<String, Object> definition) {
        return of("PUT", "/_ingest/pipeline/" + encoded(pipeline), definition);
    }

    /** Writes documents again, in the way that the index allows. */
    static String updateByQuery(CheckedIndex index, String pipeline, QueryBuilder query) {
        return unlessUnchangeable(index, updateByQuery(index, pipeline, Map.of("query", query)));
    }

    static String updateByQuery(CheckedIndex index, String pipeline, Map<String, Object> body) {
        String byQuery = "/" + index.inPath() + "/_update_by_query?pipeline=" + encoded(pipeline)
                + "&conflicts=proceed&refresh=true"
                + RandomDocuments.scrollSize(index.documents().atOnce());
        return of("POST", byQuery, asStored(index, body));
    }

    /** The request, or what does the same where no document can be updated. */
    static String unlessUnchangeable(CheckedIndex index, String request) {
        if (JobIndex.unchangeable(index.metadata()) == null) {
            return request;
        }
        return index.metadata().useIngestionSource()
                ? "POST /" + index.inPath() + "/ingestion/_pause\n\n"
                        + of("POST", "/" + index.inPath() + "/ingestion/_resume", readingAgain(index))
                : new IndexCopy(index, SegmentLayout.USUAL).mend();
    }

    /** Lets a paused index pull all that its source has, through its final pipeline. */
    public static Map<String, Object> readingAgain(CheckedIndex index) {
        return Map.of(
                "reset_settings",
                IntStream.range(0, index.metadata().getNumberOfShards())
                        .mapToObj(shard -> Map.of("shard", shard, "mode", "offset", "value", "0"))
                        .toList());
    }

    /** What reads documents to write them again. A search pipeline of the index would change them on the way. */
    public static Map<String, Object> asStored(CheckedIndex index, Map<String, Object> read) {
        boolean hasSearchPipeline =
                IndexSettings.DEFAULT_SEARCH_PIPELINE.exists(index.metadata().getSettings());
        return hasSearchPipeline ? with(read, "search_pipeline", Map.of()) : read;
    }

    /** Looks for a document that the user does not get as it is stored. A shard that does not answer could have one. */
    public static SearchRequest altered(String[] indices, QueryBuilder documents) {
        return new SearchRequest(indices)
                .source(JobQuery.altered(documents))
                .pipeline("_none")
                .allowPartialSearchResults(false);
    }

    /** Of names in a path; commas stay. */
    public static String encoded(String names) {
        return URLEncoder.encode(names, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2C", ",");
    }

    /**
     * {@code POST /_plugins/_simhash/check/{index}/mend}. Behaves like {@code _update_by_query} with {@link DocumentScript#MEND}: same
     * answer, and the parameters {@code wait_for_completion} and {@code requests_per_second}. Only a final pipeline runs.
     */
    public static final class MendRoute {

        private MendRoute() {}

        public static CheckedConsumer<RestChannel, Exception> of(
                RestRequest request, String[] indices, NodeClient client) throws IOException {
            Endpoint.requireNoOptions(request);
            boolean isAwaited = request.paramAsBoolean("wait_for_completion", true);
            UpdateByQueryRequest mending = mending(request, indices).setShouldStoreResult(isAwaited == false);
            QueryBuilder documents = mending.getSearchRequest().source().query();
            CheckedConsumer<RestChannel, Exception> mend = mend(mending, isAwaited, client);
            return channel -> client.search(altered(indices, documents), new RestActionListener<>(channel) {
                @Override
                protected void processResponse(SearchResponse found) throws Exception {
                    JobQuery.requireWhole(found);
                    mend.accept(channel);
                }
            });
        }

        private static CheckedConsumer<RestChannel, Exception> mend(
                UpdateByQueryRequest mending, boolean isAwaited, NodeClient client) {
            if (isAwaited) {
                return channel -> client.executeLocally(
                        UpdateByQueryAction.INSTANCE, mending, new RestBuilderListener<BulkByScrollResponse>(channel) {
                            @Override
                            public BytesRestResponse buildResponse(
                                    BulkByScrollResponse response, XContentBuilder builder) throws Exception {
                                builder.startObject();
                                response.toXContent(builder, channel.request());
                                builder.endObject();
                                return new BytesRestResponse(RestStatus.OK, builder);
                            }
                        });
            }
            return channel -> JobRoutes.sendTask(
                    channel,
                    client,
                    client.executeLocally(UpdateByQueryAction.INSTANCE, mending, LoggingTaskListener.instance())
                            .getId());
        }

        /** Refuses indices of which OpenSearch refuses each document, and larger pages than they allow. Blocks. */
        static void prepare(UpdateByQueryRequest update, SearchedIndices.Cluster cluster, Client client) {
            ClusterState state = cluster.service().state();
            List<IndexMetadata> indices = Stream.of(cluster.resolver().concreteIndexNames(state, update))
                    .map(state.metadata()::index)
                    .toList();
            for (IndexMetadata index : indices) {
                String name = index.getIndex().getName();
                state.blocks().indexBlockedRaiseException(ClusterBlockLevel.WRITE, name);
                String reason = JobIndex.unchangeable(index);
                if (reason != null) {
                    throw new IllegalArgumentException(
                            "[index] must be one whose documents can be updated, got: " + name + ", which " + reason);
                }
            }
            if (indices.isEmpty() == false) {
                int atOnce = RandomDocuments.of(indices, client).atOnce();
                update.setBatchSize(Math.min(update.getBatchSize(), atOnce));
            }
        }

        private static UpdateByQueryRequest mending(RestRequest request, String[] indices) {
            String field = ProcessorOptions.requirePath(
                    "[field] must name a field", request.param("field", FingerprintFields.DEFAULT_OBJECT));
            WritePace pace = WritePace.of(request.paramAsFloat("requests_per_second", -1));
            UpdateByQueryRequest mending = new UpdateByQueryRequest(indices);
            // Documents do not have the values of nested objects.
            mending.setQuery(field.indexOf('.') < 0 ? QueryBuilders.existsQuery(field) : QueryBuilders.matchAllQuery());
            mending.setScript(DocumentScript.mend(field));
            mending.getSearchRequest().pipeline(IngestService.NOOP_PIPELINE_NAME);
            return mending.setPipeline(IngestService.NOOP_PIPELINE_NAME)
                    .setBatchSize(pace.pageSize())
                    .setAbortOnVersionConflict(false)
                    .setRequestsPerSecond(pace.requestsPerSecond())
                    .setRefresh(true);
        }
    }
}

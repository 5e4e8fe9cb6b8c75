/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitInfo;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.routing.RoutingTable;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.BaseQueryRewriteContext;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;
import org.opensearch.search.SearchContextMissingException;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.RowPage;
import org.opensearch.simhash.jobs.scan.Retries.Rejections;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.client.Client;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/**
 * A frozen view of all shards. Each document has an address in it: the position of its shard, and its number in the shard's reader, as one
 * long. Searches block: never call them on a transport thread.
 */
public final class PointInTime implements AutoCloseable {

    private static final Logger LOGGER = LogManager.getLogger(PointInTime.class);
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(5);
    /** So long a job whose node was killed keeps a copy of a shard from coming back to a node that it has left. */
    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(3);

    private static final int RENEWALS = 5;

    /** Hits at once, where an index allows more. */
    private static final int MOST_READ = 5_000;

    private final String id;
    private final Client client;
    /** Null if somebody else keeps it alive. */
    private final TimeValue keepAlive;

    private final List<ShardId> shards;
    private final Map<ShardId, Integer> positions = new HashMap<>();
    private final Map<ShardId, String> nodes = new HashMap<>();
    private int mostHits = Integer.MAX_VALUE;

    /** Limit per node for one search; 0 for OpenSearch's default. */
    private int shardsAtOnce;

    private final Retries retries;
    private Scheduler.Cancellable renewal;
    private final Client closer;
    private Runnable unwatch = () -> {};

    /** A point in time that the caller opened and keeps alive. */
    public PointInTime(String id, Client client, NamedWriteableRegistry registry, Retries retries) {
        this(id, client, registry, null, retries);
    }

    private PointInTime(
            String id, Client client, NamedWriteableRegistry registry, TimeValue keepAlive, Retries retries) {
        this.id = id;
        this.retries = retries;
        this.client = client;
        // The job's own client sends nothing once the job is cancelled.
        this.closer = client instanceof ParentTaskAssigningClient ofTask ? ofTask.unwrap() : client;
        this.keepAlive = keepAlive;
        SearchContextId contexts = SearchContextId.decode(registry, id);
        contexts.shards().forEach((shard, context) -> nodes.put(shard, context.getNode()));
        this.shards = new ArrayList<>(nodes.keySet());
        shards.sort(Comparator.comparing(ShardId::getIndexName).thenComparingInt(ShardId::id));
        shards.forEach(shard -> positions.put(shard, positions.size()));
    }

    /** Opens a point in time on all shards. It lives until it is closed. */
    public static PointInTime open(
            String[] indices,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            ClusterService cluster,
            Retries retries) {
        return openOnCopies(null, indices, options, client, registry, cluster, retries);
    }

    /** @param preference equal texts select equal copies of the shards while these exist; null for any */
    public static PointInTime openOnCopies(
            String preference,
            String[] indices,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            ClusterService cluster,
            Retries retries) {
        TimeValue maxKeepAlive = cluster.getClusterSettings().get(SearchService.MAX_PIT_KEEPALIVE_SETTING);
        TimeValue keepAlive = maxKeepAlive.compareTo(KEEP_ALIVE) < 0 ? maxKeepAlive : KEEP_ALIVE;
        requireAny(indices, options, client, cluster);
        CreatePitRequest request = new CreatePitRequest(keepAlive, false, indices);
        request.setPreference(preference);
        request.setIndicesOptions(options);
        String id = retries.call(() ->
                client.execute(CreatePitAction.INSTANCE, request).actionGet().getId());
        PointInTime opened = new PointInTime(id, client, registry, keepAlive, retries);
        opened.renewal = client.threadPool()
                .scheduleWithFixedDelay(
                        opened::renew,
                        TimeValue.timeValueMillis(keepAlive.millis() / RENEWALS),
                        ThreadPool.Names.GENERIC);
        opened.watch(cluster);
        // From the opened indices: a name may mean another index now.
        opened.mostHits = SearchedIndices.mostHits(cluster.state().metadata(), List.of(opened.indices()));
        return opened;
    }

    /** OpenSearch would open one on no shards, then fail for lack of an id. */
    private static void requireAny(String[] indices, IndicesOptions options, Client client, ClusterService cluster) {
        IndexNameExpressionResolver resolver =
                new IndexNameExpressionResolver(client.threadPool().getThreadContext());
        if (resolver.concreteIndexNames(cluster.state(), options, true, indices).length == 0) {
            throw new IndexNotFoundException(String.join(",", indices));
        }
    }

    /**
     * Closes it when it is in the way: a node that lost a shard cannot open it again while a part of this is held there. After five
     * attempts OpenSearch would give the shard up.
     */
    private void watch(ClusterService cluster) {
        Runnable letGo = client.threadPool().getThreadContext().preserveContext(this::delete);
        ClusterStateListener listener = event -> {
            if (event.routingTableChanged() && isInTheWay(event.state().routingTable())) {
                client.threadPool().executor(ThreadPool.Names.GENERIC).execute(letGo);
            }
        };
        cluster.addListener(listener);
        unwatch = () -> cluster.removeListener(listener);
    }

    private boolean isInTheWay(RoutingTable routing) {
        return nodes.entrySet().stream().anyMatch(part -> {
            ShardId shard = part.getKey();
            return routing.hasIndex(shard.getIndex())
                    && routing.shardRoutingTable(shard).getAllInitializingShards().stream()
                            .anyMatch(copy -> copy.currentNodeId().equals(part.getValue()));
        });
    }

    /** Needed because a job that joins or writes slowly sends no search for longer than the keep-alive. */
    private void renew() {
        try {
            client.search(
                    request(new SearchSourceBuilder().size(0).trackTotalHits(false)),
                    ActionListener.wrap(renewed -> {}, PointInTime::notRenewed));
        } catch (RuntimeException e) {
            notRenewed(e);
        }
    }

    private static void notRenewed(Exception e) {
        LOGGER.debug("point in time not renewed", e);
    }

    /** Limits each search to one thread per node. */
    public PointInTime searchingOneShardAtATime() {
        shardsAtOnce = 1;
        return this;
    }

    public int mostHits() {
        return mostHits;
    }

    /** Closes it. What cannot be closed, as on a node that is away, is watched until it is dropped after the keep-alive. */
    @Override
    public void close() {
        if (renewal != null) {
            renewal.cancel();
        }
        if (delete() || keepAlive == null) {
            unwatch.run();
        } else {
            client.threadPool().scheduleUnlessShuttingDown(keepAlive, ThreadPool.Names.SAME, unwatch);
        }
    }

    /** Returns whether no node holds a part any more. */
    private boolean delete() {
        try {
            return closer
                    .execute(DeletePitAction.INSTANCE, new DeletePitRequest(id))
                    .actionGet(PATIENCE)
                    .getDeletePitResults()
                    .stream()
                    .allMatch(DeletePitInfo::isSuccessful);
        } catch (RuntimeException e) {
            LOGGER.debug("point in time not closed", e);
            return false;
        }
    }

    public String id() {
        return id;
    }

    /** The shards by index name, then by number. */
    public List<ShardId> shards() {
        return shards;
    }

    /** Ids of the nodes that hold its shards. */
    public Set<String> nodes() {
        return Set.copyOf(nodes.values());
    }

    public String[] indices() {
        return shards().stream().map(ShardId::getIndexName).distinct().toArray(String[]::new);
    }

    long address(ShardId shard, int doc) {
        return (long) positions.get(shard) << Integer.SIZE | doc;
    }

    public ShardId shard(long address) {
        return shards.get((int) (address >>> Integer.SIZE));
    }

    /** Document numbers per shard, ascending. */
    Map<ShardId, int[]> byShard(long[] documents) {
        long[] sorted = documents.clone();
        Arrays.sort(sorted);
        Map<ShardId, int[]> byShard = new HashMap<>();
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || sorted[i] >>> Integer.SIZE != sorted[start] >>> Integer.SIZE) {
                int[] docs = new int[i - start];
                for (int j = start; j < i; j++) {
                    docs[j - start] = (int) sorted[j];
                }
                byShard.put(shard(sorted[start]), docs);
                start = i;
            }
        }
        return byShard;
    }

    /**
     * @param documents ascending
     * @throws OpenSearchStatusException if the user does not get one as it is stored
     */
    public void requireWhole(long[] documents) {
        for (int from = 0; from < documents.length; from += PairScan.PAGE) {
            long[] page = Arrays.copyOfRange(documents, from, Math.min(documents.length, from + PairScan.PAGE));
            JobQuery.requireWhole(search(JobQuery.altered(these(page))));
        }
    }

    public QueryBuilder these(long[] documents) {
        return JobQuery.documents(byShard(documents));
    }

    /**
     * Matches some documents by random numbers.
     *
     * @param below numbers of each shard are below it
     * @param limit numbers, of all shards together; each has some
     */
    public QueryBuilder drawn(SplittableRandom random, long below, int limit) {
        int each = 1 + limit / Math.max(1, shards().size());
        int bound = (int) Math.min(Integer.MAX_VALUE, below);
        return JobQuery.documents(shards().stream()
                .collect(Collectors.toMap(
                        shard -> shard,
                        shard -> random.ints(each, 0, bound).sorted().distinct().toArray())));
    }

    /** Does the lookups of a query, like a search of this. */
    public QueryBuilder lookUp(QueryBuilder query, NamedXContentRegistry contents, NamedWriteableRegistry registry) {
        QueryRewriteContext context = new QueryCoordinatorContext(
                new BaseQueryRewriteContext(contents, registry, client, System::currentTimeMillis),
                request(new SearchSourceBuilder().query(query)));
        return retries.call(() -> {
            PlainActionFuture<QueryBuilder> found = new PlainActionFuture<>();
            Rewriteable.rewriteAndFetch(query, context, found);
            return found.actionGet();
        });
    }

    public long count(QueryBuilder query) {
        SearchSourceBuilder source =
                new SearchSourceBuilder().query(query).size(0).trackTotalHits(true);
        return search(source).getHits().getTotalHits().value();
    }

    /** Searches all shards, or fails. Repeats rejected searches. */
    public SearchResponse search(SearchSourceBuilder source) {
        return retries.call(() -> {
            try {
                return client.search(request(source)).actionGet();
            } catch (RuntimeException e) {
                if (ExceptionsHelper.unwrap(e, IllegalArgumentException.class)
                        instanceof IllegalArgumentException refusal) {
                    throw refusal; // of a field, in the words of the shard
                }
                // The rest of the search is cancelled, which looks like a rejection.
                throw asUnavailable(e);
            }
        });
    }

    <W extends Writeable> List<RowPage> pages(QueryBuilder documents, PageKind<W> kind, W page) {
        return kind.pages(search(kind.search(documents, page)));
    }

    public SearchRequest request(SearchSourceBuilder source) {
        PointInTimeBuilder held = new PointInTimeBuilder(id);
        source.pointInTimeBuilder(keepAlive == null ? held : held.setKeepAlive(keepAlive));
        SearchRequest request = new SearchRequest().source(source).allowPartialSearchResults(false);
        // The security plugin reads the indices here. Without them it would check rights on all indices.
        request.indices(indices()).indicesOptions(IndicesOptions.strictExpandOpenAndForbidClosed());
        // A default search pipeline of the index could hide near-duplicates.
        request.pipeline("_none");
        // Nobody repeats these requests. Cached, they would evict what users ask for.
        request.requestCache(false);
        if (shardsAtOnce > 0) {
            request.setMaxConcurrentShardRequests(shardsAtOnce);
        }
        return request;
    }

    /**
     * Reads documents, in no order.
     *
     * @param visitor gets each hit with its address; the last sort value of a hit is internal
     */
    public void read(long[] wanted, SearchSourceBuilder source, BiConsumer<Long, SearchHit> visitor) {
        source.trackTotalHits(false).sort(SortBuilders.shardDocSort());
        for (int from = 0; from < wanted.length; ) {
            int to = (int) Math.min(wanted.length, (long) from + Math.min(mostHits, MOST_READ));
            source.query(JobQuery.documents(byShard(Arrays.copyOfRange(wanted, from, to))))
                    .size(to - from);
            for (SearchHit hit : search(source).getHits()) {
                visitor.accept(address(hit), hit);
            }
            from = to;
        }
    }

    /** The address of a hit whose last sort is {@code _shard_doc}. */
    public long address(SearchHit hit) {
        Object[] sort = hit.getRawSortValues();
        return address(hit.getShard().getShardId(), ((Long) sort[sort.length - 1]).intValue());
    }

    public void forEach(SearchSourceBuilder source, int wanted, Consumer<SearchHit[]> visitor) {
        forEach(source, () -> wanted, visitor);
    }

    /** @param wanted size of the next page; 0 ends the visit */
    public void forEach(SearchSourceBuilder source, IntSupplier wanted, Consumer<SearchHit[]> visitor) {
        HitPages pages = new HitPages(this, source);
        for (int page = wanted.getAsInt(); page > 0 && pages.isEnd() == false; page = wanted.getAsInt()) {
            SearchHit[] hits = pages.read(page);
            if (hits.length > 0) {
                visitor.accept(hits);
            }
            pages.pass(hits);
        }
    }

    /**
     * Turns a lost point in time, or a node that left, into HTTP 503, because a new job would open another one. OpenSearch answers HTTP
     * 404, as if the index were missing, or 500. Returns other failures unchanged.
     */
    public static RuntimeException asUnavailable(RuntimeException e) {
        boolean isLost = Rejections.isCausedBy(e, SearchContextMissingException.class)
                || Rejections.isCausedBy(e, ConnectTransportException.class)
                || Rejections.causes(e, IllegalStateException.class) // of a search that knows the node no more
                        .anyMatch(left -> String.valueOf(left.getMessage()).startsWith("no node found for id"));
        return isLost
                ? new OpenSearchStatusException(
                        "the point in time was lost, as when a node that holds a part of it restarts: start the job again",
                        RestStatus.SERVICE_UNAVAILABLE,
                        e)
                : e;
    }

    /** All hits of a query in a point in time, page by page. Not thread-safe. */
    public static final class HitPages {

        private final PointInTime pointInTime;
        private final SearchSourceBuilder source;
        private int asked;
        private boolean isEnd;

        /** @param source the search; this class changes it */
        public HitPages(PointInTime pointInTime, SearchSourceBuilder source) {
            this.pointInTime = pointInTime;
            this.source = source.trackTotalHits(false).sort(SortBuilders.shardDocSort());
        }

        public boolean isEnd() {
            return isEnd;
        }

        /** The next hits, at most {@code limit}. They come again until they are passed. */
        SearchHit[] read(int limit) {
            asked = Math.min(limit, pointInTime.mostHits());
            return pointInTime.search(source.size(asked)).getHits().getHits();
        }

        /** @param hits the last hits read */
        void pass(SearchHit[] hits) {
            isEnd = hits.length < asked;
            if (isEnd == false) {
                source.searchAfter(hits[hits.length - 1].getSortValues());
            }
        }
    }
}

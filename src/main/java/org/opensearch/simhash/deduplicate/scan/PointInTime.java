/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.simhash.query.SearchedIndices;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * What all shards looked like at one moment. A document has an address in it ({@link Addresses}). Searches wait for their answers: not for transport threads.
 */
public final class PointInTime {

    private static final Logger LOGGER = LogManager.getLogger(PointInTime.class);
    private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(5);
    private static final TimeValue KEEP_ALIVE = TimeValue.timeValueMinutes(10);
    private static final int RENEWALS = 5;

    private final String id;
    private final Client client;
    /** Null when somebody else keeps it alive. */
    private final TimeValue keepAlive;

    private final Addresses addresses;
    private final Set<String> nodes = new HashSet<>();
    private int mostHits = Integer.MAX_VALUE;
    /** Of a node, for one search; 0 for as many as usual. */
    private int shardsAtOnce;

    private final Retries retries;
    private Scheduler.Cancellable renewal;

    /**
     * One that somebody opened, and who keeps it alive.
     *
     * @param client sends searches as the children of a task
     * @param retries each search is tried again as these do it
     */
    public PointInTime(String id, Client client, NamedWriteableRegistry registry, Retries retries) {
        this(id, client, registry, null, retries);
    }

    private PointInTime(
            String id, Client client, NamedWriteableRegistry registry, TimeValue keepAlive, Retries retries) {
        this.id = id;
        this.retries = retries;
        this.client = client;
        this.keepAlive = keepAlive;
        SearchContextId contexts = SearchContextId.decode(registry, id);
        this.addresses = new Addresses(contexts.shards().keySet());
        contexts.shards().values().forEach(context -> nodes.add(context.getNode()));
    }

    /**
     * Opens one, which lives until it is closed; every shard has to be there.
     *
     * @param cluster tells how long the shards keep it at most, and how many hits the indices allow a search
     * @param retries opening it, and each search in it, is tried again as these do it
     */
    public static PointInTime open(
            String[] indices,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            ClusterService cluster,
            Retries retries) {
        return openOnCopies(null, indices, options, client, registry, cluster, retries);
    }

    /** @param preference the same text chooses the same copies of the shards, as long as these are there; null for any */
    public static PointInTime openOnCopies(
            String preference,
            String[] indices,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            ClusterService cluster,
            Retries retries) {
        TimeValue most = cluster.getClusterSettings().get(SearchService.MAX_PIT_KEEPALIVE_SETTING);
        TimeValue keepAlive = most.compareTo(KEEP_ALIVE) < 0 ? most : KEEP_ALIVE;
        requireAny(indices, options, client, cluster);
        CreatePitRequest request = new CreatePitRequest(keepAlive, false, indices);
        request.setPreference(preference);
        PointInTime opened = open(request, options, client, registry, retries);
        // Of what was opened: a name may have come to mean another index.
        opened.mostHits = SearchedIndices.mostHits(cluster.state().metadata(), List.of(opened.indices()));
        return opened;
    }

    /** OpenSearch makes one of no shards, too, and then fails for want of its id. */
    private static void requireAny(String[] indices, IndicesOptions options, Client client, ClusterService cluster) {
        IndexNameExpressionResolver resolver =
                new IndexNameExpressionResolver(client.threadPool().getThreadContext());
        if (resolver.concreteIndexNames(cluster.state(), options, true, indices).length == 0) {
            throw new IndexNotFoundException(String.join(",", indices));
        }
    }

    /** @param keepAlive how long the shards keep it when they hear no more of it */
    static PointInTime open(
            String[] indices,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            TimeValue keepAlive,
            Retries retries) {
        return open(new CreatePitRequest(keepAlive, false, indices), options, client, registry, retries);
    }

    private static PointInTime open(
            CreatePitRequest request,
            IndicesOptions options,
            Client client,
            NamedWriteableRegistry registry,
            Retries retries) {
        TimeValue keepAlive = request.getKeepAlive();
        request.setIndicesOptions(options);
        String id = retries.call(() ->
                client.execute(CreatePitAction.INSTANCE, request).actionGet().getId());
        PointInTime opened = new PointInTime(id, client, registry, keepAlive, retries);
        opened.renewal = client.threadPool()
                .scheduleWithFixedDelay(
                        opened::renew,
                        TimeValue.timeValueMillis(keepAlive.millis() / RENEWALS),
                        ThreadPool.Names.GENERIC);
        return opened;
    }

    /** A job that joins, or that writes slowly, does not search for longer than the shards would wait. */
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

    /** From now on a search keeps one thread of a node busy, however many shards that holds. */
    public PointInTime searchingOneShardAtATime() {
        shardsAtOnce = 1;
        return this;
    }

    /** Searches ask for at most so many hits: an index may allow few. */
    int mostHits() {
        return mostHits;
    }

    /** Lets go of it. Where that fails the shards let go of it themselves, after a while. */
    public void close(Client closer) {
        if (renewal != null) {
            renewal.cancel();
        }
        try {
            closer.execute(DeletePitAction.INSTANCE, new DeletePitRequest(id)).actionGet(PATIENCE);
        } catch (RuntimeException e) {
            LOGGER.debug("point in time not closed", e);
        }
    }

    public String id() {
        return id;
    }

    /** The shards, in the order of index names and numbers. */
    public List<ShardId> shards() {
        return addresses.shards();
    }

    /** Ids of the nodes that hold it. */
    public Set<String> nodes() {
        return nodes;
    }

    /** The indices, each once. */
    public String[] indices() {
        return shards().stream().map(ShardId::getIndexName).distinct().toArray(String[]::new);
    }

    /** Address of a document. */
    long address(ShardId shard, int doc) {
        return addresses.of(shard, doc);
    }

    /** Position of the shard of a document. */
    public int shardOf(long address) {
        return addresses.shardOf(address);
    }

    /** Numbers of documents in their shards, ascending. */
    Map<ShardId, int[]> byShard(long[] documents) {
        return addresses.byShard(documents);
    }

    /** How many documents match. */
    public long count(QueryBuilder query) {
        SearchSourceBuilder source =
                new SearchSourceBuilder().query(query).size(0).trackTotalHits(true);
        return search(source).getHits().getTotalHits().value();
    }

    /** Searches, all shards or none; again when there is no room for it. */
    public SearchResponse search(SearchSourceBuilder source) {
        return retries.call(() -> {
            try {
                return client.search(request(source)).actionGet();
            } catch (RuntimeException e) {
                // What is left of the search is cancelled, which looks as if there were no room.
                throw LostContexts.told(e);
            }
        });
    }

    /** What {@link #search} sends. */
    public SearchRequest request(SearchSourceBuilder source) {
        PointInTimeBuilder held = new PointInTimeBuilder(id);
        source.pointInTimeBuilder(keepAlive == null ? held : held.setKeepAlive(keepAlive));
        SearchRequest request = new SearchRequest().source(source).allowPartialSearchResults(false);
        // It would find them in the point in time; without them it would be about all indices to who knows the caller's
        // rights.
        request.indices(indices()).indicesOptions(IndicesOptions.strictExpandOpenAndForbidClosed());
        // An index may have a default search pipeline, and that may hide near-duplicates.
        request.pipeline("_none");
        // Nobody asks for the same pages again: kept, they would drive out what users ask for.
        request.requestCache(false);
        if (shardsAtOnce > 0) {
            request.setMaxConcurrentShardRequests(shardsAtOnce);
        }
        return request;
    }

    /**
     * Reads documents, in no order.
     *
     * @param wanted addresses of the documents
     * @param source what is wanted of each
     * @param visitor gets each hit with its address; the hit's last sort value means nothing to it
     */
    public void read(long[] wanted, SearchSourceBuilder source, BiConsumer<Long, SearchHit> visitor) {
        source.trackTotalHits(false).sort(SortBuilders.shardDocSort());
        for (int from = 0; from < wanted.length; ) {
            int to = (int) Math.min(wanted.length, (long) from + mostHits);
            source.query(new DocumentsQueryBuilder(addresses.byShard(Arrays.copyOfRange(wanted, from, to))))
                    .size(to - from);
            for (SearchHit hit : search(source).getHits()) {
                visitor.accept(address(hit), hit);
            }
            from = to;
        }
    }

    /** The address of a hit that was sorted by {@code _shard_doc} last. */
    public long address(SearchHit hit) {
        Object[] sort = hit.getRawSortValues();
        return address(hit.getShard().getShardId(), ((Long) sort[sort.length - 1]).intValue());
    }

    /** Visits all hits of a query page by page. */
    public void forEach(SearchSourceBuilder source, int wanted, Consumer<SearchHit[]> visitor) {
        forEach(source, () -> wanted, visitor);
    }

    /** @param wanted hits of the page that is read next; 0 when no more are wanted */
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
}

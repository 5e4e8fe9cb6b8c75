/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Which indices of this cluster a query searches, by the request on the coordinating node.
 *
 * @param cluster null until the node is up
 */
public record SearchedIndices(Supplier<Cluster> cluster) {

    public record Cluster(
            ClusterService service,
            IndexNameExpressionResolver resolver,
            NamedWriteableRegistry registry,
            ThreadContext threads,
            Archives archives) {

        public Cluster(
                ClusterService service,
                IndexNameExpressionResolver resolver,
                NamedWriteableRegistry registry,
                ThreadContext threads) {
            this(service, resolver, registry, threads, new Archives());
        }

        /**
         * Whether OpenSearch pulls the documents of an index from a stream. It indexes a document when its pipeline returns, whether
         * or not a processor works on another thread.
         */
        public boolean pulls(String index) {
            IndexMetadata metadata = service.state().metadata().index(index);
            return metadata != null && metadata.useIngestionSource();
        }
    }

    /** Adds a source to the search that this thread rewrites. */
    void note(SearchSources.Source sought) {
        Cluster known = cluster.get();
        if (known != null) {
            SearchSources.note(known.threads(), sought);
        }
    }

    /** The most hits that all indices allow for one search. Missing indices allow any number. */
    public static int mostHits(Metadata metadata, Collection<String> indices) {
        return indices.stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .mapToInt(index -> IndexSettings.MAX_RESULT_WINDOW_SETTING.get(index.getSettings()))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    public static int shards(Metadata metadata, Collection<String> indices) {
        return indices.stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .mapToInt(IndexMetadata::getNumberOfShards)
                .sum();
    }

    /** Without missing and closed indices: the search itself fails for them. */
    public List<IndexMetadata> metadata(SearchRequest request) {
        Cluster known = cluster.get();
        Metadata metadata = known.service().state().metadata();
        return names(request, lenient(request.indicesOptions()), known.registry()).stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Sorted, with aliases and patterns resolved; null if the context does not tell. */
    List<String> of(QueryRewriteContext context) {
        QueryCoordinatorContext coordinator = context.convertToCoordinatorContext();
        if (coordinator == null) {
            return null;
        }
        IndicesRequest request = coordinator.getSearchRequest();
        return names(request, request.indicesOptions(), context.getWriteableRegistry());
    }

    /** False for a point in time. */
    boolean areLocal(QueryRewriteContext context) {
        return naming(context) instanceof SearchRequest search && areLocal(search);
    }

    public boolean areLocal(SearchRequest search) {
        if (search.pointInTimeBuilder() != null) {
            return Arrays.stream(searched(search, cluster.get().registry())).noneMatch(SearchedIndices::isQualified);
        }
        return local(search.indices()).length == search.indices().length;
    }

    private static String[] searched(SearchRequest search, NamedWriteableRegistry registry) {
        return SearchContextId.decode(registry, search.pointInTimeBuilder().getId())
                .getActualIndices();
    }

    /** Routing values by index: of the named aliases and, for a search, its own. An index without an entry is searched on all shards. */
    Map<String, Set<String>> routing(QueryRewriteContext context) {
        IndicesRequest request = naming(context);
        if (request == null) {
            return Map.of();
        }
        Cluster known = cluster.get();
        String[] local = local(request.indices());
        String own = request instanceof SearchRequest search ? search.routing() : null;
        Map<String, Set<String>> routing =
                known.resolver().resolveSearchRouting(known.service().state(), own, local);
        return routing == null ? Map.of() : routing;
    }

    /** Null for a search in a point in time. */
    private static IndicesRequest naming(QueryRewriteContext context) {
        QueryCoordinatorContext coordinator = context.convertToCoordinatorContext();
        IndicesRequest request = coordinator == null ? null : coordinator.getSearchRequest();
        return request instanceof SearchRequest search && search.pointInTimeBuilder() != null ? null : request;
    }

    private List<String> names(IndicesRequest request, IndicesOptions options, NamedWriteableRegistry registry) {
        if (request instanceof SearchRequest search && search.pointInTimeBuilder() != null) {
            return Arrays.stream(searched(search, registry))
                    .filter(index -> isQualified(index) == false)
                    .sorted()
                    .toList();
        }
        Cluster known = cluster.get();
        String[] local = local(request.indices());
        if (local.length == 0 && request.indices().length > 0) {
            return List.of();
        }
        String[] names = known.resolver()
                .concreteIndexNames(known.service().state(), options, request.includeDataStreams(), local);
        return Arrays.stream(names).sorted().toList();
    }

    private static IndicesOptions lenient(IndicesOptions options) {
        return IndicesOptions.fromOptions(
                true,
                true,
                options.expandWildcardsOpen(),
                options.expandWildcardsClosed(),
                options.expandWildcardsHidden());
    }

    private String[] local(String[] names) {
        if (Arrays.stream(names).noneMatch(SearchedIndices::isQualified)) {
            return names;
        }
        ClusterService service = cluster.get().service();
        Settings settings = Settings.builder()
                .put(service.getSettings())
                .put(service.state().metadata().settings())
                .build();
        return new RemoteClusterNames(settings).local(names);
    }

    /** Whether the name has a colon, of a cluster or of date math. Names of indices have none. */
    private static boolean isQualified(String name) {
        return name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0;
    }

    /**
     * Tells local index names from those of remote clusters, as a search does. What stands before a colon is a cluster only if that
     * cluster is known. Date math may have a colon, too: {@code <logs-{now/d{yyyy.MM.dd|+02:00}}>}.
     */
    private static final class RemoteClusterNames extends RemoteClusterAware {

        /** @param settings current ones of the node and the cluster */
        RemoteClusterNames(Settings settings) {
            super(settings);
        }

        /** The names of this cluster, in their order. */
        String[] local(String[] names) {
            return groupClusterIndices(getEnabledRemoteClusters(settings), names, name -> false)
                    .getOrDefault(LOCAL_CLUSTER_GROUP_KEY, List.of())
                    .toArray(String[]::new);
        }

        @Override
        protected void updateRemoteCluster(String alias, Settings changed) {
            throw new UnsupportedOperationException("made anew for each search");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

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
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryCoordinatorContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.simhash.query.SearchedIndices.Cluster;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Which indices a query is searching: known on the coordinating node from the request. Indices of
 * remote clusters are left out.
 *
 * @param cluster what the node knows of its cluster, once it is up
 */
public record SearchedIndices(Supplier<Cluster> cluster) {

    /** What resolves names into indices. */
    public record Cluster(
            ClusterService service,
            IndexNameExpressionResolver resolver,
            NamedWriteableRegistry registry,
            ThreadContext threads) {}

    /** What the cluster is set to now. */
    ClusterSettings clusterSettings() {
        return cluster.get().service().getClusterSettings();
    }

    /** Notes a source for the search that is rewritten on this thread. */
    void note(SearchSources.Source sought) {
        Cluster known = cluster.get();
        if (known != null) {
            SearchSources.note(known.threads(), sought);
        }
    }

    /** How many hits of one search every index allows; of indices that are not there, any number. */
    public static int mostHits(Metadata metadata, Collection<String> indices) {
        return indices.stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .mapToInt(index -> IndexSettings.MAX_RESULT_WINDOW_SETTING.get(index.getSettings()))
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /** How many shards indices have in all, replicas not counted. */
    public static int shards(Metadata metadata, Collection<String> indices) {
        return indices.stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .mapToInt(IndexMetadata::getNumberOfShards)
                .sum();
    }

    /** The indices of a search; those that do not exist or are closed left out, the search itself complains about them. */
    public List<IndexMetadata> metadata(SearchRequest request) {
        Cluster known = cluster.get();
        Metadata metadata = known.service().state().metadata();
        return names(request, lenient(request.indicesOptions()), known.registry()).stream()
                .map(metadata::index)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Names of the indices themselves, aliases and patterns resolved, sorted; null when the context does not tell. */
    List<String> of(QueryRewriteContext context) {
        QueryCoordinatorContext coordinator = context.convertToCoordinatorContext();
        if (coordinator == null) {
            return null;
        }
        IndicesRequest request = coordinator.getSearchRequest();
        return names(request, request.indicesOptions(), context.getWriteableRegistry());
    }

    /** Whether the search that a query is part of shows a profile. */
    boolean isProfiled(QueryRewriteContext context) {
        QueryCoordinatorContext coordinator = context.convertToCoordinatorContext();
        return coordinator != null
                && coordinator.getSearchRequest() instanceof SearchRequest search
                && search.source() != null
                && search.source().profile();
    }

    /** Whether a search names indices of its own cluster, and no others; false for a point in time. */
    boolean areLocal(QueryRewriteContext context) {
        return naming(context) instanceof SearchRequest search && areLocal(search);
    }

    /** Whether a search looks into indices of its own cluster only. */
    public boolean areLocal(SearchRequest search) {
        if (search.pointInTimeBuilder() != null) {
            return Arrays.stream(searched(search, cluster.get().registry())).noneMatch(SearchedIndices::isQualified);
        }
        return local(search.indices()).length == search.indices().length;
    }

    /** The indices that a search finds in its point in time. */
    private static String[] searched(SearchRequest search, NamedWriteableRegistry registry) {
        return SearchContextId.decode(registry, search.pointInTimeBuilder().getId())
                .getActualIndices();
    }

    /**
     * Where in an index a request looks for documents, a search or one that explains or validates: the routing of the aliases
     * that it names and, of a search, its own. Indices that are searched everywhere are not in it.
     */
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

    /** The request that names its indices; null when a point in time stands for them. */
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

    /** By a cluster; date math may have a colon, too. The indices themselves have none in their names. */
    private static boolean isQualified(String name) {
        return name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) >= 0;
    }
}

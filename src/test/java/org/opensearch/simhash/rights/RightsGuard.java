/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.admin.indices.create.AutoCreateAction;
import org.opensearch.action.admin.indices.create.CreateIndexAction;
import org.opensearch.action.admin.indices.mapping.put.AutoPutMappingAction;
import org.opensearch.action.admin.indices.mapping.put.PutMappingAction;
import org.opensearch.action.bulk.BulkItemRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkShardRequest;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchContextId;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.ResolvedIndices;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestHeaderDefinition;
import org.opensearch.script.ScriptService;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Refuses what a role does not grant, where and as the security plugin does. That is an action filter, too: it sees each action that a
 * node is asked for, from outside or by another action, and what is sent between nodes without an action of its own as little as this
 * one. The user is in the context of the thread, here as the name of a role in a header; what has none the node does by itself, and it
 * is let through, as are actions whose name begins with {@code internal:}. Actions on indices need their right on each index, by its name
 * or that of an alias; actions of the cluster, those of several requests in one among them, need one on the cluster, and their parts
 * are actions again.
 */
public final class RightsGuard extends Plugin implements ActionPlugin {

    static final String HEADER = "x-test-role";

    /** Who may do everything. */
    static final String ADMIN = "admin";

    /** Whoever names no index means all. */
    private static final Set<String> ALL = Set.of("*");

    private static final List<String> OF_CLUSTER = List.of(
            "indices:data/read/mget",
            "indices:data/read/mtv",
            "indices:data/read/search/template/render",
            "indices:data/write/bulk",
            "indices:data/write/reindex");

    private static final List<String> OF_CLUSTER_BY_PREFIX = List.of(
            "cluster:",
            "indices:admin/index_template/",
            "indices:admin/template/",
            "indices:data/read/msearch",
            "indices:data/read/scroll");

    /**
     * A right that was asked for.
     *
     * @param index null for an action of the cluster
     * @param names of the index and its aliases
     */
    record Asked(String action, String index, Set<String> names, boolean isGranted) {

        boolean isCoveredBy(Role.Grant grant) {
            return index == null ? grant.covers(action) : grant.covers(action, names);
        }
    }

    private static final Map<String, Role> ROLES = new ConcurrentHashMap<>();
    private static final Queue<Asked> ASKED = new ConcurrentLinkedQueue<>();
    private static final Set<String> BY_NODE = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Runnable> BEFORE_DELETE = new AtomicReference<>();

    private volatile ClusterService cluster;
    private volatile IndexNameExpressionResolver resolver;
    private volatile NamedWriteableRegistry registry;

    static void put(Role role) {
        ROLES.put(role.name(), role);
    }

    /** Forgets what was asked for until now. */
    static void begin() {
        ASKED.clear();
        BY_NODE.clear();
    }

    /** @param once runs before the next bulk of a user that deletes; null for nothing */
    static void beforeDelete(Runnable once) {
        BEFORE_DELETE.set(once);
    }

    /** What those with a role asked for. */
    static List<Asked> asked() {
        return List.copyOf(ASKED);
    }

    /** What was done without a user, to indices that are not the node's own: actions that read or write documents, and the indices. */
    static Set<String> byNode() {
        return new TreeSet<>(BY_NODE);
    }

    private static void addByNode(String action, ActionRequest request) {
        String[] indices = request instanceof IndicesRequest named ? named.indices() : new String[] {"*"};
        boolean isOwn = Arrays.stream(indices).allMatch(index -> index.startsWith("."));
        boolean isWhole = request instanceof BulkRequest; // Its parts name their indices.
        if (action.startsWith("indices:data/") && isOwn == false && isWhole == false) {
            BY_NODE.add(action + " " + Arrays.toString(indices));
        }
    }

    private static void runBeforeDelete(ActionRequest request) {
        boolean deletes = request instanceof BulkRequest bulk
                && bulk.requests().stream().anyMatch(item -> item.opType() == DocWriteRequest.OpType.DELETE);
        Runnable before = deletes ? BEFORE_DELETE.getAndSet(null) : null;
        if (before != null) {
            before.run();
        }
    }

    @Override
    public Collection<RestHeaderDefinition> getRestHeaders() {
        return List.of(new RestHeaderDefinition(HEADER, false));
    }

    @Override
    public Collection<Object> createComponents(
            Client client,
            ClusterService clusterService,
            ThreadPool threadPool,
            ResourceWatcherService resourceWatcherService,
            ScriptService scriptService,
            NamedXContentRegistry xContentRegistry,
            Environment environment,
            NodeEnvironment nodeEnvironment,
            NamedWriteableRegistry namedWriteableRegistry,
            IndexNameExpressionResolver indexNameExpressionResolver,
            Supplier<RepositoriesService> repositoriesServiceSupplier) {
        cluster = clusterService;
        resolver = indexNameExpressionResolver;
        registry = namedWriteableRegistry;
        return List.of();
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        return List.of(new ActionFilter() {
            @Override
            public int order() {
                return Integer.MIN_VALUE;
            }

            @Override
            public <Request extends ActionRequest, Response extends ActionResponse> void apply(
                    Task task,
                    String action,
                    Request request,
                    ActionRequestMetadata<Request, Response> metadata,
                    ActionListener<Response> listener,
                    ActionFilterChain<Request, Response> chain) {
                String role = cluster.getClusterApplierService()
                        .threadPool()
                        .getThreadContext()
                        .getHeader(HEADER);
                if (role == null) {
                    addByNode(action, request);
                }
                if (role == null || role.equals(ADMIN) || action.startsWith("internal:")) {
                    chain.proceed(task, action, request, listener);
                    return;
                }
                runBeforeDelete(request);
                Set<String> missing = missing(ROLES.get(role), alias(action), request, metadata);
                if (missing.isEmpty()) {
                    chain.proceed(task, action, request, listener);
                } else {
                    listener.onFailure(new OpenSearchSecurityException(
                            "no permissions for " + missing + " and User [name=" + role + "]", RestStatus.FORBIDDEN));
                }
            }
        });
    }

    /** What a write does by itself is what its user does. */
    private static String alias(String action) {
        return switch (action) {
            case AutoCreateAction.NAME -> CreateIndexAction.NAME;
            case AutoPutMappingAction.NAME -> PutMappingAction.NAME;
            default -> action;
        };
    }

    private Set<String> missing(Role role, String action, ActionRequest request, ActionRequestMetadata<?, ?> metadata) {
        Set<String> missing = new TreeSet<>();
        if (OF_CLUSTER.contains(action) || OF_CLUSTER_BY_PREFIX.stream().anyMatch(action::startsWith)) {
            boolean isGranted = role.permits(action);
            ASKED.add(new Asked(action, null, Set.of(), isGranted));
            return isGranted ? missing : Set.of(action);
        }
        ClusterState state = cluster.state();
        for (String index : indices(request, metadata, state)) {
            Set<String> names = names(index, state);
            for (String needed : actions(action, request)) {
                boolean isGranted = role.permits(needed, names);
                ASKED.add(new Asked(needed, index, names, isGranted));
                if (isGranted == false) {
                    missing.add(needed);
                }
            }
        }
        return missing;
    }

    /** A part of a bulk needs the rights of what is in it, too. */
    private static Set<String> actions(String action, ActionRequest request) {
        Set<String> actions = new LinkedHashSet<>(List.of(action));
        if (request instanceof BulkShardRequest bulk) {
            for (BulkItemRequest item : bulk.items()) {
                actions.add(
                        switch (item.request().opType()) {
                            case INDEX, CREATE -> "indices:data/write/index";
                            case DELETE -> "indices:data/write/delete";
                            case UPDATE -> "indices:data/write/update";
                        });
            }
        }
        return actions;
    }

    private Set<String> indices(ActionRequest request, ActionRequestMetadata<?, ?> metadata, ClusterState state) {
        if (request instanceof DeletePitRequest pits) {
            return pits.getPitIds().stream()
                    .flatMap(id -> SearchContextId.decode(registry, id).shards().keySet().stream())
                    .map(shard -> shard.getIndexName())
                    .collect(Collectors.toSet());
        }
        if (metadata.resolvedIndices() instanceof ResolvedIndices resolved) {
            return resolved.local().names(state);
        }
        if (request instanceof IndicesRequest named && isSeen(named)) {
            try {
                return new HashSet<>(Arrays.asList(resolver.concreteIndexNames(state, named)));
            } catch (IndexNotFoundException e) {
                return new HashSet<>(Arrays.asList(named.indices()));
            }
        }
        return ALL;
    }

    /** The security plugin knows the requests of OpenSearch by their classes, and all others only if they are replaceable. */
    private static boolean isSeen(IndicesRequest request) {
        return request instanceof IndicesRequest.Replaceable
                || request.getClass().getName().startsWith(SimHashPlugin.class.getPackageName()) == false;
    }

    private static Set<String> names(String index, ClusterState state) {
        Set<String> names = new HashSet<>(Set.of(index));
        IndexMetadata there = state.metadata().index(index);
        if (there != null) {
            names.addAll(there.getAliases().keySet());
            IndexAbstraction.DataStream stream =
                    state.metadata().getIndicesLookup().get(index).getParentDataStream();
            if (stream != null) {
                names.add(stream.getName());
            }
        }
        return names;
    }
}

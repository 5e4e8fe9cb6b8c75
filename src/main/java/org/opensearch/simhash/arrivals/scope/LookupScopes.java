/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.scope;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.simhash.arrivals.durable.PrimaryShards.NewShards;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.scope.LookupScope.Search;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.search.ingest.PipelineRecipes.IndexSettingsOrTemplates;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.Archives;
import org.opensearch.simhash.search.query.IndexMapping;

/** Resolves names in one cluster state, each once. One thread. */
public final class LookupScopes {

    private final ClusterState state;
    private final IndexNameExpressionResolver resolver;
    private final Archives archives;
    private final ConfiguredNames configured;
    private final Map<String, LookupScope> scopes = new HashMap<>();
    private final Map<String, Destination> destinations = new HashMap<>();
    private final Map<String, Boolean> wholeSources = new HashMap<>();
    private final Map<String, Boolean> appendOnly = new HashMap<>();

    private final Map<PairConditions, PairFields> pairFields = new HashMap<>();
    private final Set<String> withGroups = new HashSet<>();

    /**
     * @param name without date math
     * @param alias null without a filter
     */
    private record Destination(String name, String index, String alias) {}

    /** @param configured indices to compare with; empty for each document's own */
    public LookupScopes(
            ClusterState state, IndexNameExpressionResolver resolver, Archives archives, List<String> configured) {
        this.state = state;
        this.resolver = resolver;
        this.archives = archives;
        this.configured = new ConfiguredNames(resolver, configured);
    }

    /** The index to which a name writes; the name itself if there is none, or it is malformed. */
    public String indexOrName(String given) {
        try {
            return destination(given).index();
        } catch (RuntimeException e) {
            return given;
        }
    }

    /** The name itself if it is an alias with a filter, else null. */
    public String filteredAlias(String given) {
        return destination(given).alias();
    }

    /** Whether it is an append-only index, existing or from a template, and no data stream. */
    public boolean isAppendOnly(String given) {
        return appendOnly.computeIfAbsent(indexOrName(given), name -> {
            IndexAbstraction index = state.metadata().getIndicesLookup().get(name);
            boolean isIndex = index == null
                    ? IndexSettingsOrTemplates.makeDataStream(state.metadata(), name) == false
                    : index.getParentDataStream() == null && index.getWriteIndex() != null;
            return isIndex
                    && IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.get(
                            IndexSettingsOrTemplates.of(state.metadata(), name));
        });
    }

    /** Whether an index stores whole sources: a field missing in a get is missing in the document. */
    public boolean keepsWholeSource(String index) {
        return wholeSources.computeIfAbsent(index, any -> {
            IndexMetadata metadata = state.metadata().index(index);
            MappingMetadata mapping = metadata == null ? null : metadata.mapping();
            return mapping != null && mapping.sourceAsMap().containsKey(SourceFieldMapper.NAME) == false;
        });
    }

    public DocumentName name(String given, String id, String routing) {
        return new DocumentName(destination(given).index(), id, routing(given, routing));
    }

    /** OpenSearch applies the alias' routing after the pipelines, and refuses a document with another one. */
    private String routing(String given, String routing) {
        try {
            return state.metadata()
                    .resolveWriteIndexRouting(routing, destination(given).name());
        } catch (IllegalArgumentException e) {
            return routing;
        }
    }

    /** Refuses an index that would lose the ids of groups. */
    public void requireGroups(String index, String field) {
        IndexMetadata metadata = state.metadata().index(index);
        if (withGroups.contains(index) == false && metadata != null) {
            requireGroups(index, new IndexMapping(metadata), field);
        }
        withGroups.add(index);
    }

    public static void requireGroups(String index, IndexMapping mapping, String field) {
        String group = field + "." + FingerprintFields.GROUP;
        mapping.requireWhole("[groups] all", index, group, FingerprintFields.GROUP_LENGTH);
    }

    /** Reads what decides conditions from documents. */
    public PairFields pairFields(PairConditions conditions) {
        return pairFields.computeIfAbsent(conditions, any -> new PairFields(conditions, state.metadata()::index));
    }

    /** Null without the index in this cluster state. */
    public StoredVersion version(DocumentName name, long seqNo, long primaryTerm) {
        IndexMetadata index = state.metadata().index(name.index());
        return index == null ? null : StoredVersion.of(index, name.id(), name.routing(), seqNo, primaryTerm);
    }

    public StoredVersion none(DocumentName name) {
        IndexMetadata index = state.metadata().index(name.index());
        ShardId shard = index == null
                ? new ShardId(name.index(), IndexMetadata.INDEX_UUID_NA_VALUE, 0)
                : new ShardId(index.getIndex(), OperationRouting.generateShardId(index, name.id(), name.routing()));
        return StoredVersion.none(shard, name.id());
    }

    /** Whether nothing can be stored there, because the shard was never started. */
    public boolean isNeverStarted(DocumentName name) {
        IndexMetadata index = state.metadata().index(name.index());
        return index != null
                && NewShards.isNew(state, index, OperationRouting.generateShardId(index, name.id(), name.routing()));
    }

    private Destination destination(String given) {
        return destinations.computeIfAbsent(given, any -> {
            String name = resolver.resolveDateMathExpression(given);
            IndexAbstraction target = state.metadata().getIndicesLookup().get(name);
            if (target == null || target.getWriteIndex() == null) {
                return new Destination(name, name, null);
            }
            IndexMetadata index = target.getWriteIndex();
            AliasMetadata alias = index.getAliases().get(name);
            return new Destination(
                    name,
                    index.getIndex().getName(),
                    alias != null && alias.filteringRequired() ? alias.alias() : null);
        });
    }

    public LookupScope scope(String given) {
        if (configured.names().isEmpty()) {
            return scopes.computeIfAbsent(given, this::own);
        }
        String name = destination(given).name();
        return scopes.computeIfAbsent(isThere(name) ? "" : name, this::configured);
    }

    private boolean isThere(String name) {
        return state.metadata().getIndicesLookup().containsKey(name);
    }

    /** The searches of what a document is compared with, and of the index that it is in. */
    public List<Search> searchesWithOwn(LookupScope scope, String index) {
        return scope.counts(index)
                ? scope.searches()
                : Stream.concat(scope.searches().stream(), own(index).searches().stream())
                        .toList();
    }

    public LookupScope renewed(LookupScope earlier, String index) {
        return scope(earlier.own() ? earlier.expressions().getFirst() : index);
    }

    /** @param missing the document's index if it does not exist, else empty */
    private LookupScope configured(String missing) {
        Set<String> indices = Set.of(resolver.concreteIndexNames(
                state,
                IndicesOptions.lenientExpandOpen(),
                true,
                configured.names().toArray(String[]::new)));
        List<String> searched = configured.without(missing);
        // A search without names would search all indices.
        List<Search> searches = searched.isEmpty() ? List.of() : List.of(new Search(searched, null, null, Set.of()));
        return scope(
                configured.names(),
                indices,
                index -> isThere(index) == false && configured.cover(index),
                false,
                searches);
    }

    private LookupScope own(String given) {
        String name = resolver.resolveDateMathExpression(given);
        IndexAbstraction target = state.metadata().getIndicesLookup().get(name);
        List<String> expressions = List.of(name);
        if (target == null) {
            return new LookupScope(
                    expressions, Set.of(name), index -> false, Map.of(), true, List.of(), Map.of(), maxHits(Set.of()));
        }
        Set<String> indices = target.getIndices().stream()
                .map(index -> index.getIndex().getName())
                .collect(Collectors.toUnmodifiableSet());
        return scope(expressions, indices, index -> false, true, searchesOfStarted(name, target.getIndices()));
    }

    /**
     * Searches of a name without new shards that were never started: nothing is stored there. One search by the name if all shards were
     * started; if not, one for each group of indices with the same shards and alias. Every rollover adds an index.
     */
    private List<Search> searchesOfStarted(String name, List<IndexMetadata> indices) {
        Map<Search, List<String>> alike = new LinkedHashMap<>();
        boolean whole = true;
        for (IndexMetadata index : indices) {
            List<String> started = IntStream.range(0, index.getNumberOfShards())
                    .filter(shard -> NewShards.isNew(state, index, shard) == false)
                    .mapToObj(Integer::toString)
                    .toList();
            boolean all = started.size() == index.getNumberOfShards();
            if (started.isEmpty() == false) {
                String preference = all ? null : "_shards:" + String.join(",", started);
                Search way =
                        new Search(List.of(), preference, index.getAliases().get(name), Set.of());
                alike.computeIfAbsent(way, any -> new ArrayList<>())
                        .add(index.getIndex().getName());
            }
            whole &= all;
        }
        if (whole) {
            return List.of(new Search(List.of(name), null, null, Set.of()));
        }
        List<Search> searches = new ArrayList<>();
        alike.forEach(
                (way, names) -> searches.add(new Search(List.copyOf(names), way.preference(), way.alias(), Set.of())));
        return searches;
    }

    private LookupScope scope(
            List<String> expressions, Set<String> found, Predicate<String> toBeMade, boolean own, List<Search> all) {
        Set<String> leftOut = archives.leftOut(state.metadata(), expressions, found);
        Set<String> indices = new HashSet<>(found);
        indices.removeAll(leftOut);
        List<Search> searches =
                all.stream().map(search -> search.without(leftOut)).toList();
        Map<String, String> streams = streams(indices);
        Set<String> inWindow = new HashSet<>(indices);
        inWindow.addAll(streams.keySet());
        return new LookupScope(
                expressions, inWindow, toBeMade, streams, own, searches, filters(indices, expressions), maxHits(found));
    }

    private Map<String, String> streams(Set<String> indices) {
        Map<String, String> streams = new HashMap<>();
        for (String index : indices) {
            IndexAbstraction.DataStream stream =
                    state.metadata().getIndicesLookup().get(index).getParentDataStream();
            if (stream != null) {
                streams.put(stream.getName(), stream.getWriteIndex().getIndex().getName());
            }
        }
        return streams;
    }

    private int maxHits(Set<String> indices) {
        return indices.stream()
                .map(index -> state.metadata().index(index).getSettings())
                .mapToInt(IndexSettings.MAX_RESULT_WINDOW_SETTING::get)
                .min()
                .orElse(IndexSettings.MAX_RESULT_WINDOW_SETTING.get(Settings.EMPTY));
    }

    /** As in a search. */
    private Map<String, Set<String>> filters(Set<String> indices, List<String> expressions) {
        Set<String> names = resolver.resolveExpressions(state, expressions.toArray(String[]::new));
        Map<String, Set<String>> filters = new HashMap<>();
        for (String index : indices) {
            String[] aliases = resolver.filteringAliases(state, index, names);
            if (aliases != null) {
                filters.put(index, Set.of(aliases));
            }
        }
        return filters;
    }

    /**
     * The option {@code index}, also for indices that do not exist yet. No resolver knows them, and they would never be
     * created if their first document failed for that.
     *
     * @param names indices, aliases, patterns, and exclusions from those before
     */
    private record ConfiguredNames(IndexNameExpressionResolver resolver, List<String> names) {

        /** Whether an index of this name will belong to the option. */
        boolean cover(String index) {
            boolean covers = false;
            boolean excludes = false;
            for (String name : names) {
                if (excludes && name.startsWith("-")) {
                    covers &= Regex.simpleMatch(name.substring(1), index) == false;
                } else {
                    covers |= name.equals(Metadata.ALL) || Regex.simpleMatch(resolved(name), index);
                }
                excludes |= Regex.isSimpleMatchPattern(name);
            }
            return covers;
        }

        /** The names without a missing index, and without its exclusion. */
        List<String> without(String index) {
            return names.stream()
                    .filter(name -> resolved(name).equals(index) == false && name.equals("-" + index) == false)
                    .toList();
        }

        private String resolved(String name) {
            return resolver.resolveDateMathExpression(name);
        }
    }
}

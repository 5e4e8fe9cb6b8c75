/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.scope;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.SourceFieldMapper;
import org.opensearch.index.translog.Translog;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.durable.StoredVersion;
import org.opensearch.simhash.ingest.IndexSettingsOrTemplates;
import org.opensearch.simhash.nearduplicate.scope.LookupScope.Search;

/** What the names in documents and options mean, as the cluster is at one moment; each name is resolved once. One thread. */
public final class LookupScopes {

    private final ClusterState state;
    private final IndexNameExpressionResolver resolver;
    private final ConfiguredNames configured;
    private final Map<String, LookupScope> scopes = new HashMap<>();
    private final Map<String, Destination> destinations = new HashMap<>();
    private final Map<String, Boolean> wholeSources = new HashMap<>();
    private final Map<String, Boolean> appendOnly = new HashMap<>();

    private final Map<String, String> lastPipelines = new HashMap<>();

    /**
     * @param name as given, without date math
     * @param alias null when it has no filter, or is none
     */
    private record Destination(String name, String index, String alias) {}

    /** @param configured indices to check against; empty for each document's own */
    public LookupScopes(ClusterState state, IndexNameExpressionResolver resolver, List<String> configured) {
        this.state = state;
        this.resolver = resolver;
        this.configured = new ConfiguredNames(resolver, configured);
    }

    /** The index that a document is written to when this name is given; the name itself when there is none yet. */
    public String writeIndex(String given) {
        return destination(given).index();
    }

    /** The same; the name itself where it is malformed, and nothing is written by it. */
    public String indexOrName(String given) {
        try {
            return writeIndex(given);
        } catch (RuntimeException e) {
            return given;
        }
    }

    /** The name itself when it is that of an alias with a filter, else null. */
    public String filteredAlias(String given) {
        return destination(given).alias();
    }

    /** Whether this name is that of an index, no data stream, in which documents are never overwritten; it may be made yet. */
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

    /** What documents of an index go through last, be it there or only a template for it, or null. */
    public String finalPipeline(String index) {
        String pipeline = lastPipelines.computeIfAbsent(
                index, any -> IndexSettings.FINAL_PIPELINE.get(IndexSettingsOrTemplates.of(state.metadata(), index)));
        return IngestService.NOOP_PIPELINE_NAME.equals(pipeline) ? null : pipeline;
    }

    /** Whether documents of an index are kept as they came, so that what a get does not show is not in them. */
    public boolean keepsWholeSource(String index) {
        return wholeSources.computeIfAbsent(index, any -> {
            IndexMetadata metadata = state.metadata().index(index);
            MappingMetadata mapping = metadata == null ? null : metadata.mapping();
            return mapping != null && mapping.sourceAsMap().containsKey(SourceFieldMapper.NAME) == false;
        });
    }

    /** What a document will be found by that is written to this name, with a routing or null. */
    public DocumentName name(String given, String id, String routing) {
        return new DocumentName(writeIndex(given), id, routing(given, routing));
    }

    /** OpenSearch applies an alias' routing once the pipelines have run; a document whose own is another, it refuses then. */
    private String routing(String given, String routing) {
        try {
            return state.metadata()
                    .resolveWriteIndexRouting(routing, destination(given).name());
        } catch (IllegalArgumentException e) {
            return routing;
        }
    }

    /** A version of a document of an index as it was at that moment; null when there was none of its name. */
    public StoredVersion version(DocumentName name, long seqNo, long primaryTerm) {
        IndexMetadata index = state.metadata().index(name.index());
        return index == null ? null : StoredVersion.of(index, name.id(), name.routing(), seqNo, primaryTerm);
    }

    /** Whether a write to an index is on disk before it is answered. */
    public boolean isSyncedBeforeAnswer(String index) {
        IndexMetadata metadata = state.metadata().index(index);
        return metadata != null
                && IndexSettings.INDEX_TRANSLOG_DURABILITY_SETTING.get(metadata.getSettings())
                        == Translog.Durability.REQUEST;
    }

    /** Whether nothing can be stored yet where a document goes: its shard, in a new index, was never started. */
    public boolean isNeverStarted(DocumentName name) {
        IndexMetadata index = state.metadata().index(name.index());
        return index != null
                && SearchesOfStarted.isNew(
                        state, index, OperationRouting.generateShardId(index, name.id(), name.routing()));
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
        if (configured.isEmpty()) {
            return scopes.computeIfAbsent(given, this::own);
        }
        String name = destination(given).name();
        return scopes.computeIfAbsent(isThere(name) ? "" : name, this::configured);
    }

    private boolean isThere(String name) {
        return state.metadata().getIndicesLookup().containsKey(name);
    }

    /** What the scope of a document is now, which goes to an index. */
    public LookupScope renewed(LookupScope earlier, String index) {
        return scope(earlier.own() ? earlier.expressions().getFirst() : index);
    }

    /** @param missing where the document goes; empty when that is there */
    private LookupScope configured(String missing) {
        Set<String> indices = Set.of(
                resolver.concreteIndexNames(state, IndicesOptions.lenientExpandOpen(), true, configured.toArray()));
        List<String> searched = configured.without(missing);
        // To search in no index by name is to search in all.
        List<Search> searches = searched.isEmpty() ? List.of() : List.of(new Search(searched, null, null));
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
        return scope(
                expressions, indices, index -> false, true, SearchesOfStarted.of(state, name, target.getIndices()));
    }

    private LookupScope scope(
            List<String> expressions,
            Set<String> indices,
            Predicate<String> toBeMade,
            boolean own,
            List<Search> searches) {
        Map<String, String> streams = streams(indices);
        Set<String> inWindow = new HashSet<>(indices);
        inWindow.addAll(streams.keySet());
        return new LookupScope(
                expressions,
                inWindow,
                toBeMade,
                streams,
                own,
                searches,
                filters(indices, expressions),
                maxHits(indices));
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

    /** As a search filters. */
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
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.ingest.DocumentTexts;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.ingest.PreparingRecipes;
import org.opensearch.simhash.match.Target;
import org.opensearch.simhash.query.QuerySource.Resolved;
import org.opensearch.simhash.query.QuerySource.Stored;
import org.opensearch.transport.client.Client;

/** Turns what people give to compare with into fingerprints. Thread-safe. */
final class SourceResolver {

    /**
     * What a source is resolved for.
     *
     * @param field the fingerprint object
     * @param verifiedField the field whose text will be verified, or null
     * @param indices names of the searched indices, whose pipelines count when the source names none
     * @param routing by which indices are searched, by the name of the index; not in it when they are searched everywhere
     */
    record Scope(String field, String verifiedField, Collection<String> indices, Map<String, Set<String>> routing) {}

    private final PipelineRecipes recipes;
    private final Supplier<SearchedIndices.Cluster> cluster;
    private final LongConsumer memory;

    SourceResolver(PipelineRecipes recipes, Supplier<SearchedIndices.Cluster> cluster, LongConsumer memory) {
        this.recipes = recipes;
        this.cluster = cluster;
        this.memory = memory;
    }

    /** A hash needs nothing but reading. */
    static Resolved resolve(QuerySource.Hash source) {
        return new Resolved(List.of(Target.of(Fingerprint.fromHex(source.hash()))), null);
    }

    /**
     * Computes the fingerprint of a text or a document, on the calling thread: as long as ingesting the same takes.
     */
    Resolved compute(QuerySource source, Scope scope) {
        return switch (source) {
            case QuerySource.Text text -> {
                Optional<SourceTexts> texts = Optional.of(SourceTexts.of(text.text()));
                List<Target> targets = targets(fingerprinters(text.pipeline(), scope), recipe -> texts);
                String verified = scope.verifiedField() == null ? null : text.text();
                yield new Resolved(targets, null, verified, text.pipeline());
            }
            case QuerySource.Document document -> {
                List<Fingerprinter> fingerprinters = fingerprinters(document.pipeline(), scope);
                List<Target> targets =
                        targets(fingerprinters, recipe -> DocumentTexts.read(recipe, document.document()));
                if (targets.isEmpty()) {
                    throw noTexts(fingerprinters, document);
                }
                String verified = verifiedText(scope, document.document(), name -> null, "[document]");
                yield new Resolved(targets, null, verified, document.pipeline());
            }
            default -> throw new IllegalArgumentException("cannot compute the fingerprint of " + source);
        };
    }

    /** Resolves any source without blocking the calling thread. */
    void resolve(QuerySource source, Scope scope, Client client, ActionListener<Resolved> listener) {
        if (source instanceof Stored stored) {
            client.multiGet(
                    multiGet(stored, scope),
                    // Not behind texts, whose analyzers may be slow: it needs none.
                    ActionListener.delegateFailure(
                            listener,
                            (l, response) -> client.threadPool()
                                    .generic()
                                    .execute(ActionRunnable.supply(l, () -> found(stored, scope, response)))));
        } else {
            client.threadPool()
                    .executor(QueryThreads.QUERY)
                    .execute(ActionRunnable.supply(listener, () -> compute(source, scope)));
        }
    }

    /** As {@link PipelineRecipes#preparing}. */
    PreparingRecipes preparing(String pipeline, String field, String index) {
        return recipes.preparing(pipeline, field, index);
    }

    private List<Fingerprinter> fingerprinters(String pipeline, Scope scope) {
        if (pipeline == null && scope.indices().isEmpty()) {
            throw new IllegalArgumentException("[text] and [document] need a [pipeline] where only indices of remote"
                    + " clusters are searched, whose recipes are not known here, got: none; or use [hash]");
        }
        return pipeline == null
                ? recipes.ofIndices(
                        scope.indices(),
                        scope.field(),
                        (index, path) -> mapping(index).maps(path))
                : recipes.ofPipeline(pipeline, scope.field());
    }

    /** One for each recipe that finds texts; recipes that differ in what they read may make the same of them. */
    private List<Target> targets(List<Fingerprinter> fingerprinters, Function<Recipe, Optional<SourceTexts>> texts) {
        Set<Target> targets = new LinkedHashSet<>();
        for (Fingerprinter fingerprinter : fingerprinters) {
            texts.apply(fingerprinter.recipe()).ifPresent(source -> {
                Fingerprint fingerprint = fingerprinter.fingerprint(source, memory);
                targets.add(new Target(fingerprint.bits(), fingerprint.digest(), fingerprint.scheme()));
            });
        }
        return List.copyOf(targets);
    }

    private static IllegalArgumentException noTexts(List<Fingerprinter> fingerprinters, QuerySource.Document source) {
        List<String> wanted = fingerprinters.stream()
                .flatMap(fingerprinter -> fingerprinter.recipe().fields().stream())
                .map(WeightedField::path)
                .distinct()
                .toList();
        return new IllegalArgumentException("[document] must have at least one of the fields " + wanted
                + " of the pipeline's processor, got: "
                + new TreeSet<>(source.document().keySet()));
    }

    private static MultiGetRequest multiGet(Stored source, Scope scope) {
        Collection<String> candidates = source.index() == null ? scope.indices() : List.of(source.index());
        if (candidates.isEmpty()) {
            throw new ResourceNotFoundException(
                    "[id] document [{}] not found: no index is searched; set [index]", source.id());
        }
        String[] needed = scope.verifiedField() == null
                ? new String[] {scope.field()}
                : new String[] {scope.field(), scope.verifiedField()};
        MultiGetRequest request = new MultiGetRequest();
        for (String index : candidates) {
            for (String routing : routing(source, index, scope)) {
                MultiGetRequest.Item item = new MultiGetRequest.Item(index, source.id())
                        .routing(routing)
                        .fetchSourceContext(new FetchSourceContext(true, needed, new String[0]));
                request.add(scope.verifiedField() == null ? item : item.storedFields(scope.verifiedField()));
            }
        }
        return request;
    }

    /** By what a document may be routed; null when by its id. */
    private static Collection<String> routing(Stored source, String index, Scope scope) {
        boolean ofSearch = source.routing() == null && source.index() == null;
        return ofSearch && scope.routing().containsKey(index)
                ? scope.routing().get(index)
                : Collections.singleton(source.routing());
    }

    private Resolved found(Stored source, Scope scope, MultiGetResponse response) throws Exception {
        Map<String, GetResponse> byIndex = new TreeMap<>();
        Exception failure = null;
        for (MultiGetItemResponse item : response) {
            if (item.isFailed()) {
                failure = failure == null ? item.getFailure().getFailure() : failure;
            } else if (item.getResponse().isExists()) {
                byIndex.putIfAbsent(item.getResponse().getIndex(), item.getResponse());
            }
        }
        if (byIndex.isEmpty() && failure != null) {
            throw failure;
        }
        if (byIndex.isEmpty()) {
            throw new ResourceNotFoundException("[id] document [{}] not found in {}", source.id(), indicesOf(response));
        }
        if (byIndex.size() > 1) {
            throw new IllegalArgumentException("[id] document [" + source.id()
                    + "] is in several of the searched indices " + byIndex.keySet() + ": set [index]");
        }
        GetResponse document = byIndex.values().iterator().next();
        StoredDocument self = source.includeSelf() ? null : place(document);
        List<Target> targets = StoredTargets.of(document, scope.field(), () -> mapping(document.getIndex()));
        if (targets.isEmpty()) {
            return new Resolved(List.of(), null);
        }
        String text = verifiedText(
                scope, document.getSourceAsMap(), document::getField, "[id] document [" + source.id() + "]");
        if (text != null) {
            requirePreparing(source, targets, document.getIndex(), scope.field());
        }
        return new Resolved(targets, self, text, source.pipeline());
    }

    /** By another recipe than the one that made the fingerprint tags might be compared, where texts were meant. */
    private void requirePreparing(Stored source, List<Target> targets, String index, String field) {
        PreparingRecipes preparing = preparing(source.pipeline(), field, index);
        for (Target target : targets) {
            if (source.pipeline() == null && preparing.maker(target.scheme()).isEmpty()) {
                throw new IllegalArgumentException("[id] document [" + source.id() + "] of index [" + index
                        + "] has a fingerprint of the scheme [" + target.scheme()
                        + "], which no ingest pipeline makes: set the [pipeline] that prepares texts for [verify]");
            }
        }
    }

    private IndexMapping mapping(String index) {
        Metadata metadata = cluster.get().service().state().metadata();
        if (metadata.hasIndex(index) == false) {
            throw new IndexNotFoundException(index);
        }
        return new IndexMapping(metadata.index(index));
    }

    private static StoredDocument place(GetResponse document) {
        DocumentField routing = document.getField(RoutingFieldMapper.NAME);
        return new StoredDocument(document.getIndex(), document.getId(), routing == null ? null : routing.getValue());
    }

    private static String verifiedText(
            Scope scope, Map<String, Object> document, Function<String, DocumentField> stored, String what) {
        String field = scope.verifiedField();
        if (field == null) {
            return null;
        }
        if (DocumentTexts.has(field, document)) {
            return DocumentTexts.text(field, document);
        }
        DocumentField storedText = stored.apply(field);
        if (storedText == null) {
            throw new IllegalArgumentException(
                    what + " must have the field [" + field + "] of [verify], got: no text in it");
        }
        return DocumentTexts.text(field, Map.of(field, storedText.getValues()));
    }

    private static Set<String> indicesOf(MultiGetResponse response) {
        Set<String> indices = new TreeSet<>();
        for (MultiGetItemResponse item : response) {
            indices.add(item.getIndex());
        }
        return indices;
    }
}

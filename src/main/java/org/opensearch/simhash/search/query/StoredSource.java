/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.common.Strings;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.PreparingRecipes;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.Stored;
import org.opensearch.simhash.search.query.QuerySource.StoredDocument;

/** Finds the document that an {@code id} names, and its prints. */
record StoredSource(Stored source, Scope scope, PipelineRecipes recipes, SketchKind kind, Supplier<Metadata> metadata) {

    /**
     * @param verifiedField the field whose text is verified, or null
     * @param indices names of the searched indices; their pipelines count if the source names none
     * @param routing by index; an index that is searched on all shards has no entry
     */
    record Scope(String field, String verifiedField, Collection<String> indices, Map<String, Set<String>> routing) {}

    MultiGetRequest request() {
        Collection<String> candidates = source.index() == null ? scope.indices() : List.of(source.index());
        if (candidates.isEmpty()) {
            throw new ResourceNotFoundException(
                    "[id] document [{}] not found: no index of this cluster is searched; set [index]", source.id());
        }
        // Which fields have the text of passages, and the language, only the recipes of the document's index tell: all
        // are read.
        String[] needed = kind == SketchKind.PASSAGES || scope.verifiedField() != null
                ? Strings.EMPTY_ARRAY
                : new String[] {scope.field()};
        MultiGetRequest request = new MultiGetRequest();
        for (String index : candidates) {
            for (String routing : routing(index)) {
                MultiGetRequest.Item item = new MultiGetRequest.Item(index, source.id())
                        .routing(routing)
                        .fetchSourceContext(new FetchSourceContext(true, needed, new String[0]));
                request.add(scope.verifiedField() == null ? item : item.storedFields(scope.verifiedField()));
            }
        }
        return request;
    }

    /** Null stands for the id. */
    private Collection<String> routing(String index) {
        boolean ofSearch = source.routing() == null && source.index() == null;
        return ofSearch && scope.routing().containsKey(index)
                ? scope.routing().get(index)
                : Collections.singleton(source.routing());
    }

    /**
     * @throws ResourceNotFoundException if there is no such document
     * @throws Exception the failure of a get, if no other get finds the document
     */
    Resolved found(MultiGetResponse response) throws Exception {
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
        if (kind == SketchKind.PASSAGES) {
            return new Resolved(passages(document), self, null, null, source.pipeline());
        }
        List<Print> prints = StoredPrints.of(kind, document, scope.field(), () -> mapping(document.getIndex()));
        if (prints.isEmpty()) {
            return new Resolved(List.of(), null);
        }
        String text = verifiedText(
                scope, document.getSourceAsMap(), document::getField, "[id] document [" + source.id() + "]");
        String language = text == null
                ? null
                : DocumentTexts.storedLanguage(preparing(prints, document.getIndex()), document.getSourceAsMap());
        return new Resolved(prints, self, text, language, source.pipeline());
    }

    /** The texts of the document, by the recipes of its index. */
    private List<Print> passages(GetResponse document) {
        IndexMapping mapping = mapping(document.getIndex());
        List<Fingerprinter> makers = source.pipeline() != null
                ? recipes.ofPipeline(source.pipeline(), scope.field())
                : recipes.ofIndices(List.of(document.getIndex()), scope.field(), (index, path) -> mapping.maps(path));
        if (document.isSourceEmpty()) {
            throw new IllegalArgumentException("[id] document [" + source.id() + "] of index [" + document.getIndex()
                    + "] keeps no _source, from which its texts could be read: use [text]");
        }
        Set<Print> prints = new LinkedHashSet<>();
        for (Fingerprinter maker : makers) {
            DocumentTexts.readable(maker.recipe(), document.getSourceAsMap())
                    .ifPresent(texts -> prints.add(new PassageTarget(texts, maker.scheme())));
        }
        return List.copyOf(prints);
    }

    /** Fails if the recipe of the fingerprint is unknown: another one might compare markup instead of texts. */
    private List<Fingerprinter> preparing(List<Print> prints, String index) {
        PreparingRecipes preparing = recipes.preparing(source.pipeline(), scope.field(), index);
        for (Print print : prints) {
            if (source.pipeline() == null && preparing.maker(print.scheme()).isEmpty()) {
                throw new IllegalArgumentException("[id] document [" + source.id() + "] of index [" + index
                        + "] has a fingerprint of the scheme [" + print.scheme()
                        + "], which no ingest pipeline makes: set the [pipeline] that prepares texts for [verify]");
            }
        }
        return prints.stream().map(print -> preparing.preparing(print.scheme())).toList();
    }

    private IndexMapping mapping(String index) {
        IndexMetadata there = metadata.get().index(index);
        if (there == null) {
            throw new IndexNotFoundException(index);
        }
        return new IndexMapping(there);
    }

    private static StoredDocument place(GetResponse document) {
        DocumentField routing = document.getField(RoutingFieldMapper.NAME);
        return new StoredDocument(document.getIndex(), document.getId(), routing == null ? null : routing.getValue());
    }

    private static Set<String> indicesOf(MultiGetResponse response) {
        Set<String> indices = new TreeSet<>();
        for (MultiGetItemResponse item : response) {
            indices.add(item.getIndex());
        }
        return indices;
    }

    /** Null if nothing is verified. */
    static String verifiedText(
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
}

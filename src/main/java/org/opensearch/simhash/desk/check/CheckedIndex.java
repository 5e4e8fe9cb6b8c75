/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.lucene.search.join.ScoreMode;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Setting;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.DataStreamFieldMapper;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.PipelineProcessor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.transport.client.Client;

/** An index in the cluster state, with the steps of its pipelines in the order in which they run. */
public record CheckedIndex(
        IndexMetadata metadata,
        IndexMapping mapping,
        RandomDocuments documents,
        String fingerprint,
        CheckedKind kind,
        List<Step> steps) {

    /** Parts that hashes which are not made of texts do not have. */
    static final Set<String> OF_TEXTS = Set.of(FingerprintFields.DIGEST, FingerprintFields.FEATURES);

    private static final Set<String> KEYWORDS = Set.of("keyword", "constant_keyword");
    private static final Set<String> OBJECTS = Set.of("object", "nested", "flat_object");
    private static final Set<String> ANALYZED = Set.of("text", "match_only_text", "search_as_you_type");
    private static final Set<String> TEXTS =
            Set.of("text", "match_only_text", "keyword", "constant_keyword", "wildcard", "search_as_you_type");

    public static CheckedIndex of(IndexMetadata metadata, String fingerprint, PipelineSteps pipelines, Client client) {
        IndexMapping mapping = new IndexMapping(metadata);
        List<String> names = Stream.of(IndexSettings.DEFAULT_PIPELINE, IndexSettings.FINAL_PIPELINE)
                .skip(metadata.useIngestionSource() ? 1 : 0)
                .map(setting -> setting.get(metadata.getSettings()))
                .toList();
        List<Step> steps = pipelines.of(names);
        return new CheckedIndex(
                metadata,
                mapping,
                RandomDocuments.of(List.of(metadata), client),
                fingerprint,
                CheckedKind.of(fingerprint, steps, mapping),
                steps);
    }

    /** For a print of this kind, where nothing says yet what is in the object. */
    public CheckedIndex of(SketchKind print) {
        boolean isKnown = writer().isPresent() || hasFingerprintFields() || print == SketchKind.SIMHASH;
        CheckedKind wanted = print == SketchKind.MINHASH ? CheckedKind.SKETCH : CheckedKind.PASSAGES;
        return isKnown ? this : with(wanted, steps);
    }

    public CheckedIndex with(CheckedKind other, List<Step> planned) {
        return new CheckedIndex(metadata, mapping, documents, fingerprint, other, planned);
    }

    public String name() {
        return metadata.getIndex().getName();
    }

    /** Its name in the path of a request. */
    public String inPath() {
        return MendingRequest.encoded(name());
    }

    /** Whether the path is a field of its own: no object, or one with other parts and no scheme. A fingerprint would replace it. */
    public boolean isOwnField() {
        Map<?, ?> definition = mapping.definition(fingerprint);
        if (definition == null) {
            return false;
        }
        return (definition.get("type") != null && OBJECTS.contains(String.valueOf(definition.get("type"))) == false)
                || (definition.get("properties") instanceof Map<?, ?> parts && isOwn(parts));
    }

    /** The same of a document. */
    boolean isOwnValue(Map<String, Object> document) {
        return DocumentValues.objectsAt(fingerprint, document).stream()
                .anyMatch(value -> value instanceof Map<?, ?> parts ? isOwn(parts) : true);
    }

    private boolean isOwn(Map<?, ?> parts) {
        return parts.containsKey(FingerprintFields.SCHEME) == false
                && kind.partsAndTags(SegmentLayout.MAX_OF_WORDS).keySet().containsAll(parts.keySet()) == false;
    }

    boolean isInDataStream() {
        return metadata.mapping() != null
                && metadata.mapping().sourceAsMap().get(DataStreamFieldMapper.NAME) instanceof Map<?, ?> stream
                && "true".equals(String.valueOf(stream.get("enabled")));
    }

    /** The one that runs: none where OpenSearch pulls documents. */
    public Optional<String> defaultPipeline() {
        return metadata.useIngestionSource() ? Optional.empty() : pipeline(IndexSettings.DEFAULT_PIPELINE);
    }

    public Optional<String> finalPipeline() {
        return pipeline(IndexSettings.FINAL_PIPELINE);
    }

    private Optional<String> pipeline(Setting<String> setting) {
        return Optional.of(setting.get(metadata.getSettings()))
                .filter(name -> name.equals(IngestService.NOOP_PIPELINE_NAME) == false);
    }

    public Optional<Step> writer() {
        return writers().findFirst();
    }

    Stream<Step> writers() {
        return steps.stream().filter(step -> step.writes(fingerprint));
    }

    /** Whether a condition stands around a call of its pipeline. */
    public boolean isCalledIf(Step writer) {
        return steps.stream()
                .anyMatch(step -> step.isConditional()
                        && step.type().equals(PipelineProcessor.TYPE)
                        && writer.pipeline().equals(step.options().get("name")));
    }

    /** The innermost path of type nested around a path; empty if there is none. */
    public Optional<String> nested(String path) {
        for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
            Map<?, ?> object = mapping.definition(path.substring(0, dot));
            if (object != null && "nested".equals(object.get("type"))) {
                return Optional.of(path.substring(0, dot));
            }
        }
        return Optional.empty();
    }

    QueryBuilder around(String path, QueryBuilder query) {
        Optional<String> nested = nested(path);
        return nested.isEmpty() ? query : QueryBuilders.nestedQuery(nested.get(), query, ScoreMode.None);
    }

    QueryBuilder withValue() {
        String path = path(kind.value());
        return around(path, QueryBuilders.existsQuery(path));
    }

    public String path(String part) {
        return fingerprint + "." + part;
    }

    /** The field with the terms of a part: the part or its {@code keyword} sub-field; null if neither is mapped. */
    public String terms(String part) {
        String path = path(part);
        Map<?, ?> field = mapping.definition(path);
        if (field == null) {
            return null;
        }
        if (KEYWORDS.contains(String.valueOf(field.get("type")))) {
            return path;
        }
        return field.get("fields") instanceof Map<?, ?> below && below.get("keyword") != null
                ? path + ".keyword"
                : null;
    }

    /** Searched parts that the mapping does not name, with the segments of the writer. */
    List<String> unmappedParts(int segments) {
        List<String> searched = new ArrayList<>(List.of(kind.value()));
        searched.addAll(kind.terms(segments));
        return written(searched, part -> mapping.maps(path(part)) == false);
    }

    /** Parts that a strict mapping refuses, of those that a processor with so many segments writes. */
    List<String> refusedParts(int segments) {
        return written(kind.parts(segments).keySet(), part -> refuses(path(part)));
    }

    private List<String> written(Collection<String> parts, Predicate<String> wanted) {
        boolean areOfTexts = writer().isEmpty() || writers().anyMatch(Step::readsTexts);
        return parts.stream()
                .filter(part -> areOfTexts || OF_TEXTS.contains(part) == false)
                .filter(wanted)
                .toList();
    }

    private boolean refuses(String path) {
        String dynamic = mapping.dynamic(fingerprint);
        return dynamic.startsWith("strict")
                && mapping.maps(path) == false
                && (dynamic.endsWith("_allow_templates") && mapping.hasDynamicTemplate(path)) == false;
    }

    boolean hasFingerprintFields() {
        return mapping.maps(path(kind.value())) || mapping.maps(path(FingerprintFields.DIGEST));
    }

    Set<String> languageFields() {
        Set<String> fields = new TreeSet<>();
        writers().forEach(step -> fields.addAll(step.paths(List.of("language_field"))));
        return fields;
    }

    public Set<String> textFields() {
        Set<String> fields = new TreeSet<>();
        writers().forEach(step -> fields.addAll(fields(step)));
        return fields;
    }

    public Set<String> fields(Step writer) {
        return writer.paths(List.of("field", "fields", "hash_field"));
    }

    /** Whether documents may have a text there when a pipeline sees them: it does not see what the mapping copies. */
    public boolean isText(String path) {
        Map<?, ?> field = mapping.definition(path);
        return field != null && TEXTS.contains(String.valueOf(field.get("type"))) && mapping.isCopiedTo(path) == false;
    }

    /** Whether it is a text that is searched by its words, by itself or by a sub-field. */
    public boolean isAnalyzed(String path) {
        return isText(path) && isAnalyzed(mapping.definition(path));
    }

    private static boolean isAnalyzed(Map<?, ?> field) {
        return ANALYZED.contains(String.valueOf(field.get("type")))
                || (field.get("fields") instanceof Map<?, ?> below
                        && below.values().stream().anyMatch(sub -> sub instanceof Map<?, ?> map && isAnalyzed(map)));
    }

    public List<String> ownTexts() {
        return mapping.paths().stream()
                .filter(path -> path.startsWith(fingerprint + ".") == false && isAnalyzed(path))
                .sorted()
                .toList();
    }
}

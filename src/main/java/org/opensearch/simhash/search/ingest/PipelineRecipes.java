/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;

/**
 * Finds the recipe of an index's fingerprints or sketches: that of the processor in its ingest pipelines or in those
 * that they call. Reads the live pipelines, so changes are seen at once.
 */
public final class PipelineRecipes {

    /** Options of every processor, which do not affect the recipe. */
    private static final Set<String> STANDARD_OPTIONS =
            Set.of("tag", "description", "if", "ignore_failure", "on_failure");

    /** An analyzer that keeps all of a text's tokens. */
    private static final String BUFFERING = "fingerprint";

    private final Supplier<IngestService> ingestService;
    private final Supplier<? extends TextProcessor.Factory> factory;
    private final SketchKind kind;
    private final PipelineProcessors pipelines;
    private volatile Fingerprinter byDefault;

    /** @param factory of processors of the kind */
    public PipelineRecipes(
            SketchKind kind, Supplier<IngestService> ingestService, Supplier<? extends TextProcessor.Factory> factory) {
        this.ingestService = ingestService;
        this.pipelines = new PipelineProcessors(ingestService, kind);
        this.kind = kind;
        this.factory = factory;
    }

    /** The distinct recipes of a pipeline: of the processors that write the field (several may have conditions), else of its only processor. */
    public List<Fingerprinter> ofPipeline(String pipeline, String field) {
        requireExisting(pipeline);
        List<FingerprintProcessor> processors = pipelines.of(pipeline);
        List<TextProcessor> ofTexts = pipelines.ofTexts(processors);
        List<TextProcessor> writing = writing(field, processors);
        if (writing.isEmpty()) {
            refuseHashes(field, List.of(processors));
            if (ofTexts.size() != 1) {
                throw noProcessor(pipeline, field, processors);
            }
        }
        return recipes(writing.isEmpty() ? ofTexts : writing);
    }

    /**
     * The distinct recipes that write a field in the indices: in the default pipeline of an index, else in its final
     * one. If none writes it, those of the indices with a single processor.
     */
    public List<Fingerprinter> ofIndices(Collection<String> indices, String field) {
        return ofIndices(indices, field, (index, path) -> false);
    }

    /**
     * The same for a field of a searched index. A single processor that writes another field counts only if the index
     * does not map the searched field (there are no matches) or the written one (it is renamed later).
     *
     * @param maps whether an index maps a path
     */
    public List<Fingerprinter> ofIndices(Collection<String> indices, String field, BiPredicate<String, String> maps) {
        return ofIndices(indices, field, maps, this::settings);
    }

    /** The same for an index that may not exist yet. */
    public List<Fingerprinter> ofIndex(String index, Settings settings, String field, Predicate<String> maps) {
        return ofIndices(List.of(index), field, (any, path) -> maps.test(path), any -> settings);
    }

    private List<Fingerprinter> ofIndices(
            Collection<String> indices,
            String field,
            BiPredicate<String, String> maps,
            Function<String, Settings> settings) {
        // Many indices share few pipelines.
        Map<String, List<FingerprintProcessor>> byPipeline = new HashMap<>();
        Set<TextProcessor> writing = new LinkedHashSet<>();
        for (String index : indices) {
            writing.addAll(processorsOf(settings.apply(index), field, byPipeline));
        }
        if (writing.isEmpty()) {
            refuseHashes(field, byPipeline.values());
            for (String index : indices) {
                only(settings.apply(index), byPipeline).stream()
                        .filter(processor -> writing.contains(processor) == false) // asking parses a mapping
                        .filter(processor ->
                                maps.test(index, field) == false || maps.test(index, processor.targetField()) == false)
                        .forEach(writing::add);
            }
        }
        if (writing.isEmpty()) {
            throw noProcessor(indices, field, byPipeline.values());
        }
        return recipes(List.copyOf(writing));
    }

    /**
     * The recipe of processor options as in a pipeline.
     *
     * @throws org.opensearch.OpenSearchParseException if a pipeline with them would be refused
     * @throws IllegalArgumentException if they define an analyzer, whose parts allocate buffers, read files or hold a thread for hours.
     *     That is only for those who may define pipelines; a request needs only the right to read indices
     */
    public Fingerprinter ofOptions(Map<String, Object> options) {
        Object given = options.get(GivenHash.HASH_FIELD);
        if (given != null) {
            throw new IllegalArgumentException("[config] must be of texts, which a [" + GivenHash.HASH_FIELD
                    + "] has none of, got: " + TypedNumber.shown(given.toString()));
        }
        requireName("analyzer", options.get("analyzer"));
        if (options.get("analyzers") instanceof Map<?, ?> byLanguage) {
            byLanguage.forEach((language, analyzer) -> requireName("analyzers." + language, analyzer));
        }
        Map<String, Object> remaining = new HashMap<>(options);
        STANDARD_OPTIONS.forEach(remaining::remove);
        return factory.get().ofTexts(null, null, remaining).fingerprinter();
    }

    private static void requireName(String option, Object analyzer) {
        if (analyzer instanceof Map || BUFFERING.equals(analyzer)) {
            throw new IllegalArgumentException(
                    "[" + TypedNumber.shown(option) + "] of [config] must be the name of an analyzer other than ["
                            + BUFFERING + "] (put another one into a pipeline, and name that as [pipeline]), got: "
                            + TypedNumber.shown(String.valueOf(analyzer)));
        }
    }

    /**
     * The recipes that prepare an index's texts for verification: only those of the given pipeline; without one, those
     * of the index's pipelines, then of all, and the default recipe for an index without pipeline.
     *
     * @param pipeline may be null
     */
    public PreparingRecipes preparing(String pipeline, String field, String index) {
        if (pipeline != null) {
            return new PreparingRecipes(ofPipeline(pipeline, field), List::of);
        }
        Map<String, List<FingerprintProcessor>> byPipeline = new HashMap<>();
        Settings settings = settings(index);
        List<TextProcessor> writing = processorsOf(settings, field, byPipeline);
        return new PreparingRecipes(
                recipes(writing.isEmpty() ? only(settings, byPipeline) : writing), () -> ofAllPipelines(field));
    }

    /**
     * The same on a shard, which may be of another cluster, or asked much later by a percolator. If the pipeline is
     * unknown here, the recipe of the fingerprint prepares its text.
     */
    public PreparingRecipes preparingOnShard(String pipeline, String field, String index) {
        try {
            return preparing(pipeline, field, index);
        } catch (IllegalArgumentException e) {
            return preparing(null, field, index);
        }
    }

    /** The distinct recipes, of fingerprints or sketches, by which a pipeline writes a field; empty for an unknown pipeline. */
    public List<Fingerprinter> ofWriters(String pipeline, String field) {
        return recipes(writers(pipeline, field)
                .filter(TextProcessor.class::isInstance)
                .map(TextProcessor.class::cast)
                .toList());
    }

    /**
     * The processors that write a field, but not from texts: of a pipeline, else of those of the indices.
     *
     * @param pipeline may be null
     */
    public HashMakers hashing(String pipeline, String field, Collection<String> indices) {
        if (pipeline != null) {
            requireExisting(pipeline);
        }
        Stream<String> pipelineIds = pipeline == null
                ? indices.stream().flatMap(index -> named(settings(index)).stream())
                : Stream.of(pipeline);
        List<FingerprintProcessor> processors = pipelineIds
                .distinct()
                .flatMap(id -> writers(id, field))
                .filter(processor -> processor instanceof TextProcessor == false)
                .toList();
        return new HashMakers(processors, pipeline, field, indices);
    }

    /** The schemes that a pipeline writes into a field; empty for an unknown pipeline. */
    public List<String> schemes(String pipeline, String field) {
        return writers(pipeline, field)
                .map(FingerprintProcessor::scheme)
                .distinct()
                .toList();
    }

    private Stream<FingerprintProcessor> writers(String pipeline, String field) {
        return pipelines.of(pipeline).stream()
                .filter(processor -> processor.targetField().equals(field));
    }

    private void requireExisting(String pipeline) {
        if (ingestService.get().getPipeline(pipeline) == null) {
            throw new IllegalArgumentException("[pipeline] must be an existing ingest pipeline, got: " + pipeline);
        }
    }

    /** The same of the pipelines of some indices. */
    public Set<String> schemesOf(Collection<String> indices, String field) {
        return indices.stream()
                .flatMap(index -> named(settings(index)).stream())
                .flatMap(pipeline -> schemes(pipeline, field).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Recipes that write the field come first: another recipe of the same scheme may read the language elsewhere. */
    private List<List<Fingerprinter>> ofAllPipelines(String field) {
        Map<Boolean, List<Fingerprinter>> byTarget = pipelines.all().stream()
                .collect(Collectors.partitioningBy(
                        processor -> processor.targetField().equals(field),
                        Collectors.mapping(TextProcessor::fingerprinter, Collectors.toList())));
        return List.of(byTarget.get(true), byTarget.get(false), List.of(byDefault()));
    }

    private Fingerprinter byDefault() {
        if (byDefault == null) {
            byDefault = ofOptions(Map.of("field", "text"));
        }
        return byDefault;
    }

    /** @param byPipeline processors that were already looked up */
    private List<TextProcessor> processorsOf(
            Settings index, String field, Map<String, List<FingerprintProcessor>> byPipeline) {
        for (String pipeline : named(index)) {
            List<TextProcessor> writing = writing(field, byPipeline.computeIfAbsent(pipeline, pipelines::of));
            if (writing.isEmpty() == false) {
                return writing;
            }
        }
        return List.of();
    }

    /** The only processor of an index's pipelines, whatever it writes; else empty. */
    private List<TextProcessor> only(Settings index, Map<String, List<FingerprintProcessor>> byPipeline) {
        Set<TextProcessor> all = new LinkedHashSet<>();
        for (String pipeline : named(index)) {
            all.addAll(pipelines.ofTexts(byPipeline.computeIfAbsent(pipeline, pipelines::of)));
        }
        return all.size() == 1 ? List.copyOf(all) : List.of();
    }

    private Settings settings(String index) {
        return IndexSettingsOrTemplates.of(
                ingestService.get().getClusterService().state().metadata(), index);
    }

    private static List<String> named(Settings index) {
        return List.of(IndexSettings.DEFAULT_PIPELINE.get(index), IndexSettings.FINAL_PIPELINE.get(index));
    }

    private List<TextProcessor> writing(String field, List<FingerprintProcessor> processors) {
        return pipelines.ofTexts(processors).stream()
                .filter(processor -> processor.targetField().equals(field))
                .toList();
    }

    private static List<Fingerprinter> recipes(List<TextProcessor> processors) {
        if (processors.size() == 1) {
            return List.of(processors.getFirst().fingerprinter());
        }
        // Not by scheme: recipes of one scheme may read different fields.
        Map<Recipe, Fingerprinter> distinct = new LinkedHashMap<>();
        for (TextProcessor processor : processors) {
            distinct.putIfAbsent(processor.fingerprinter().recipe(), processor.fingerprinter());
        }
        return List.copyOf(distinct.values());
    }

    private static String setup(SketchKind kind, String object, Collection<String> indices) {
        List<String> options = new ArrayList<>();
        if (kind != SketchKind.SIMHASH) {
            options.add("\"sketch\": \"" + kind + "\"");
        }
        if (kind.defaultObject().equals(object) == false) {
            options.add("\"target_field\": \"" + object + "\"");
        }
        return "POST /_plugins/_simhash/setup/"
                + (indices.size() == 1 ? indices.iterator().next() : "{index}")
                + (options.isEmpty() ? "" : " {" + String.join(", ", options) + "}");
    }

    /** The error where dynamic mapping made texts of the terms of passages. */
    public static IllegalArgumentException notTerms(String terms, Object type, String index) {
        return new IllegalArgumentException("[field] must have its terms mapped as [keyword], but [" + terms
                + "] is of type [" + type + "] in [" + index
                + "]; map it as in the plugin's config/index-template.json: "
                + setup(SketchKind.PASSAGES, terms.substring(0, terms.lastIndexOf('.')), List.of(index))
                + " says how");
    }

    /** The error where indices have no field that is compared. */
    public static IllegalArgumentException notMapped(SketchKind kind, String part, Collection<String> indices) {
        return new IllegalArgumentException("[field] must be the object that the [" + kind
                + "] processor writes, but [" + part + "] is not mapped in " + new TreeSet<>(indices)
                + ": map it, and set a pipeline; "
                + setup(kind, part.substring(0, part.lastIndexOf('.')), indices)
                + " does it");
    }

    /** The error when no processor of the kind writes a field: names the fields that are written. */
    private IllegalArgumentException noProcessor(String pipeline, String field, List<FingerprintProcessor> processors) {
        return new IllegalArgumentException("[pipeline] must have a [" + kind + "] processor with target_field ["
                + field + "], got: " + pipeline
                + (written(List.of(processors)).isEmpty()
                        ? ""
                        : ", whose processors write " + written(List.of(processors))));
    }

    private IllegalArgumentException noProcessor(
            Collection<String> indices, String field, Collection<List<FingerprintProcessor>> processors) {
        if (written(processors).isEmpty()) {
            return new IllegalArgumentException(
                    "no ingest pipeline with a [" + kind + "] processor for field [" + field + "] found for "
                            + indices + ": set [pipeline], or [index.default_pipeline] of the index; "
                            + setup(kind, field, indices) + " does it");
        }
        return new IllegalArgumentException(
                "the [" + kind + "] processors in the ingest pipelines of " + indices + " write "
                        + written(processors) + ", none of them [" + field
                        + "]: set [pipeline] to one with a processor for it, or with a single processor");
    }

    /** Refuses to fingerprint a text for a field with hashes of something else: nothing would be near. */
    private void refuseHashes(String field, Collection<List<FingerprintProcessor>> processors) {
        for (List<FingerprintProcessor> list : processors) {
            for (FingerprintProcessor processor : list) {
                if (processor.targetField().equals(field) && TextProcessor.isOf(kind, processor) == false) {
                    throw new IllegalArgumentException("[field] must hold fingerprints of texts to be compared with"
                            + " a text or a document, got: " + field + ", into which hashes of the scheme ["
                            + processor.scheme() + "] are written; use [hash] or [id]");
                }
            }
        }
    }

    /** Without the target fields of other kinds of texts. */
    private Set<String> written(Collection<List<FingerprintProcessor>> processors) {
        return processors.stream()
                .flatMap(List::stream)
                .filter(processor -> TextProcessor.isOf(kind, processor) || processor instanceof TextProcessor == false)
                .map(FingerprintProcessor::targetField)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of a node. */
    public record ByKind(Map<SketchKind, PipelineRecipes> all) {

        public PipelineRecipes of(SketchKind kind) {
            return all.get(kind);
        }
    }

    /** The settings of an index, or of its templates while it does not exist: its first documents run through pipelines before it is created. */
    public static final class IndexSettingsOrTemplates {

        private IndexSettingsOrTemplates() {}

        /** The settings of an index, or those that templates will give it. */
        public static Settings of(Metadata metadata, String index) {
            IndexMetadata there = metadata.index(index);
            if (there != null) {
                return there.getSettings();
            }
            String template = MetadataIndexTemplateService.findV2Template(metadata, index, false);
            return template == null
                    ? MetadataIndexTemplateService.resolveSettings(
                            MetadataIndexTemplateService.findV1Templates(metadata, index, false))
                    : MetadataIndexTemplateService.resolveSettings(metadata, template);
        }

        /** Whether creating this name makes a data stream. */
        public static boolean makeDataStream(Metadata metadata, String name) {
            String template = MetadataIndexTemplateService.findV2Template(metadata, name, false);
            return template != null && metadata.templatesV2().get(template).getDataStreamTemplate() != null;
        }
    }
}

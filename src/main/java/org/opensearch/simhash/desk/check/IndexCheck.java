/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ingest.SimulateDocumentBaseResult;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;
import org.opensearch.simhash.desk.check.Finding.Severity;
import org.opensearch.simhash.desk.check.MappingCheck.MissingFields;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.transport.client.Client;

/** Checks the settings and the documents of one index. */
record IndexCheck(
        CheckedIndex index,
        Findings found,
        Metadata metadata,
        PipelineSteps pipelines,
        PipelineRecipes recipes,
        LongConsumer memory,
        Client client,
        ClusterSettings settings,
        Set<String> checked,
        int sampleSize,
        int textSampleSize) {

    private static final int TRIED = 20;

    DocumentCounts check() {
        if (index.metadata().getState() == IndexMetadata.State.CLOSE) {
            found.addNotSearchable("the index is closed", "POST /" + index.inPath() + "/_open");
            return DocumentCounts.NONE;
        }
        int segments = segments();
        DocumentCounts documents = found.of(() -> DocumentCounts.of(search(DocumentCounts.search(index)), index), null);
        Optional<String> refusal = documents == null ? Optional.empty() : found.of(this::refusal, Optional.empty());
        DocumentCounts known = documents == null ? DocumentCounts.NONE : documents;
        // What documents need comes before what changes them.
        found.of(() -> new MappingCheck(index, segments, known.counts()).find(refusal, found));
        WritingPipeline writing = new WritingPipeline(
                index, pipelines, documents, refusal.isPresent() && found.have(Code.MAPPING_WRONG), recipes);
        new SettingsCheck(index, settings, found).find();
        PipelineCheck ofPipelines = new PipelineCheck(index, metadata, pipelines, segments, documents, writing, found);
        ofPipelines.find();
        boolean isUnfit =
                found.have(Code.MAPPING_MISSING, Code.MAPPING_WRONG, Code.MAPPING_NOT_DYNAMIC, Code.NO_PIPELINE);
        if (isUnfit) {
            ofPipelines.findTemplate();
        }
        if (documents != null) {
            findInDocuments(documents);
        }
        return known;
    }

    private void findInDocuments(DocumentCounts documents) {
        PrintCounts counts = documents.counts();
        MissingFields fields = new MissingFields(index, pipelines, counts, found);
        boolean isFieldMissing = found.of(fields::find);
        if (counts.fingerprinted() > 0) {
            try (Account account = new Account(memory)) {
                DocumentSample sample = new DocumentSample(index, recipes, account);
                found.of(() -> sample.read(sampleSize, textSampleSize));
                found.of(() -> sample.find(documents, currentSchemes(), pipelines, found));
            }
            found.of(fields::findVerified);
            Set<String> siblings = siblings();
            int mostHits = SearchedIndices.mostHits(metadata, siblings);
            new TagCheck(index, siblings, mostHits, client, found).find(counts.fingerprinted(), metadata);
        }
        found.of(() -> findUnfit(documents, isFieldMissing));
    }

    private Set<String> siblings() {
        Set<String> siblings = new TreeSet<>(checked);
        Map<String, IndexAbstraction> lookup = metadata.getIndicesLookup();
        IndexAbstraction stream = lookup.get(index.name()).getParentDataStream();
        // Not the names of aliases, whose filters would hide survivors.
        Stream.concat(
                        index.metadata().getAliases().keySet().stream().map(lookup::get),
                        stream == null ? Stream.empty() : Stream.of(stream))
                .flatMap(named -> named.getIndices().stream())
                .forEach(sibling -> siblings.add(sibling.getIndex().getName()));
        return siblings;
    }

    /** The segments of the writer, else those of the mapping. */
    private int segments() {
        Optional<Step> writer = index.writer();
        if (writer.isPresent()) {
            return writer.get().segments();
        }
        int mapped = SegmentLayout.MAX_OF_WORDS;
        while (mapped > 0 && index.mapping().maps(index.path(FingerprintFields.segment(mapped - 1))) == false) {
            mapped--;
        }
        return mapped < SegmentLayout.MIN ? index.kind().segments() : mapped;
    }

    Set<String> currentSchemes() {
        Set<String> schemes = new TreeSet<>();
        index.writers().forEach(step -> schemes.addAll(recipes.schemes(step.pipeline(), step.typedTarget())));
        return schemes;
    }

    private SearchResponse search(SearchSourceBuilder source) {
        return client.search(RandomDocuments.searchOf(source, index.name())).actionGet();
    }

    /** The error of a query, which knows best what it can search. */
    private Optional<String> refusal() {
        Map<?, ?> definition =
                index.mapping().definition(index.path(index.kind().value()));
        Optional<String> byMapping = index.kind().refusal(index.fingerprint(), definition);
        if (byMapping.isPresent()) {
            return byMapping;
        }
        QueryBuilder any = QueryBuilders.wrapperQuery(index.kind().anyQuery(index.fingerprint()));
        try {
            String value = index.path(index.kind().value());
            search(new SearchSourceBuilder().query(index.around(value, any)).size(0));
            return Optional.empty();
        } catch (RuntimeException e) {
            Throwable cause = ExceptionsHelper.unwrapCause(e);
            Throwable reason = cause.getCause() == null ? cause : ExceptionsHelper.unwrapCause(cause.getCause());
            if (ExceptionsHelper.status(e) == RestStatus.BAD_REQUEST) {
                return Optional.of(reason.getMessage());
            }
            throw e;
        }
    }

    /** Whether documents without fingerprint should have one. Where each writer has a condition, a few are simulated. */
    private boolean mayGet() {
        if (index.writers().allMatch(Step::isConditional) == false) {
            return true;
        }
        List<Map<String, Object>> tried = new ArrayList<>();
        QueryBuilder without = DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery());
        index.documents().readAll(without, TRIED, null, hit -> {
            if (hit.hasSource()) {
                tried.add(Map.of("_index", hit.getIndex(), "_id", hit.getId(), "_source", hit.getSourceAsMap()));
            }
        });
        Stream<String> tries = index.writers().anyMatch(index::isCalledIf)
                ? Stream.of(index.defaultPipeline(), index.finalPipeline())
                        .flatMap(Optional::stream)
                        .filter(pipelines::has)
                : index.writers().map(Step::pipeline);
        return tries.distinct().anyMatch(pipeline -> fingerprint(pipelines.definition(pipeline), tried));
    }

    private boolean fingerprint(Map<String, Object> pipeline, List<Map<String, Object>> tried) {
        try {
            return PipelineSteps.simulated(client, pipeline, tried).stream()
                    .map(SimulateDocumentBaseResult.class::cast)
                    .anyMatch(this::isFingerprinted);
        } catch (TaskCancelledException e) {
            throw e;
        } catch (RuntimeException e) {
            return true; // Without permission to try, one finding too many is better than one too few.
        }
    }

    /** A failure may have the same cause. */
    private boolean isFingerprinted(SimulateDocumentBaseResult result) {
        IngestDocument made = result.getIngestDocument();
        return made == null
                ? result.getFailure() != null
                : DocumentValues.objectsAt(index.fingerprint(), made.getSourceAndMetadata())
                                .isEmpty()
                        == false;
    }

    private void findUnfit(DocumentCounts documents, boolean isFieldMissing) {
        Step writer = index.writer().orElse(null);
        if (documents.unsliced() > 0) {
            // Fingerprints with segments, which the mapping did not index, need nothing new.
            String mend = index.kind() == CheckedKind.SKETCH && writer != null
                    ? DocumentCounts.remaking(
                            index, writer, documents.schemes().keySet(), DocumentCounts.unsliced(index))
                    : MendingRequest.updateByQuery(index, "_none", DocumentCounts.unsliced(index));
            index.kind().addUnsliced(documents.unsliced(), mend, found);
        }
        if (writer == null) {
            return;
        }
        boolean isNoneRead = isFieldMissing && documents.counts().fingerprinted() == 0;
        if (documents.unread() > 0 && isNoneRead == false && mayGet()) {
            QueryBuilder without = DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery());
            found.add(
                    documents.counts().fingerprinted() == 0 ? Severity.ERROR : Code.NOT_FINGERPRINTED.severity(),
                    Code.NOT_FINGERPRINTED,
                    documents.unread() + " of " + documents.counts().documents() + " documents have no "
                            + index.kind().noun() + ", and are near-duplicates of nothing",
                    index.isCalledIf(writer)
                            ? "Run those that the condition around the call of [" + writer.pipeline()
                                    + "] lets in through that pipeline. It would not leave out the others."
                            : MendingRequest.updateByQuery(index, writer.pipeline(), without));
        }
        findOtherSchemes(writer, documents);
    }

    private void findOtherSchemes(Step writer, DocumentCounts documents) {
        Set<String> current = currentSchemes();
        Map<String, Long> others = new TreeMap<>(documents.schemes());
        others.keySet().removeAll(current);
        if (current.isEmpty() || others.isEmpty()) {
            return;
        }
        List<String> ofItsKind =
                others.keySet().stream().filter(writer::isOfItsKind).toList();
        found.add(
                Code.OTHER_SCHEME,
                others.values().stream().mapToLong(Long::longValue).sum() + " documents have "
                        + index.kind().noun() + "s of another scheme than " + current
                        + ", which the pipeline makes: a text finds only those of its own scheme",
                ofItsKind.isEmpty()
                        ? "Keep " + index.kind().noun() + "s of " + others.keySet()
                                + " in another field or index: the pipeline would replace them by others."
                        : DocumentCounts.remaking(index, writer, ofItsKind, null));
    }
}

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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.desk.check.Finding.PrintCounts;
import org.opensearch.simhash.desk.check.Finding.Severity;
import org.opensearch.simhash.desk.check.MappingCheck.MissingFields;
import org.opensearch.simhash.desk.check.SettingsCheck.TemplateCheck;
import org.opensearch.simhash.desk.check.WritingPipeline.ConditionalWriters;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.transport.client.Client;

/**
 * Checks the settings and the documents of one index.
 *
 * @param window how long {@code near_duplicate} remembers documents
 * @param checked names of all indices that are checked
 * @param sampleSize the number of documents to look at
 * @param textSampleSize the number of those whose texts are read
 */
record IndexCheck(
        Metadata metadata,
        PipelineSteps pipelines,
        PipelineRecipes recipes,
        LongConsumer memory,
        Client client,
        TimeValue window,
        Set<String> checked,
        int sampleSize,
        int textSampleSize) {

    /** @param currentSchemes of the pipelines of the index */
    record Result(PrintCounts counts, Map<String, Long> schemes, Set<String> currentSchemes, List<Finding> findings) {}

    Result check(CheckedIndex index) {
        int segments = segments(index);
        Set<String> current = currentSchemes(index);
        if (index.metadata().getState() == IndexMetadata.State.CLOSE) {
            Finding closed = notSearchable(index, "the index is closed", "POST /" + index.name() + "/_open");
            return new Result(PrintCounts.NONE, Map.of(), Set.of(), List.of(closed));
        }
        Findings found = new Findings(index);
        DocumentCounts documents =
                found.of(() -> DocumentCounts.of(search(index, DocumentCounts.search(index)), index), null);
        Optional<String> refusal =
                documents == null ? Optional.empty() : found.of(() -> refusal(index), Optional.empty());
        PrintCounts counts = documents == null ? PrintCounts.NONE : documents.counts();
        List<Finding> ofMapping = new MappingCheck(index, segments, counts).findings(refusal);
        WritingPipeline writing = new WritingPipeline(
                index,
                pipelines,
                documents,
                refusal.isPresent() && ofMapping.stream().anyMatch(finding -> finding.code() == Code.MAPPING_WRONG),
                recipes);
        List<Finding> ofPipelines =
                new PipelineCheck(index, pipelines, documents == null ? null : counts, writing).findings();
        // What documents need comes before what changes them.
        found.add(ofMapping);
        found.add(new SettingsCheck(index, metadata, window).findings());
        found.add(ofPipelines);
        boolean isUnfit = ofMapping.isEmpty() == false
                || ofPipelines.stream().anyMatch(finding -> finding.code() == Code.NO_PIPELINE);
        found.add(new TemplateCheck(index, segments, metadata, pipelines, writing)
                .finding(isUnfit).stream().toList());
        if (documents != null) {
            addOfDocuments(index, documents, current, found);
        }
        return new Result(
                counts, documents == null ? Map.of() : documents.schemes(), current, List.copyOf(found.findings));
    }

    private void addOfDocuments(CheckedIndex index, DocumentCounts documents, Set<String> current, Findings found) {
        PrintCounts counts = documents.counts();
        Settings settings = index.metadata().getSettings();
        RandomDocuments random = new RandomDocuments(
                index.name(),
                Math.min(
                        IndexSettings.MAX_RESULT_WINDOW_SETTING.get(settings),
                        IndexSettings.MAX_TERMS_COUNT_SETTING.get(settings)),
                client);
        MissingFields fields = new MissingFields(index, pipelines, counts, random);
        boolean isFieldMissing = found.addOf(fields::findings);
        if (counts.fingerprinted() > 0) {
            addOfSample(index, documents, current, random, found);
            found.addOf(fields::verified);
            Set<String> siblings = siblings(index);
            TagCheck tags = new TagCheck(index, random, siblings, SearchedIndices.mostHits(metadata, siblings), client);
            found.addOf(tags::dangling);
            index.steps().stream()
                    .filter(Step::isNearDuplicate)
                    .map(step -> step.option("target_field", NearDuplicateProcessor.TYPE))
                    .distinct()
                    .forEach(target -> found.addOf(() -> tags.danglingAtIngest(target, metadata)));
            found.addOf(tags::disagreeing);
            found.addOf(() -> tags.withoutGroup(counts.fingerprinted()));
            found.addOf(tags::oneSided);
        }
        found.addOf(() -> ofDocuments(index, documents, current, isFieldMissing, random));
    }

    private Set<String> siblings(CheckedIndex index) {
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

    /** What the steps find. One that fails leaves what the others find, and is one finding. */
    private static final class Findings {

        private final CheckedIndex index;
        private final List<Finding> findings = new ArrayList<>();
        private int steps;
        private boolean hasFailed;

        Findings(CheckedIndex index) {
            this.index = index;
        }

        void add(List<Finding> found) {
            findings.addAll(found);
        }

        /** Returns whether the step found anything. */
        boolean addOf(Supplier<List<Finding>> step) {
            return findings.addAll(of(step, List.of()));
        }

        <T> T of(Supplier<T> step, T otherwise) {
            steps++;
            try {
                return step.get();
            } catch (RuntimeException e) {
                if (ExceptionsHelper.unwrapCause(e) instanceof TaskCancelledException cancelled) {
                    throw cancelled;
                }
                if (hasFailed == false) {
                    hasFailed = true;
                    boolean isBlocked = IndexMetadata.INDEX_BLOCKS_READ_SETTING.get(
                            index.metadata().getSettings());
                    findings.add(notSearchable(
                            index,
                            (steps == 1 ? "" : "not all, because of this: ")
                                    + ExceptionsHelper.unwrapCause(e).getMessage(),
                            isBlocked
                                    ? MendingRequest.putSettings(
                                            index.name(), IndexMetadata.INDEX_BLOCKS_READ_SETTING.getKey(), false)
                                    : "See why a search of [" + index.name() + "] fails: GET /" + index.name()
                                            + "/_search"));
                }
                return otherwise;
            }
        }
    }

    private static Finding notSearchable(CheckedIndex index, String reason, String mend) {
        return index.finding(Code.NOT_SEARCHABLE, "the documents were not looked at: " + reason, mend);
    }

    /** The segments of the writer, else those of the mapping. */
    private static int segments(CheckedIndex index) {
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

    private Set<String> currentSchemes(CheckedIndex index) {
        Set<String> schemes = new TreeSet<>();
        index.writers().forEach(step -> schemes.addAll(recipes.schemes(step.pipeline(), step.typedTarget())));
        return schemes;
    }

    private SearchResponse search(CheckedIndex index, SearchSourceBuilder source) {
        return client.search(RandomDocuments.searchOf(source, index.name())).actionGet();
    }

    /** The error of a query, which knows best what it can search. */
    private Optional<String> refusal(CheckedIndex index) {
        Map<?, ?> definition =
                index.mapping().definition(index.path(index.kind().value()));
        Optional<String> byMapping = index.kind().refusal(index.fingerprint(), definition);
        if (byMapping.isPresent()) {
            return byMapping;
        }
        QueryBuilder any = QueryBuilders.wrapperQuery(index.kind().anyQuery(index.fingerprint()));
        try {
            String value = index.path(index.kind().value());
            search(
                    index,
                    new SearchSourceBuilder().query(index.around(value, any)).size(0));
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

    /** Texts may be large, so those of fewer documents are read. */
    private void addOfSample(
            CheckedIndex index, DocumentCounts documents, Set<String> current, RandomDocuments random, Findings found) {
        DocumentSample sample = new DocumentSample();
        StaleTexts texts = new StaleTexts(index, recipes, memory);
        found.of(
                () -> {
                    List<RandomDocuments.Position> places = random.places(index.withValue(), sampleSize);
                    int withTexts = texts.readsTexts() ? Math.min(textSampleSize, places.size()) : 0;
                    String[] paths = DocumentSample.paths(index).toArray(String[]::new);
                    String[] andTexts =
                            Stream.concat(Stream.of(paths), texts.paths()).toArray(String[]::new);
                    int looked = random.read(places.subList(0, withTexts), andTexts, hit -> {
                        sample.add(hit, index);
                        texts.add(hit);
                        return false;
                    });
                    if (looked == withTexts) {
                        random.read(places.subList(withTexts, places.size()), paths, hit -> {
                            sample.add(hit, index);
                            return false;
                        });
                    }
                    return places;
                },
                List.of());
        found.add(sample.findings(index, documents));
        found.add(texts.finding(current).stream().toList());
        found.add(texts.markup(pipelines).stream().toList());
    }

    /** If each writer has a condition, this tries some documents. */
    private boolean mayGet(CheckedIndex index, RandomDocuments random) {
        return index.writers().allMatch(Step::isConditional) == false
                || new ConditionalWriters(index, pipelines, random, client).fingerprint();
    }

    private List<Finding> ofDocuments(
            CheckedIndex index,
            DocumentCounts documents,
            Set<String> current,
            boolean isFieldMissing,
            RandomDocuments random) {
        List<Finding> findings = new ArrayList<>();
        Optional<Step> writer = index.writer();
        if (documents.unsliced() > 0) {
            // Fingerprints with segments, which the mapping did not index, need nothing new.
            String mend = index.kind() == CheckedKind.SKETCH && writer.isPresent()
                    ? DocumentCounts.remaking(
                            index, writer.get(), documents.schemes().keySet(), DocumentCounts.unsliced(index))
                    : MendingRequest.updateByQuery(index, "_none", DocumentCounts.unsliced(index));
            findings.add(index.kind().unsliced(index.name(), documents.unsliced(), mend));
        }
        if (writer.isEmpty()) {
            return findings;
        }
        boolean isNoneRead = isFieldMissing && documents.counts().fingerprinted() == 0;
        if (documents.unread() > 0 && isNoneRead == false && mayGet(index, random)) {
            Severity severity =
                    documents.counts().fingerprinted() == 0 ? Severity.ERROR : Code.NOT_FINGERPRINTED.severity();
            QueryBuilder without = DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery());
            findings.add(new Finding(
                    severity,
                    Code.NOT_FINGERPRINTED,
                    index.name(),
                    documents.unread() + " of " + documents.counts().documents() + " documents have no "
                            + index.kind().noun() + ", and are near-duplicates of nothing",
                    MendingRequest.updateByQuery(index, writer.get().pipeline(), without)));
        }
        if (current.isEmpty() == false) {
            otherSchemes(index, writer.get(), documents, current).ifPresent(findings::add);
        }
        return findings;
    }

    private static Optional<Finding> otherSchemes(
            CheckedIndex index, Step writer, DocumentCounts documents, Set<String> current) {
        Map<String, Long> others = new TreeMap<>(documents.schemes());
        others.keySet().removeAll(current);
        if (others.isEmpty()) {
            return Optional.empty();
        }
        List<String> ofItsKind =
                others.keySet().stream().filter(writer::isOfItsKind).toList();
        return Optional.of(index.finding(
                Code.OTHER_SCHEME,
                others.values().stream().mapToLong(Long::longValue).sum() + " documents have "
                        + index.kind().noun() + "s of another scheme than " + current
                        + ", which the pipeline makes: a text finds only those of its own scheme",
                ofItsKind.isEmpty()
                        ? "Keep " + index.kind().noun() + "s of " + others.keySet()
                                + " in another field or index: the pipeline would replace them by others."
                        : DocumentCounts.remaking(index, writer, ofItsKind, null)));
    }
}

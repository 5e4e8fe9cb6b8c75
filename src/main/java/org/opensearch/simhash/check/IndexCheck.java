/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SegmentLayout;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.transport.client.Client;

/**
 * Checks the settings and the documents of one index.
 *
 * @param window how long {@code near_duplicate} remembers documents
 * @param sampleSize the number of documents to look at
 */
record IndexCheck(
        Metadata metadata,
        PipelineSteps pipelines,
        PipelineRecipes recipes,
        LongConsumer memory,
        Client client,
        TimeValue window,
        int sampleSize) {

    private static final int DEFAULT_SEGMENTS = 4;

    /** @param currentSchemes of the pipelines of the index */
    record Result(Counts counts, Map<String, Long> schemes, Set<String> currentSchemes, List<Finding> findings) {}

    Result check(CheckedIndex index) {
        int segments = segments(index);
        Set<String> current = currentSchemes(index);
        if (index.metadata().getState() == IndexMetadata.State.CLOSE) {
            return notSearchable(index, "the index is closed", "POST /" + index.name() + "/_open");
        }
        DocumentCounts documents;
        Optional<String> refusal;
        List<Finding> findings = new ArrayList<>();
        try {
            documents = DocumentCounts.of(search(index, DocumentCounts.search(index)), index);
            refusal = refusal(index);
            if (documents.counts().fingerprinted() > 0) {
                findings.addAll(ofSample(index));
            }
        } catch (TaskCancelledException e) {
            throw e;
        } catch (RuntimeException e) {
            return notSearchable(
                    index,
                    ExceptionsHelper.unwrapCause(e).getMessage(),
                    IndexMetadata.INDEX_BLOCKS_READ_SETTING.get(index.metadata().getSettings())
                            ? MendingRequest.putSettings(
                                    index.name(), IndexMetadata.INDEX_BLOCKS_READ_SETTING.getKey(), false)
                            : "See why a search of [" + index.name() + "] fails: GET /" + index.name() + "/_search");
        }
        Counts counts = documents.counts();
        List<Finding> ofMapping = new MappingCheck(index, segments, counts).findings(refusal);
        List<Finding> ofPipelines = new PipelineCheck(index, pipelines, counts).findings();
        findings.addAll(ofMapping);
        findings.addAll(ofPipelines);
        findings.addAll(new SettingsCheck(index, window).findings());
        if (counts.fingerprinted() > 0) {
            findings.addAll(new VerifiedFields(index, pipelines).findings(source -> search(index, source)));
        }
        boolean isUnfit = ofMapping.isEmpty() == false
                || ofPipelines.stream().anyMatch(finding -> finding.code() == Code.NO_PIPELINE);
        new TemplateCheck(index, segments, metadata, pipelines).finding(isUnfit).ifPresent(findings::add);
        findings.addAll(ofDocuments(index, documents, current));
        return new Result(counts, documents.schemes(), current, findings);
    }

    private static Result notSearchable(CheckedIndex index, String reason, String mend) {
        String message = "the documents were not looked at: " + reason;
        return new Result(
                Counts.NONE, Map.of(), Set.of(), List.of(Finding.of(Code.NOT_SEARCHABLE, index.name(), message, mend)));
    }

    /** The segments of the writer, else those of the mapping. */
    private static int segments(CheckedIndex index) {
        Optional<Step> writer = index.writer();
        if (writer.isPresent()) {
            Object typed = writer.get().options().get("segments");
            return typed == null ? DEFAULT_SEGMENTS : Integer.parseInt(typed.toString());
        }
        int mapped = SegmentLayout.MAX;
        while (mapped > 0 && index.mapping().maps(index.path(FingerprintFields.segment(mapped - 1))) == false) {
            mapped--;
        }
        return mapped < SegmentLayout.MIN ? DEFAULT_SEGMENTS : mapped;
    }

    private Set<String> currentSchemes(CheckedIndex index) {
        Set<String> schemes = new TreeSet<>();
        index.writers().forEach(step -> schemes.addAll(recipes.schemes(step.pipeline(), step.typedTarget())));
        return schemes;
    }

    private SearchResponse search(CheckedIndex index, SearchSourceBuilder source) {
        SearchRequest request = new SearchRequest(index.name())
                .source(source)
                .allowPartialSearchResults(false)
                .pipeline("_none");
        return client.search(request).actionGet();
    }

    /** The error of a query, which knows best what it can search. */
    private Optional<String> refusal(CheckedIndex index) {
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

    private List<Finding> ofSample(CheckedIndex index) {
        DocumentSample sample = new DocumentSample();
        int most = Math.min(
                sampleSize,
                IndexSettings.MAX_RESULT_WINDOW_SETTING.get(index.metadata().getSettings()));
        for (SearchHit hit : search(index, DocumentSample.search(index, most)).getHits()) {
            sample.add(hit, index);
        }
        List<Finding> findings = new ArrayList<>(sample.findings(index));
        new StaleTexts(index, recipes, memory)
                .finding(sample.ids(), source -> search(index, source))
                .ifPresent(findings::add);
        return findings;
    }

    /** If each writer has a condition, this tries some documents. */
    private boolean mayGet(CheckedIndex index) {
        return index.writers().allMatch(Step::isConditional) == false
                || new ConditionalWriters(index, client).fingerprint(search(index, ConditionalWriters.search(index)));
    }

    private List<Finding> ofDocuments(CheckedIndex index, DocumentCounts documents, Set<String> current) {
        List<Finding> findings = new ArrayList<>();
        Optional<Step> writer = index.writer();
        if (documents.unsliced() > 0) {
            String mend = writer.map(step ->
                            MendingRequest.updateByQuery(index.name(), step.pipeline(), DocumentCounts.unsliced(index)))
                    .orElse("POST /" + index.name() + "/_update_by_query?conflicts=proceed&refresh=true");
            findings.add(index.kind().unsliced(index.name(), documents.unsliced(), mend));
        }
        if (writer.isEmpty()) {
            return findings;
        }
        if (documents.unread() > 0 && mayGet(index)) {
            Severity severity =
                    documents.counts().fingerprinted() == 0 ? Severity.ERROR : Code.NOT_FINGERPRINTED.severity();
            QueryBuilder without = DocumentCounts.withoutFingerprint(index).orElse(QueryBuilders.matchAllQuery());
            findings.add(new Finding(
                    severity,
                    Code.NOT_FINGERPRINTED,
                    index.name(),
                    documents.unread() + " of " + documents.counts().documents() + " documents have no "
                            + index.kind().noun() + ", and are near-duplicates of nothing",
                    MendingRequest.updateByQuery(index.name(), writer.get().pipeline(), without)));
        }
        long others = documents.schemes().entrySet().stream()
                .filter(entry -> current.contains(entry.getKey()) == false)
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (others > 0 && current.isEmpty() == false) {
            String scheme = index.terms(FingerprintFields.SCHEME);
            findings.add(Finding.of(
                    Code.OTHER_SCHEME,
                    index.name(),
                    others + " documents have " + index.kind().noun() + "s of another scheme than " + current
                            + ", which the pipeline makes: a text finds only those of its own scheme",
                    MendingRequest.updateByQuery(
                            index.name(),
                            writer.get().pipeline(),
                            QueryBuilders.boolQuery()
                                    .filter(index.around(scheme, QueryBuilders.existsQuery(scheme)))
                                    .mustNot(index.around(scheme, QueryBuilders.termsQuery(scheme, current))))));
        }
        return findings;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.declare;
import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.action.ActionType;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchHit;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.desk.inspect.SharedFeatures.SharedFeature;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;

/** Proposes {@code feature_weights} from what a sample of an index's documents shares. */
public final class FeatureWeightsAction extends SearchingAction<FeatureWeightsAction.Request> {

    public static final String NAME = "indices:data/read/simhash/feature_weights";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    static final int MAX_SAMPLE_SIZE = 100_000;

    /** Longest turn before other requests may have the thread. */
    private static final long TURN_NANOS = 100_000_000;

    /** Twenty times the slowest analyzer of OpenSearch. */
    private static final long NANOS_PER_CHARACTER = 20_000;

    @Inject
    public FeatureWeightsAction(InspectServices services) {
        super(NAME, services);
    }

    public static final class Request extends SearchingAction.Request {

        private static final ObjectParser<Given, Void> PARSER = RecipeChoice.parser("feature_weights");

        static {
            option(PARSER, "sample_size", RequestOptions::integer);
            declare(
                    PARSER,
                    "max_document_share",
                    RequestOptions.number("[max_document_share] must be a number greater than 0 and less than 1"));
        }

        final int sampleSize;
        final double maxDocumentShare;

        Request(String[] indices, RecipeChoice recipe, int sampleSize, double maxDocumentShare) {
            super(recipe, indices);
            TypedNumber.requireBetween("sample_size", 1, MAX_SAMPLE_SIZE, sampleSize);
            if ((maxDocumentShare > 0 && maxDocumentShare < 1) == false) {
                throw new IllegalArgumentException(
                        "[max_document_share] must be greater than 0 and less than 1, got: " + maxDocumentShare);
            }
            this.sampleSize = sampleSize;
            this.maxDocumentShare = maxDocumentShare;
        }

        public static Request fromXContent(String[] indices, XContentParser parser) throws IOException {
            Given given = RequestOptions.optionalBody(PARSER, parser);
            return new Request(
                    indices,
                    RecipeChoice.of(given),
                    given.get("sample_size", 10_000),
                    given.get("max_document_share", 0.2));
        }

        @Override
        String description() {
            return "feature weights of [" + String.join(",", indices()) + "]";
        }
    }

    /** The error about a missing recipe would hide that a pattern matches no index. */
    @Override
    boolean needsIndex(Request request) {
        return request.recipe().isGiven() == false;
    }

    @Override
    List<Fingerprinter> makers(Request request, List<String> indices) {
        return request.recipe().resolve(services.recipes(), FingerprintFields.DEFAULT_OBJECT, indices);
    }

    @Override
    JsonResponse answer(Request request, List<Fingerprinter> makers, List<String> indices, HelperWork work) {
        return new Sampling(request, makers, work).proposed(indices);
    }

    /** Reads the sample page by page on a thread that waits, and counts on those of the helpers, in turns with other requests. */
    private final class Sampling {

        private final Request request;
        private final List<Fingerprinter> recipes;
        private final HelperWork work;
        private final SharedFeatures shared;
        private long counted;
        private long countedNanos;

        Sampling(Request request, List<Fingerprinter> recipes, HelperWork work) {
            this.request = request;
            this.recipes = recipes;
            this.work = work;
            this.shared = new SharedFeatures(request.maxDocumentShare, work);
        }

        JsonResponse proposed(List<String> indices) {
            try (shared) {
                new RandomSample(services, work.task(), request, indices).read(paths(recipes), this::count);
                return json(shared.documents(), shared.propose());
            }
        }

        private void count(SearchHit[] page) {
            try (Account sources = new Account(services.memory())) {
                for (SearchHit hit : page) {
                    sources.take(hit.hasSource() ? hit.getSourceRef().length() : 0);
                }
                for (int next = 0; next < page.length; ) {
                    int from = next;
                    next = work.await(() -> countFrom(from, page));
                }
            }
        }

        private int countFrom(int first, SearchHit[] page) {
            long end = System.nanoTime() + TURN_NANOS;
            int next = first;
            while (next < page.length && System.nanoTime() < end) {
                work.check();
                work.begin();
                add(page[next++]);
                // An analyzer may be slow for one document, but not for each.
                if (countedNanos > work.maxTime().nanos() + counted * NANOS_PER_CHARACTER) {
                    throw work.tooLong();
                }
            }
            return next;
        }

        /** Uses the first recipe that finds text. A document that no recipe can read is left out. */
        private void add(SearchHit hit) {
            if (hit.hasSource() == false) {
                return;
            }
            for (Fingerprinter fingerprinter : recipes) {
                Optional<SourceTexts> texts =
                        DocumentTexts.readable(fingerprinter.recipe(), SourceLookup.sourceAsMap(hit.getSourceRef()));
                if (texts.isPresent() && count(fingerprinter, texts.get())) {
                    return;
                }
            }
        }

        private boolean count(Fingerprinter fingerprinter, SourceTexts texts) {
            long start = System.nanoTime();
            try {
                shared.add(fingerprinter, texts);
                return true;
            } catch (UnreadableTextException e) {
                return false;
            } finally {
                countedNanos += System.nanoTime() - start;
                counted += texts.characters();
            }
        }
    }

    private static JsonResponse json(int documents, List<SharedFeature> features) {
        Map<String, Object> weights = new LinkedHashMap<>();
        features.forEach(feature -> weights.put(feature.feature(), feature.factor()));
        List<Map<String, Object>> reasons = features.stream()
                .map(one ->
                        Map.<String, Object>of("feature", one.feature(), "share", one.share(), "factor", one.factor()))
                .toList();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("documents", documents);
        answer.put("feature_weights", weights);
        answer.put("features", reasons);
        return new JsonResponse(answer);
    }
}

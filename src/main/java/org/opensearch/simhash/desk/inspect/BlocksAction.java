/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.opensearch.simhash.search.options.RequestOptions.option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opensearch.action.ActionType;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lucene.search.function.CombineFunction;
import org.opensearch.core.xcontent.ObjectParser;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.SharedBlock;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.desk.check.CheckedKind;
import org.opensearch.simhash.desk.inspect.BlockTerms.Common;
import org.opensearch.simhash.desk.inspect.HelperAction.InspectServices;
import org.opensearch.simhash.jobs.request.JsonResponse;
import org.opensearch.simhash.jobs.request.LocalAction;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.options.RequestOptions.Given;
import org.opensearch.simhash.search.query.IndexMapping;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.transport.client.ParentTaskAssigningClient;

/** Finds the blocks that many documents share: statistics of terms propose them, a few texts say where each begins and ends. */
public final class BlocksAction extends SearchingAction<BlocksAction.Request> {

    public static final String NAME = "indices:data/read/simhash/blocks";
    public static final ActionType<JsonResponse> INSTANCE = LocalAction.type(NAME);

    static final int MAX_SIZE = 1000;

    /** Terms that are looked into for each wanted block, because neighbours propose the same one. */
    private static final int TERMS_PER_BLOCK = 20;
    /** Documents whose texts are compared to find a block. */
    private static final int COMPARED = 8;
    /** Terms of a block that its documents must have. */
    private static final int REQUIRED_TERMS = 8;

    private static final int EXAMPLES = 3;
    /** What makes up more of its texts is what copies share, and no block of them. */
    private static final double MOST_OF_A_TEXT = .5;
    /** Two texts that share more besides a block are versions of one document. */
    private static final double MOST_BESIDES = .8;

    private final PipelineRecipes recipes;

    @Inject
    public BlocksAction(InspectServices services, PipelineRecipes.ByKind recipes) {
        super(NAME, services);
        this.recipes = recipes.of(SketchKind.PASSAGES);
    }

    public static final class Request extends SearchingAction.Request {

        private static final ObjectParser<Given, Void> PARSER = RequestOptions.parser("blocks");

        static {
            option(PARSER, "field", RequestOptions::text);
            option(PARSER, "pipeline", RequestOptions::text);
            option(PARSER, "min_documents", RequestOptions::integer);
            option(PARSER, "min_words", RequestOptions::integer);
            option(PARSER, "size", RequestOptions::integer);
        }

        private final String field;
        private final int minDocuments;
        private final int minWords;
        private final int size;

        private Request(String[] indices, Given options) {
            super(RecipeChoice.of(options), indices);
            this.field = options.get("field", SketchKind.PASSAGES.defaultObject());
            this.minDocuments = options.get("min_documents", 20);
            this.minWords = options.get("min_words", 8);
            this.size = options.get("size", 100);
            if (minDocuments < 2) {
                throw new IllegalArgumentException("[min_documents] must be 2 or more, got: " + minDocuments);
            }
            TypedNumber.requireBetween("min_words", Boilerplate.LEAST_WORDS, 10_000, minWords);
            TypedNumber.requireBetween("size", 1, MAX_SIZE, size);
        }

        public static Request fromXContent(String[] indices, XContentParser parser) throws IOException {
            return new Request(indices, RequestOptions.optionalBody(PARSER, parser));
        }

        @Override
        String description() {
            return "blocks of [" + String.join(",", indices()) + "]";
        }
    }

    @Override
    boolean needsIndex(Request request) {
        return true;
    }

    @Override
    List<Fingerprinter> makers(Request request, List<String> indices) {
        return request.recipe().resolve(recipes, request.field, indices);
    }

    @Override
    JsonResponse answer(Request request, List<Fingerprinter> makers, List<String> indices, HelperWork work) {
        Metadata metadata = services.cluster().state().metadata();
        requireTerms(request.field + "." + FingerprintFields.TERMS, indices, metadata);
        int shards = SearchedIndices.shards(metadata, indices);
        return new Search(request, makers, work, shards).blocks();
    }

    /** A pattern may match indices without the field. */
    private static void requireTerms(String terms, List<String> indices, Metadata metadata) {
        boolean isMapped = false;
        for (String index : indices) {
            IndexMetadata known = metadata.index(index);
            Map<?, ?> definition = known == null ? null : new IndexMapping(known).definition(terms);
            if (definition != null && CheckedKind.PASSAGES.isValue(definition) == false) {
                throw PipelineRecipes.notTerms(terms, definition.get("type"), index);
            }
            isMapped |= definition != null;
        }
        if (isMapped == false) {
            throw PipelineRecipes.notMapped(SketchKind.PASSAGES, terms, indices);
        }
    }

    private record Compared(Fingerprinter maker, SourceTexts texts, Words words) {}

    /** Searches on a thread that waits, and compares on those of the helpers. */
    private final class Search {

        private final Request request;
        private final List<Fingerprinter> makers;
        private final HelperWork work;
        private final int shards;
        private final ParentTaskAssigningClient client;
        private final String terms;
        private final String[] paths;
        private final Set<String> done = new HashSet<>();
        /** Terms whose texts were compared. Statistics count documents that the caller may not see, too. */
        private int seen;

        Search(Request request, List<Fingerprinter> makers, HelperWork work, int shards) {
            this.request = request;
            this.makers = makers;
            this.work = work;
            this.shards = shards;
            this.client = new ParentTaskAssigningClient(
                    services.client(), services.transport().getLocalNode(), work.task());
            this.terms = request.field + "." + FingerprintFields.TERMS;
            this.paths = paths(makers);
        }

        JsonResponse blocks() {
            int maxTerms = TERMS_PER_BLOCK * request.size;
            SearchRequest search = BlockTerms.search(request.indices(), terms, request.minDocuments, shards, maxTerms)
                    .indicesOptions(request.indicesOptions());
            List<Common> common = BlockTerms.read(client.search(search).actionGet(), request.minDocuments, shards);
            List<Map<String, Object>> blocks = new ArrayList<>();
            Set<Object> known = new HashSet<>();
            List<Object> strip = new ArrayList<>();
            int looked = 0;
            for (Common term : common) {
                if (blocks.size() == request.size || looked == maxTerms || term.documents() < request.minDocuments) {
                    break;
                }
                if (done.contains(term.term()) == false) {
                    looked++;
                    Map<String, Object> block = block(term.term());
                    if (block != null && known.add(block.get("digest"))) {
                        blocks.add(block);
                        if ((double) block.get("share") <= MOST_OF_A_TEXT
                                && (long) block.get("differing") >= request.minDocuments) {
                            strip.add(block.get("digest"));
                        }
                    }
                }
            }
            return new JsonResponse(Map.of("compared_terms", seen, "blocks", blocks, "strip", strip));
        }

        /** Null if the texts do not share one. */
        private Map<String, Object> block(String term) {
            SearchResponse having = search(QueryBuilders.termQuery(terms, term), COMPARED);
            if (having.getHits().getTotalHits().value() < request.minDocuments) {
                return null;
            }
            seen++;
            SearchHit[] hits = having.getHits().getHits();
            SharedBlock shared = null;
            String text = null;
            int differing = 0;
            List<Compared> compared = new ArrayList<>();
            try (Account account = new Account(services.memory())) {
                for (SearchHit hit : hits) {
                    account.take(hit.hasSource() ? hit.getSourceRef().length() : 0);
                }
                shared = work.await(() -> {
                    for (SearchHit hit : hits) {
                        work.begin();
                        compared(hit, account).ifPresent(compared::add);
                    }
                    return compared.size() < 2
                            ? null
                            : SharedBlock.of(
                                    compared.getFirst().maker.recipe().passages(),
                                    term,
                                    compared.stream().map(Compared::words).toList(),
                                    work::check);
                });
                if (shared == null) {
                    return null;
                }
                SharedBlock block = shared;
                Compared first = compared.getFirst();
                text = work.await(
                        () -> first.maker.passage(first.texts, first.words, block.from(), block.to(), account));
                differing = work.await(() -> differing(compared, block.to() - block.from(), account));
            }
            done.addAll(shared.terms());
            done.add(term);
            String digest = text == null ? null : Boilerplate.digest(text);
            int words = shared.to() - shared.from();
            if (digest == null || words < request.minWords) {
                return null;
            }
            double size = compared.stream()
                    .mapToInt(one -> one.words.size())
                    .average()
                    .orElse(words);
            SearchResponse counted = search(all(shared.terms(), term), EXAMPLES);
            long documents = counted.getHits().getTotalHits().value();
            if (documents < request.minDocuments) {
                return null;
            }
            List<Map<String, String>> examples = new ArrayList<>();
            counted.getHits().forEach(hit -> examples.add(Map.of("_index", hit.getIndex(), "_id", hit.getId())));
            Map<String, Object> found = new LinkedHashMap<>();
            found.put("text", text);
            found.put("words", words);
            found.put("documents", documents);
            // But for versions of another one; estimated from those that were compared.
            found.put("differing", documents * differing / compared.size());
            found.put("share", Math.min(1, words / size));
            found.put("digest", digest);
            found.put("examples", examples);
            return found;
        }

        /** How many texts are no version of an earlier one. */
        private int differing(List<Compared> compared, int block, Account account) {
            List<CommonRuns> before = new ArrayList<>();
            for (Compared one : compared) {
                Words words = one.words;
                boolean isVersion = before.stream().anyMatch(other -> {
                    int rest = Math.min(words.size(), other.source().size()) - block;
                    int shared = other.new Comparison()
                                    .compare(words, false, work::check)
                                    .words()
                            - block;
                    return shared >= MOST_BESIDES * rest;
                });
                if (isVersion == false) {
                    int least = one.maker.recipe().passages().words();
                    before.add(new CommonRuns(words, least, account, work::check));
                }
            }
            return before.size();
        }

        private QueryBuilder all(List<String> ofBlock, String term) {
            BoolQueryBuilder all = QueryBuilders.boolQuery().filter(QueryBuilders.termQuery(terms, term));
            int step = Math.max(1, ofBlock.size() / REQUIRED_TERMS);
            for (int i = 0; i < ofBlock.size(); i += step) {
                all.filter(QueryBuilders.termQuery(terms, ofBlock.get(i)));
            }
            return all;
        }

        private SearchResponse search(QueryBuilder query, int size) {
            work.begin();
            work.check();
            return client.search(request.search(new SearchSourceBuilder()
                            .query(QueryBuilders.functionScoreQuery(
                                            QueryBuilders.constantScoreQuery(query),
                                            ScoreFunctionBuilders.randomFunction()
                                                    .seed(0)
                                                    .setField(SeqNoFieldMapper.NAME))
                                    .boostMode(CombineFunction.REPLACE))
                            .size(size)
                            .trackTotalHits(true)
                            .fetchSource(paths, null)))
                    .actionGet();
        }

        private Optional<Compared> compared(SearchHit hit, Account account) {
            for (Fingerprinter maker : hit.hasSource() ? makers : List.<Fingerprinter>of()) {
                Optional<SourceTexts> texts =
                        DocumentTexts.readable(maker.recipe(), SourceLookup.sourceAsMap(hit.getSourceRef()));
                if (texts.isPresent()) {
                    try {
                        return Optional.of(new Compared(maker, texts.get(), maker.words(texts.get(), account)));
                    } catch (UnreadableTextException e) {
                        return Optional.empty();
                    }
                }
            }
            return Optional.empty();
        }
    }
}

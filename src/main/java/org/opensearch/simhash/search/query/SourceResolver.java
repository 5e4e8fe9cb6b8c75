/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opensearch.action.ActionRunnable;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.HashMakers;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.match.Print;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.QuerySource.Resolved;
import org.opensearch.simhash.search.query.QuerySource.Stored;
import org.opensearch.simhash.search.query.StoredSource.Scope;
import org.opensearch.transport.client.Client;

/** Turns a source that a user typed into prints of one kind. Thread-safe. */
record SourceResolver(
        SketchKind kind, PipelineRecipes recipes, Supplier<SearchedIndices.Cluster> cluster, LongConsumer memory) {

    static final String THREADS = "simhash_query";

    /** Characters of a word. A text of longer ones on average is not analysed here: each shard does so. */
    private static final int LONG_WORD = 100;

    /**
     * Fingerprints a text or a document on the calling thread. Takes as long as its ingestion. Reads settings and mapping from
     * the shard, because the filter of a new index's alias is parsed before the index is in the cluster state.
     */
    Resolved compute(QuerySource source, String field, String verifiedField, QueryShardContext shard) {
        String index = shard.index().getName();
        MapperService mapper = shard.getMapperService();
        return compute(
                source,
                new Scope(field, verifiedField, List.of(index), Map.of()),
                HashMakers.none(field), // only the coordinating node looks at images and hashes
                () -> recipes.ofIndex(
                        index,
                        shard.getIndexSettings().getSettings(),
                        field,
                        path -> mapper.fieldType(path) != null
                                || mapper.getObjectMapper(path) != null
                                // If objects are disabled, an object has no mapper.
                                || mapper.simpleMatchToFullName(path + ".*").isEmpty() == false));
    }

    /** @param makers of hashes that are none of texts */
    private Resolved compute(
            QuerySource source, Scope scope, HashMakers makers, Supplier<List<Fingerprinter>> ofIndices) {
        return switch (source) {
            case QuerySource.Image image ->
                new Resolved(hashes(makers.ofImage(image.image(), "image", Integer.MAX_VALUE)), null);

            case QuerySource.Text text -> {
                Optional<SourceTexts> texts = Optional.of(SourceTexts.of(text.text()));
                List<Print> prints = prints(fingerprinters(text.pipeline(), scope.field(), ofIndices), recipe -> texts);
                String verified = scope.verifiedField() == null ? null : text.text();
                yield new Resolved(prints, null, verified, null, text.pipeline());
            }
            case QuerySource.Document document -> {
                List<Fingerprinter> fingerprinters = List.of();
                try {
                    fingerprinters = fingerprinters(document.pipeline(), scope.field(), ofIndices);
                } catch (IllegalArgumentException e) {
                    if (makers.isEmpty()) {
                        throw e; // else there are hashes alone
                    }
                }
                List<Print> prints = prints(fingerprinters, recipe -> DocumentTexts.read(recipe, document.document()));
                boolean isVerified = scope.verifiedField() != null;
                if (prints.isEmpty() && makers.isEmpty()) {
                    throw noTexts(fingerprinters, document);
                } else if (prints.isEmpty() && isVerified) {
                    throw new IllegalArgumentException("[verify] needs texts, got: hashes of the scheme ["
                            + makers.scheme() + "] in [" + scope.field() + "]");
                } else if (prints.isEmpty()) {
                    prints = hashes(makers.ofDocument(document.document(), "document", Integer.MAX_VALUE));
                    yield new Resolved(prints, null);
                } else if (isVerified == false) {
                    List<Print> hashes = hashes(makers.found(document.document(), Integer.MAX_VALUE));
                    prints = Stream.concat(hashes.stream(), prints.stream()).toList();
                }
                String verified = StoredSource.verifiedText(scope, document.document(), name -> null, "[document]");
                String language = DocumentTexts.storedLanguage(fingerprinters, document.document());
                yield new Resolved(prints, null, verified, language, document.pipeline());
            }
            default -> throw new IllegalArgumentException("cannot compute the fingerprint of " + source);
        };
    }

    private HashMakers makers(QuerySource source, Scope scope) {
        return kind == SketchKind.SIMHASH && source instanceof QuerySource.Text == false
                ? recipes.hashing(source.pipeline(), scope.field(), scope.indices())
                : HashMakers.none(scope.field());
    }

    /** An image without a hash is near nothing. */
    private static List<Print> hashes(List<Map<String, Object>> made) {
        Set<Print> prints = new LinkedHashSet<>();
        for (Map<String, Object> fields : made) {
            if (fields.get(FingerprintFields.HASH) instanceof String hash) {
                prints.add(Prints.fromHex(hash, null, (String) fields.get(FingerprintFields.SCHEME)));
            }
        }
        return List.copyOf(prints);
    }

    /** Resolves any source without blocking the calling thread. */
    void resolve(QuerySource source, Scope scope, Client client, ActionListener<Resolved> listener) {
        if (source instanceof Stored stored) {
            StoredSource document = new StoredSource(stored, scope, recipes, kind, this::metadata);
            client.multiGet(
                    document.request(),
                    // Needs no analyzer, so it does not wait behind slow ones.
                    ActionListener.delegateFailure(
                            listener,
                            (l, response) -> client.threadPool()
                                    .generic()
                                    .execute(ActionRunnable.supply(l, () -> document.found(response)))));
        } else {
            client.threadPool()
                    .executor(THREADS)
                    .execute(ActionRunnable.supply(
                            listener, () -> compute(source, scope, makers(source, scope), () -> ofIndices(scope))));
        }
    }

    /**
     * What sources of passages have too few of to share a run with any document; null if one has enough.
     *
     * @param minWords of a run; null for the least of the recipe
     */
    String lacksRuns(Resolved resolved, Scope scope, Integer minWords) {
        int least = 0;
        for (Print print : scope.indices().isEmpty() ? List.<Print>of() : resolved.prints()) {
            SourceTexts texts = ((PassageTarget) print).texts();
            Fingerprinter maker = recipes.preparing(
                            resolved.pipeline(),
                            scope.field(),
                            scope.indices().iterator().next())
                    .maker(print.scheme())
                    .orElse(null);
            if (maker == null) {
                return null;
            }
            int needed = minWords == null ? maker.recipe().passages().run() : minWords;
            if (texts.characters() > (long) LONG_WORD * needed) {
                return null;
            }
            try (Account account = new Account(memory)) {
                Words words = maker.words(texts, account);
                if (IntStream.range(0, words.texts()).anyMatch(text -> words.to(text) - words.from(text) >= needed)) {
                    return null;
                }
            }
            least = needed;
        }
        return least == 0 ? null : "fewer than " + least + " words in a row, which a passage needs: nothing is found";
    }

    private Metadata metadata() {
        return cluster.get().service().state().metadata();
    }

    private List<Fingerprinter> fingerprinters(String pipeline, String field, Supplier<List<Fingerprinter>> ofIndices) {
        return pipeline == null ? ofIndices.get() : recipes.ofPipeline(pipeline, field);
    }

    private List<Fingerprinter> ofIndices(Scope scope) {
        if (scope.indices().isEmpty()) {
            throw new IllegalArgumentException("[text] and [document] need a [pipeline] where only indices of remote"
                    + " clusters are searched, whose recipes are not known here, got: none; or use [hash]");
        }
        Metadata metadata = metadata();
        Map<String, IndexMapping> mappings = new HashMap<>();
        // A point in time may hold deleted indices.
        List<String> there = scope.indices().stream().filter(metadata::hasIndex).toList();
        if (there.isEmpty()) {
            throw new IndexNotFoundException(scope.indices().iterator().next());
        }
        return recipes.ofIndices(
                there,
                scope.field(),
                (index, path) -> mappings.computeIfAbsent(index, i -> new IndexMapping(metadata.index(i)))
                        .maps(path));
    }

    /** One per distinct recipe with texts. Recipes that read different fields may make equal prints. */
    private List<Print> prints(List<Fingerprinter> fingerprinters, Function<Recipe, Optional<SourceTexts>> texts) {
        Set<Print> prints = new LinkedHashSet<>();
        for (Fingerprinter fingerprinter : fingerprinters) {
            texts.apply(fingerprinter.recipe())
                    .ifPresent(source -> prints.add(Prints.of(kind, fingerprinter, source, memory)));
        }
        return List.copyOf(prints);
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
}

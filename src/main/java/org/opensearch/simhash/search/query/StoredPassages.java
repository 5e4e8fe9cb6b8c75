/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe.WeightedField;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.passages.CommonRuns;
import org.opensearch.simhash.core.passages.CommonRuns.Passage;
import org.opensearch.simhash.core.passages.PassageLayout;
import org.opensearch.simhash.core.passages.Words;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.match.PassageTexts;
import org.opensearch.simhash.search.match.Print.PassageTarget;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;
import org.opensearch.simhash.search.query.SearchMemories.SearchMemory;

/** Cuts a source, and the texts in {@code _source} of documents, into words by the recipe of the source. Thread-safe. */
final class StoredPassages implements PassageTexts {

    private final PassageTarget target;
    private final Fingerprinter recipe;
    private final LongConsumer memory;
    private final SearchMemory kept;
    private CommonRuns source;

    /** @param kept accounts for the source until the search is over */
    StoredPassages(PassageTarget target, Fingerprinter recipe, LongConsumer memory, SearchMemory kept) {
        this.target = target;
        this.recipe = recipe;
        this.memory = memory;
        this.kept = kept;
    }

    /** Fails if no text can be compared: nothing would be found, and nothing would say why. */
    static void requireKept(QueryShardContext shard, Fingerprinter recipe) {
        List<String> paths =
                recipe.recipe().fields().stream().map(WeightedField::path).toList();
        if (paths.stream().noneMatch(new KeptSource(shard)::has)) {
            throw new QueryShardException(
                    shard,
                    "[passages] must have its texts kept in [_source], which it compares, but ["
                            + shard.index().getName() + "] keeps none of " + paths);
        }
    }

    @Override
    public PassageLayout layout() {
        return recipe.recipe().passages();
    }

    @Override
    public synchronized CommonRuns source(int least) {
        if (source == null) {
            try (Account account = new Account(memory)) {
                Words words = recipe.words(target.texts(), account);
                CommonRuns made = new CommonRuns(words, least, account, () -> account.accept(0));
                kept.keep(made.bytes());
                source = made;
            }
        }
        return source;
    }

    @Override
    public Documents open(LeafReaderContext leaf, Runnable checkWanted) {
        return new LeafDocuments(leaf, checkWanted);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredPassages passages
                && target.equals(passages.target)
                && recipe.recipe().equals(passages.recipe.recipe());
    }

    @Override
    public int hashCode() {
        return target.hashCode();
    }

    private final class LeafDocuments implements Documents {

        private final LeafReaderContext leaf;
        private final Runnable checkWanted;
        private final SourceLookup lookup = new SourceLookup();
        private SourceTexts texts;
        private Words words;

        LeafDocuments(LeafReaderContext leaf, Runnable checkWanted) {
            this.leaf = leaf;
            this.checkWanted = checkWanted;
        }

        @Override
        public Words words(int doc) {
            lookup.setSegmentAndDocument(leaf, doc);
            SourceTexts found = DocumentTexts.readable(recipe.recipe(), lookup.loadSourceIfNeeded())
                    .orElse(null);
            if (found == null || found.equals(texts) == false) {
                texts = found;
                words = null;
                if (found != null) {
                    try (Account account = new Account(memory)) {
                        words = recipe.words(found, account);
                    } catch (UnreadableTextException e) {
                        words = null; // it has no terms either
                    }
                }
                checkWanted.run();
            }
            return words;
        }

        @Override
        public List<Map<String, Object>> places(List<Passage> passages) throws IOException {
            Words ofSource = source.source();
            List<int[]> own = new ArrayList<>();
            List<int[]> others = new ArrayList<>();
            for (Passage passage : passages) {
                own.add(new int[] {passage.from(), passage.to()});
                others.add(new int[] {passage.sourceFrom(), passage.sourceTo()});
            }
            List<Map<String, Object>> ownPlaces = places(texts, words, own);
            List<Map<String, Object>> otherPlaces = places(target.texts(), ofSource, others);
            List<Map<String, Object>> places = new ArrayList<>();
            for (int i = 0; i < passages.size(); i++) {
                Map<String, Object> place = new LinkedHashMap<>(ownPlaces.get(i));
                place.put("other", otherPlaces.get(i));
                place.put("words", passages.get(i).words());
                places.add(place);
            }
            return places;
        }

        private List<Map<String, Object>> places(SourceTexts of, Words cut, List<int[]> ranges) {
            List<Map<String, Object>> places = new ArrayList<>();
            try (Account account = new Account(memory)) {
                for (int[] characters : recipe.characters(of, cut, ranges, account)) {
                    Map<String, Object> place = new LinkedHashMap<>();
                    if (characters[0] >= 0) {
                        place.put("from", characters[0]);
                        place.put("to", characters[1]);
                    }
                    if (cut.texts() > 1) {
                        place.put("text", characters[2]);
                    }
                    places.add(place);
                }
            }
            return places;
        }
    }
}

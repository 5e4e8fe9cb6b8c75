/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.verify.TokenWeights;

/**
 * Weights of words by document frequency in the shard: {@code 1 + ln((n + 1) / (df + 1))}. A word that the field's
 * analyzer drops or changes counts as one of no document. Caches weights for the search. Thread-safe.
 */
final class IndexedTokens implements TokenWeights {

    /** Size of the cache. */
    private static final int MOST_KEPT = 1 << 14;

    private final IndexReader reader;
    private final String field;
    private final Map<String, Double> known = new ConcurrentHashMap<>();

    private IndexedTokens(IndexReader reader, String field) {
        this.reader = reader;
        this.field = field;
    }

    /** Null if the words of the field are not indexed. */
    static IndexedTokens of(QueryShardContext shard, String field) {
        MappedFieldType type = shard.getMapperService().fieldType(field);
        boolean isIndexed = type != null
                && type.typeName().equals(TextFieldMapper.CONTENT_TYPE)
                && type.isSearchable()
                && shard.getIndexReader() != null;
        return isIndexed ? new IndexedTokens(shard.getIndexReader(), type.name()) : null;
    }

    @Override
    public double weight(CharSequence token) {
        String word = token.toString();
        Double weight = known.get(word);
        if (weight == null) {
            weight = lookUp(word);
            if (known.size() < MOST_KEPT) {
                known.put(word, weight);
            }
        }
        return weight;
    }

    private double lookUp(String word) {
        try {
            return 1 + Math.log((reader.maxDoc() + 1.0) / (reader.docFreq(new Term(field, word)) + 1.0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionTerminatedException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.simhash.desk.check.RandomDocuments;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageReader;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageShard;
import org.opensearch.simhash.search.match.Cancellation;

/** The terms that most documents have, by the statistics of the index: no document is read. Some 0.1 µs for each term. */
public record BlockTerms(Page page, PageShard shard) implements PageReader {

    public static final PageKind<Page> KIND = new PageKind<>("simhash_block_terms", Page::new, BlockTerms::new);

    private static final int TERMS_BETWEEN_CHECKS = 1 << 12;

    record Page(String field, int least, int limit) implements Writeable {

        Page(StreamInput in) throws IOException {
            this(in.readString(), in.readVInt(), in.readVInt());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(field);
            out.writeVInt(least);
            out.writeVInt(limit);
        }
    }

    /** @param documents at most so many */
    public record Common(String term, int documents) {

        private static final Comparator<Common> BY_DOCUMENTS =
                Comparator.comparingInt(Common::documents).thenComparing(Common::term);
    }

    /** A search for the terms of at least so many documents in all shards together, at most so many of each. */
    public static SearchRequest search(String[] indices, String field, int least, int shards, int limit) {
        return RandomDocuments.searchOf(
                KIND.search(QueryBuilders.matchAllQuery(), new Page(field, 1 + unseen(least, shards), limit)), indices);
    }

    /** The documents of a term that a shard may have and leave out. */
    private static int unseen(int least, int shards) {
        return Math.max(1, least / Math.max(1, shards)) - 1;
    }

    /** The terms of {@link #search}, those of most documents first. */
    public static List<Common> read(SearchResponse response, int least, int shards) {
        int unseen = unseen(least, shards);
        Map<String, Integer> seen = new HashMap<>();
        KIND.pages(response)
                .forEach(page -> page.forEach(in -> seen.merge(in.readString(), in.readVInt() - unseen, Integer::sum)));
        List<Common> common = new ArrayList<>();
        seen.forEach((term, more) -> common.add(new Common(term, shards * unseen + more)));
        common.sort(Common.BY_DOCUMENTS.reversed());
        return common;
    }

    @Override
    public Documents open(LeafReaderContext leaf) {
        throw new CollectionTerminatedException();
    }

    @Override
    public void end(StreamOutput head) throws IOException {
        IndexReader reader = shard.reader();
        PriorityQueue<Common> commonest = new PriorityQueue<>(Common.BY_DOCUMENTS);
        Terms indexed = MultiTerms.getTerms(reader, page.field);
        if (indexed != null) {
            Cancellation cancellation =
                    new Cancellation(reader.leaves().getFirst().reader());
            TermsEnum terms = indexed.iterator();
            for (int i = 0; terms.next() != null; i++) {
                int documents = terms.docFreq();
                if (documents >= page.least
                        && (commonest.size() < page.limit || documents > commonest.peek().documents)) {
                    commonest.add(new Common(terms.term().utf8ToString(), documents));
                    if (commonest.size() > page.limit) {
                        commonest.poll();
                    }
                }
                if (i % TERMS_BETWEEN_CHECKS == 0) {
                    cancellation.check();
                }
            }
        }
        for (Common term : commonest) {
            StreamOutput out = shard.rows().next();
            out.writeString(term.term);
            out.writeVInt(term.documents);
        }
    }
}

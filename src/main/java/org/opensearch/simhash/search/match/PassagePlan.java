/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.passages.Winnowing;
import org.opensearch.simhash.core.passages.Words;

/**
 * The terms that find all documents with a run of {@code minWords} words of a source, those of the fewest documents. Each run holds
 * {@code minWords - run + 1} windows, which the document has, too, and with each window its term. So it is enough that among as many
 * neighbouring windows one has a term that is looked up: the cheapest such choice is found in one pass.
 *
 * <p>A term of many documents is a block. It is chosen only where a run has no other, and looked up only if all terms of the source
 * are blocks.
 *
 * @param terms to look up, ascending
 * @param isRare which of them are the rarest; null if all of their documents are compared
 * @param left blocks that are not looked up
 * @param mostDocuments the most documents of a term that is no block
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record PassagePlan(BytesRef[] terms, boolean[] isRare, int left, long mostDocuments) {

    /** Above the documents of any shard. */
    private static final long BLOCK = 1L << 40;

    private static final int TERMS_BETWEEN_CHECKS = 1 << 10;

    /** @param mostCompared the rarest terms have at most so many documents together */
    static PassagePlan of(
            IndexReader reader, String field, Words source, PassageTexts texts, PassageRule rule, int mostCompared)
            throws IOException {
        List<Window> windows = new ArrayList<>();
        Winnowing.choose(
                source,
                texts.layout(),
                (text, hash, first, last) -> windows.add(new Window(text, hash ^ Long.MIN_VALUE, first, last)),
                () -> {});
        long[] hashes =
                windows.stream().mapToLong(Window::hash).sorted().distinct().toArray();
        int[] documents = documents(reader, field, hashes);
        long mostDocuments = PassageRule.mostDocuments(rule.maxDocumentShare(), reader.maxDoc());
        boolean areBlocks = hashes.length > 0;
        int blocks = 0;
        for (int frequency : documents) {
            areBlocks &= frequency > mostDocuments;
            blocks += frequency > mostDocuments ? 1 : 0;
        }
        boolean[] isChosen = new boolean[hashes.length];
        int needed = rule.minWords() - texts.layout().run() + 1;
        for (int begin = 0; begin < windows.size(); ) {
            int end = endOfText(windows, begin);
            choose(windows.subList(begin, end), needed, hashes, documents, mostDocuments, isChosen);
            begin = end;
        }
        BytesRef[] terms = new BytesRef[hashes.length];
        int[] chosen = new int[hashes.length];
        int count = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (isChosen[i] && documents[i] > 0 && (documents[i] <= mostDocuments || areBlocks)) {
                chosen[count] = documents[i];
                terms[count++] = term(hashes[i]);
            }
        }
        return new PassagePlan(
                Arrays.copyOf(terms, count),
                rarest(Arrays.copyOf(chosen, count), mostCompared),
                areBlocks ? 0 : blocks,
                mostDocuments);
    }

    private static boolean[] rarest(int[] documents, int mostCompared) {
        if (mostCompared == Integer.MAX_VALUE
                || Arrays.stream(documents).asLongStream().sum() <= mostCompared) {
            return null;
        }
        boolean[] isRare = new boolean[documents.length];
        int[] rarestFirst = IntStream.range(0, documents.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> documents[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        int left = mostCompared;
        for (int i = 0; i < rarestFirst.length && documents[rarestFirst[i]] <= left; i++) {
            left -= documents[rarestFirst[i]];
            isRare[rarestFirst[i]] = true;
        }
        return isRare;
    }

    private static BytesRef term(long hash) {
        return new BytesRef(Winnowing.term(hash ^ Long.MIN_VALUE));
    }

    /**
     * Documents of each term, deleted ones too; not all of them once the search has run out of time. OpenSearch takes a timeout for a
     * failure here, and for the end of the search before the next leaf.
     */
    private static int[] documents(IndexReader reader, String field, long[] hashes) throws IOException {
        int[] documents = new int[hashes.length];
        for (LeafReaderContext leaf : reader.leaves()) {
            Terms indexed = Cancellation.unchecked(leaf.reader()).terms(field);
            if (indexed != null) {
                Cancellation cancellation = new Cancellation(leaf.reader());
                TermsEnum terms = indexed.iterator();
                for (int i = 0; i < hashes.length; i++) {
                    if (terms.seekExact(term(hashes[i]))) {
                        documents[i] += terms.docFreq();
                    }
                    if (i % TERMS_BETWEEN_CHECKS == 0 && cancellation.isDue()) {
                        return documents;
                    }
                }
            }
        }
        return documents;
    }

    private static int endOfText(List<Window> windows, int begin) {
        int end = begin;
        while (end < windows.size() && windows.get(end).text == windows.get(begin).text) {
            end++;
        }
        return end;
    }

    /** Marks the cheapest hashes so that among {@code needed} neighbouring windows of a text one has a marked hash. */
    private static void choose(
            List<Window> ofText, int needed, long[] distinct, int[] documents, long mostDocuments, boolean[] isChosen) {
        int windows = ofText.getLast().last + 1;
        if (windows < needed) {
            return; // the text has no such run
        }
        long[] best = new long[ofText.size()];
        int[] before = new int[best.length];
        int[] places = new int[best.length];
        Deque<Integer> cheapest = new ArrayDeque<>();
        int chosen = -1;
        for (int i = 0; i < best.length; i++) {
            Window window = ofText.get(i);
            while (cheapest.isEmpty() == false && ofText.get(cheapest.peekFirst()).last < window.first - needed) {
                cheapest.removeFirst();
            }
            places[i] = Arrays.binarySearch(distinct, window.hash);
            before[i] = window.first < needed ? -1 : cheapest.peekFirst();
            best[i] = cost(documents[places[i]], mostDocuments) + (before[i] < 0 ? 0 : best[before[i]]);
            while (cheapest.isEmpty() == false && best[cheapest.peekLast()] >= best[i]) {
                cheapest.removeLast();
            }
            cheapest.addLast(i);
            if (window.last >= windows - needed && (chosen < 0 || best[i] < best[chosen])) {
                chosen = i;
            }
        }
        for (int i = chosen; i >= 0; i = before[i]) {
            isChosen[places[i]] = true;
        }
    }

    /** A term that no document has costs nothing. Else reading a term costs as much as some documents. */
    private static long cost(int documents, long mostDocuments) {
        return documents == 0 ? 0 : 1 + 4L * documents + (documents > mostDocuments ? BLOCK : 0);
    }

    /**
     * Neighbouring windows that choose the same hash.
     *
     * @param hash with another sign, so that hashes ascend as terms do
     */
    private record Window(int text, long hash, int first, int last) {}
}

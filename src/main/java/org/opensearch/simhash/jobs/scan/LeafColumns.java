/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.jobs.scan.FingerprintPages.ColumnsReader;
import org.opensearch.simhash.jobs.scan.FingerprintPages.ColumnsReader.Stratum;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.LongHashValues;
import org.opensearch.simhash.search.match.LongHashValues.BinaryValues;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;
import org.opensearch.simhash.search.query.PairDocValues;

/**
 * Reads the rows of one leaf from doc values. If digests have no doc values, as in the plugin's template, it looks up
 * only those of documents without bits: elsewhere, equal digests of one recipe have equal bits.
 */
final class LeafColumns {

    private static final int FEW_SCHEMES = 1_024;

    private final int docBase;
    private final LeafPrints prints;
    private final SortedSetDocValues digests;
    /** Null if doc values have all digests. */
    private final DigestTerms terms;

    private final SortedSetDocValues schemes;
    private final LeafReaderContext leaf;
    private final QueryShardContext context;
    private final List<String> same;
    /** Of {@code same}. Null until a row needs them: where there is none, the fields need not be mapped. */
    private PairDocValues classes;

    /** The guard of the current document, while its keys are read. */
    private long growingGuard;

    private final ColumnsReader columns;

    private final Stratum[] stratumOfScheme;

    LeafColumns(LeafReaderContext leaf, IndexedFields fields, QueryShardContext context, ColumnsReader columns)
            throws IOException {
        this.docBase = leaf.docBase;
        this.leaf = leaf;
        this.context = context;
        this.same = columns.page().same();
        this.prints =
                new LeafPrints(leaf.reader(), fields.bits(), columns.page().prints());
        boolean hasDigests = fields.hasDigestValues(leaf.reader());
        this.digests = hasDigests ? DocValues.getSortedSet(leaf.reader(), fields.digest()) : DocValues.emptySortedSet();
        String path = columns.page().field() + "." + FingerprintFields.DIGEST;
        this.terms = hasDigests
                ? null
                : new DigestTerms(
                        leaf, fields.digest(), new KeptSource(context).has(path) ? path : null, columns.memory());
        this.schemes = DocValues.getSortedSet(leaf.reader(), fields.scheme());
        this.stratumOfScheme = new Stratum[(int) Math.min(FEW_SCHEMES, schemes.getValueCount())];
        this.columns = columns;
    }

    void collect(int doc) throws IOException {
        int fingerprints = prints.read(doc);
        int count = schemes.advanceExact(doc) ? schemes.docValueCount() : 0;
        List<Long> texts = texts(doc, fingerprints == 0 && count > 0);
        if (fingerprints == 0 && texts.isEmpty()) {
            return;
        }
        if (fingerprints > 0) {
            columns.countFingerprinted();
        }
        long guard = guard(doc);
        if (count == 0) {
            add(doc, fingerprints, texts, columns.stratum("", guard));
        }
        for (int i = 0; i < count; i++) {
            add(doc, fingerprints, texts, stratum((int) schemes.nextOrd(), guard));
        }
    }

    /**
     * Hashes of the digests of a document, each once.
     *
     * @param isLookedUp whether they are wanted if they have no doc values. Every fingerprinted document has a scheme
     */
    private List<Long> texts(int doc, boolean isLookedUp) throws IOException {
        if (terms != null) {
            return isLookedUp ? terms.of(doc) : List.of();
        }
        List<Long> hashes = new ArrayList<>();
        for (int i = digests.advanceExact(doc) ? digests.docValueCount() : 0; i > 0; i--) {
            hashes.add(hash(digests.lookupOrd(digests.nextOrd())));
        }
        return hashes;
    }

    /** @param fingerprints how many {@link #prints} the document has */
    private void add(int doc, int fingerprints, List<Long> texts, Stratum stratum) throws IOException {
        stratum.documents++;
        for (int i = 0; i < fingerprints; i++) {
            long digest = texts.isEmpty() ? 0 : texts.getFirst();
            columns.add(docBase + doc, stratum.number, prints.values[i], digest, prints.words(i));
        }
        for (long digest : fingerprints == 0 || texts.isEmpty() ? texts : texts.subList(1, texts.size())) {
            columns.addWithoutBits(docBase + doc, stratum.number, digest);
        }
    }

    private Stratum stratum(int ordinal, long guard) throws IOException {
        if (same.isEmpty() && ordinal < stratumOfScheme.length) {
            if (stratumOfScheme[ordinal] == null) {
                stratumOfScheme[ordinal] = columns.stratum(scheme(ordinal), guard);
            }
            return stratumOfScheme[ordinal];
        }
        return columns.stratum(scheme(ordinal), guard);
    }

    private String scheme(int ordinal) throws IOException {
        return schemes.lookupOrd(ordinal).utf8ToString();
    }

    /** Equal for documents with equal sets of values in each field. A missing value counts as a value. */
    private long guard(int doc) throws IOException {
        if (same.isEmpty()) {
            return 0;
        }
        if (classes == null) {
            classes = new PairDocValues(context, PairConditions.of(same, null, null));
            classes.setNextReader(leaf);
        }
        growingGuard = 0;
        classes.keys(doc, (key, hash) -> {
            long value = hash == null ? 0 : hash.getMostSignificantBits() ^ hash.getLeastSignificantBits();
            growingGuard = (growingGuard * 31 + 1) * 0x9E37_79B9_7F4A_7C15L + value;
        });
        return growingGuard;
    }

    /** 64 of the 128 bits of MurmurHash3; never 0. */
    static long hash(BytesRef bytes) {
        long hash = HashFunction.MURMUR3.hash(bytes.bytes, bytes.offset, bytes.length);
        return hash == 0 ? 1 : hash;
    }

    /** What a join compares, of one document at a time. */
    private static final class LeafPrints {

        @FunctionalInterface
        private interface Values {
            int read(int doc) throws IOException;
        }

        private final Values ofLeaf;

        /** Of the current document, from 0 on; later ones are of earlier documents. */
        private long[] values = new long[1];

        /** By value: the words of its hash or sketch. */
        private long[][] words = new long[1][];

        LeafPrints(LeafReader leaf, String field, Prints prints) throws IOException {
            if (prints.areSketches()) {
                BinaryDocValues sketches = DocValues.getBinary(leaf, field);
                BinaryValues written = new BinaryValues();
                this.ofLeaf = doc -> sketches.advanceExact(doc) ? sketches(sketches.binaryValue(), written) : 0;
            } else if (prints.haveWords()) {
                LongHashValues hashes = LongHashValues.open(leaf, field);
                this.ofLeaf = doc -> hashes(hashes.of(doc));
            } else {
                SortedNumericDocValues bits = DocValues.getSortedNumeric(leaf, field);
                this.ofLeaf = doc -> bits.advanceExact(doc) ? bits(bits) : 0;
            }
        }

        int read(int doc) throws IOException {
            return ofLeaf.read(doc);
        }

        private int bits(SortedNumericDocValues bits) throws IOException {
            int count = bits.docValueCount();
            values = ArrayUtil.grow(values, count);
            for (int i = 0; i < count; i++) {
                values[i] = bits.nextValue();
            }
            return count;
        }

        private int sketches(BytesRef sketches, BinaryValues written) {
            int count = 0;
            written.of(sketches);
            for (BytesRef value = written.next(); value != null; value = written.next()) {
                int permutations = SketchWords.permutations(value.length);
                if (permutations > 0) {
                    addWords(count++, value.bytes, value.offset + SketchWords.HEADER, permutations);
                }
            }
            return count;
        }

        private int hashes(List<LongHash> hashes) {
            int count = 0;
            for (LongHash hash : hashes) {
                byte[] bytes = hash.toBytes();
                addWords(count++, bytes, 0, bytes.length);
            }
            return count;
        }

        long[] words(int i) {
            return i < words.length ? words[i] : null;
        }

        private void addWords(int before, byte[] bytes, int from, int components) {
            values = ArrayUtil.grow(values, before + 1);
            words = ArrayUtil.grow(words, before + 1);
            int length = SketchWords.length(components);
            long[] room = words[before] != null && words[before].length == length ? words[before] : new long[length];
            SketchWords.write(bytes, from, components, room, 0);
            words[before] = room;
            values[before] = SketchWords.hash(room, 0);
        }
    }

    /**
     * Digests of documents when they have no doc values. It reads sources until these have taken as long as a walk over all terms of the
     * leaf and their postings. Then, or without sources, it walks once for a million documents.
     */
    private static final class DigestTerms {

        /** Documents of the leaf, one after the other, whose first digests are kept: 8 MB. */
        private static final int WINDOW = 1 << 20;

        /** How many terms take as long as one source. */
        private static final int TERMS_PER_SOURCE = 100;

        /** An entry of a map, a list and a number in it. */
        private static final int BYTES = 160;

        private final LeafReaderContext leaf;
        private final Terms terms;
        /** Null if the source lacks it. */
        private final String path;

        private final LongConsumer memory;
        private final SourceLookup source = new SourceLookup();
        private int windowStart;
        private long[] window = {};

        /** Further digests of documents that have several. */
        private final Map<Integer, List<Long>> others = new HashMap<>();

        private long sources;

        /**
         * @param field its terms are the digests
         * @param path of the digest in the source, or null if the source lacks it
         */
        DigestTerms(LeafReaderContext leaf, String field, String path, LongConsumer memory) throws IOException {
            this.leaf = leaf;
            this.terms = leaf.reader().terms(field);
            this.path = path;
            this.memory = memory;
        }

        /** @param doc greater than those before */
        List<Long> of(int doc) throws IOException {
            if (terms == null) {
                return List.of();
            }
            if (doc - windowStart >= window.length) {
                long size = terms.size() < 0 ? leaf.reader().maxDoc() : terms.size();
                if (path != null && ++sources * TERMS_PER_SOURCE < size) {
                    return ofSource(doc);
                }
                sources = 0;
                readTerms(doc);
            }
            long first = window[doc - windowStart];
            List<Long> further = others.get(doc);
            return further != null ? further : first == 0 ? List.of() : List.of(first);
        }

        private List<Long> ofSource(int doc) {
            source.setSegmentAndDocument(leaf, doc);
            return DocumentValues.at(path, source.loadSourceIfNeeded()).stream()
                    .filter(String.class::isInstance)
                    .map(digest -> hash(new BytesRef((String) digest)))
                    .distinct()
                    .toList();
        }

        private void readTerms(int from) throws IOException {
            int length = Math.min(WINDOW, leaf.reader().maxDoc() - from);
            memory.accept(Math.max(0, length - window.length) * (long) Long.BYTES);
            windowStart = from;
            window = new long[length];
            others.clear();
            TermsEnum term = terms.iterator();
            PostingsEnum postings = null;
            while (term.next() != null) {
                postings = term.postings(postings, PostingsEnum.NONE);
                for (int doc = postings.advance(from); doc - from < length; doc = postings.nextDoc()) {
                    long first = window[doc - from];
                    long hash = hash(term.term());
                    if (first == 0) {
                        window[doc - from] = hash;
                    } else {
                        memory.accept(BYTES);
                        others.computeIfAbsent(doc, any -> new ArrayList<>(List.of(first)))
                                .add(hash);
                    }
                }
            }
        }
    }
}

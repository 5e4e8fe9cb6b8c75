/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.lookup.SourceLookup;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.HashFunction;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.join.Prints;
import org.opensearch.simhash.core.sketch.SketchWords;
import org.opensearch.simhash.jobs.scan.FingerprintPages.ColumnsReader;
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
    private final SortedSetDocValues schemes;
    private final boolean hasDigests;
    private final LeafReaderContext leaf;
    private final QueryShardContext context;
    private final List<String> same;
    /** Of {@code same}. Null until a row needs them: where there is none, the fields need not be mapped. */
    private PairDocValues classes;

    private long guard;
    private final ColumnsBuilder columns;

    /** Keys of its digests. */
    private long[] ordinals = new long[1];

    /** By ordinal of a scheme: its position in the page's strata + 1. */
    private final int[] stratumOfScheme;

    LeafColumns(
            LeafReaderContext leaf,
            IndexedFields fields,
            ColumnsReader.Page page,
            QueryShardContext context,
            ColumnsBuilder columns)
            throws IOException {
        this.docBase = leaf.docBase;
        this.leaf = leaf;
        this.context = context;
        this.same = page.same();
        this.prints = new LeafPrints(leaf.reader(), fields.bits(), page.prints());
        this.hasDigests = fields.hasDigestValues(leaf.reader());
        this.digests = hasDigests ? DocValues.getSortedSet(leaf.reader(), fields.digest()) : DocValues.emptySortedSet();
        this.schemes = DocValues.getSortedSet(leaf.reader(), fields.scheme());
        this.stratumOfScheme = new int[(int) Math.min(FEW_SCHEMES, schemes.getValueCount())];
        this.columns = columns;
        columns.startLeaf(hasDigests ? this::hashes : digestTerms(leaf, fields, page, context));
    }

    /** In the order of ordinals, so that each block of terms is decoded once. */
    private long[] hashes(long[] ordinals) throws IOException {
        long[] hashes = new long[ordinals.length];
        for (int i = 0; i < ordinals.length; i++) {
            hashes[i] = hash(digests.lookupOrd(ordinals[i]));
        }
        return hashes;
    }

    private DigestTerms digestTerms(
            LeafReaderContext leaf, IndexedFields fields, ColumnsReader.Page page, QueryShardContext context) {
        String path = page.field() + "." + FingerprintFields.DIGEST;
        boolean isInSource = new KeptSource(context).has(path);
        return new DigestTerms(leaf, fields.digest(), isInSource ? path : null, columns::account);
    }

    void collect(int doc) throws IOException {
        int fingerprints = prints.read(doc);
        int texts = digests.advanceExact(doc) ? digests.docValueCount() : 0;
        int count = schemes.advanceExact(doc) ? schemes.docValueCount() : 0;
        // Without doc values, the lookup shows whether there is a digest. Every fingerprinted document has a scheme.
        boolean isLookedUp = hasDigests == false && fingerprints == 0 && count > 0;
        if (fingerprints == 0 && texts == 0 && isLookedUp == false) {
            return;
        }
        if (fingerprints > 0) {
            columns.countFingerprinted();
        }
        int keys = isLookedUp ? 1 : texts;
        ordinals = ArrayUtil.grow(ordinals, keys);
        for (int i = 0; i < keys; i++) {
            ordinals[i] = isLookedUp ? doc : digests.nextOrd();
        }
        long guard = guard(doc);
        if (count == 0) {
            int stratum = columns.stratum("", guard);
            columns.countScheme(stratum);
            add(doc, fingerprints, keys, stratum);
        }
        for (int i = 0; i < count; i++) {
            int stratum = stratum((int) schemes.nextOrd(), guard);
            columns.countScheme(stratum);
            add(doc, fingerprints, keys, stratum);
        }
    }

    /**
     * @param fingerprints how many {@link #prints} the document has
     * @param keys how many {@link #ordinals} it has
     */
    private void add(int doc, int fingerprints, int keys, int stratum) {
        long first = keys == 0 ? ColumnsBuilder.NO_DIGEST : ordinals[0];
        for (int i = 0; i < fingerprints; i++) {
            columns.add(docBase + doc, prints.values[i], prints.words(i), first, stratum);
        }
        for (int i = fingerprints == 0 ? 0 : 1; i < keys; i++) {
            columns.add(docBase + doc, 0, null, ordinals[i], ~stratum);
        }
    }

    private int stratum(int ordinal, long guard) throws IOException {
        if (same.isEmpty() && ordinal < stratumOfScheme.length) {
            if (stratumOfScheme[ordinal] == 0) {
                stratumOfScheme[ordinal] = 1 + columns.stratum(scheme(ordinal), guard);
            }
            return stratumOfScheme[ordinal] - 1;
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
        guard = 0;
        classes.keys(doc, (key, hash) -> {
            long value = hash == null ? 0 : hash.getMostSignificantBits() ^ hash.getLeastSignificantBits();
            guard = (guard * 31 + 1) * 0x9E37_79B9_7F4A_7C15L + value;
        });
        return guard;
    }

    /** 64 of the 128 bits of MurmurHash3; never 0. */
    static long hash(BytesRef bytes) {
        long hash = HashFunction.MURMUR3.hash(bytes.bytes, bytes.offset, bytes.length);
        return hash == 0 ? 1 : hash;
    }

    static long hash(String text) {
        return hash(new BytesRef(text));
    }

    /** What a join compares, of one document at a time. */
    private static final class LeafPrints {

        @FunctionalInterface
        private interface Values {
            int read(int doc) throws IOException;
        }

        private final Values ofLeaf;

        /** From 0 on; what follows is left over. */
        private long[] values = new long[1];

        /** What a hash or a sketch has besides. */
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

        /** Returns how many values the document has. */
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

        /** Null for fingerprints. */
        long[] words(int i) {
            return i < words.length ? words[i] : null;
        }

        /** Takes the components of one more. */
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
     * Digests of documents when they have no doc values. For a few documents it reads the source. For many it walks all
     * terms of the leaf and their postings.
     */
    private static final class DigestTerms implements ColumnsBuilder.Digests {

        /** How many terms take as long as one source. */
        private static final int TERMS_PER_SOURCE = 100;

        /** An entry of a map, a list and a number in it. */
        private static final int OTHER_BYTES = 160;

        private final LeafReaderContext leaf;
        private final String field;
        /** Null if the source lacks it. */
        private final String path;

        private final LongConsumer memory;
        /** Further digests of the few documents that have several. */
        private final Map<Long, List<Long>> others = new HashMap<>();

        /**
         * @param field its terms are the digests
         * @param path of the digest in the source, or null if the source lacks it
         * @param memory is told the bytes of further digests, and may refuse them
         */
        DigestTerms(LeafReaderContext leaf, String field, String path, LongConsumer memory) {
            this.leaf = leaf;
            this.field = field;
            this.path = path;
            this.memory = memory;
        }

        @Override
        public long[] hashes(long[] documents) throws IOException {
            Terms terms = leaf.reader().terms(field);
            if (documents.length == 0 || terms == null) {
                return new long[documents.length];
            }
            long size = terms.size() < 0 ? leaf.reader().maxDoc() : terms.size();
            return path != null && size > (long) documents.length * TERMS_PER_SOURCE
                    ? fromSources(documents)
                    : fromTerms(terms, documents);
        }

        @Override
        public List<Long> others(long document) {
            return others.getOrDefault(document, List.of());
        }

        private long[] fromSources(long[] documents) {
            long[] hashes = new long[documents.length];
            SourceLookup source = new SourceLookup();
            for (int i = 0; i < documents.length; i++) {
                source.setSegmentAndDocument(leaf, (int) documents[i]);
                for (Object digest : DocumentValues.at(path, source.loadSourceIfNeeded())) {
                    if (digest instanceof String text) {
                        add(LeafColumns.hash(text), hashes, i, documents[i]);
                    }
                }
            }
            return hashes;
        }

        private void add(long hash, long[] hashes, int at, long document) {
            if (hashes[at] == 0) {
                hashes[at] = hash;
            } else if (hashes[at] != hash) {
                memory.accept(OTHER_BYTES);
                others.computeIfAbsent(document, any -> new ArrayList<>()).add(hash);
            }
        }

        private long[] fromTerms(Terms terms, long[] documents) throws IOException {
            long[] hashes = new long[documents.length];
            FixedBitSet wanted = new FixedBitSet(leaf.reader().maxDoc());
            for (long document : documents) {
                wanted.set((int) document);
            }
            TermsEnum term = terms.iterator();
            PostingsEnum postings = null;
            while (term.next() != null) {
                postings = term.postings(postings, PostingsEnum.NONE);
                long hash = 0;
                for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
                    if (wanted.get(doc)) {
                        hash = hash == 0 ? LeafColumns.hash(term.term()) : hash;
                        add(hash, hashes, Arrays.binarySearch(documents, doc), doc);
                    }
                }
            }
            return hashes;
        }
    }
}

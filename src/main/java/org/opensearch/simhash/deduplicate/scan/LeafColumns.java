/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.fielddata.LeafFieldData;
import org.opensearch.index.fielddata.LeafNumericFieldData;
import org.opensearch.index.fielddata.SortedBinaryDocValues;
import org.opensearch.index.fielddata.plain.SortedNumericIndexFieldData;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.deduplicate.join.Vicinity;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.HashFunction;
import org.opensearch.simhash.match.IndexedFields;
import org.opensearch.simhash.query.KeptSource;
import org.opensearch.simhash.query.ValuesField;

/**
 * Reads the rows of one leaf from doc values. If digests have no doc values, as in the plugin's template, it looks up
 * only those of documents without bits: elsewhere, equal digests of one recipe have equal bits.
 */
final class LeafColumns {

    private static final int FEW_SCHEMES = 1_024;

    private final int docBase;
    private final SortedNumericDocValues bits;
    private final SortedSetDocValues digests;
    private final SortedSetDocValues schemes;
    private final boolean hasDigests;
    private final List<SortedBinaryDocValues> guards = new ArrayList<>();
    private final ColumnsBuilder columns;
    /** Null if all documents are wanted, or if a digest can make them wanted. */
    private final Vicinity vicinity;

    /** Of the document that is being read; its first ones are used. */
    private long[] values = new long[1];

    /** Keys of its digests. */
    private long[] ordinals = new long[1];

    /** By ordinal of a scheme: its position in the page's strata + 1. */
    private final int[] stratumOfScheme;

    LeafColumns(
            LeafReaderContext leaf,
            IndexedFields fields,
            ColumnsAggregator.Page page,
            Vicinity vicinity,
            QueryShardContext context,
            ColumnsBuilder columns)
            throws IOException {
        this.docBase = leaf.docBase;
        this.bits = DocValues.getSortedNumeric(leaf.reader(), fields.bits());
        this.hasDigests = fields.hasDigestValues(leaf.reader());
        this.digests = hasDigests ? DocValues.getSortedSet(leaf.reader(), fields.digest()) : DocValues.emptySortedSet();
        this.schemes = DocValues.getSortedSet(leaf.reader(), fields.scheme());
        this.stratumOfScheme = new int[(int) Math.min(FEW_SCHEMES, schemes.getValueCount())];
        this.columns = columns;
        this.vicinity = hasDigests ? null : vicinity;
        columns.startLeaf(hasDigests ? this::hashes : digestTerms(leaf, fields, page, context), vicinity);
        for (String field : page.same()) {
            guards.add(GuardValues.of(context, field, leaf));
        }
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
            LeafReaderContext leaf, IndexedFields fields, ColumnsAggregator.Page page, QueryShardContext context) {
        String path = page.field() + "." + FingerprintFields.DIGEST;
        boolean isInSource = new KeptSource(context).has(path);
        return new DigestTerms(leaf, fields.digest(), isInSource ? path : null, columns::account);
    }

    void collect(int doc) throws IOException {
        int fingerprints = bits.advanceExact(doc) ? bits.docValueCount() : 0;
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
        values = ArrayUtil.grow(values, fingerprints);
        for (int i = 0; i < fingerprints; i++) {
            values[i] = bits.nextValue();
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
     * @param fingerprints how many {@link #values} the document has
     * @param keys how many {@link #ordinals} it has
     */
    private void add(int doc, int fingerprints, int keys, int stratum) {
        if (isWanted(fingerprints) == false) {
            return;
        }
        long first = keys == 0 ? ColumnsBuilder.NO_DIGEST : ordinals[0];
        for (int i = 0; i < fingerprints; i++) {
            columns.add(docBase + doc, values[i], first, stratum);
        }
        for (int i = fingerprints == 0 ? 0 : 1; i < keys; i++) {
            columns.add(docBase + doc, 0, ordinals[i], ~stratum);
        }
    }

    /** One near fingerprint makes all fingerprints of the document wanted. */
    private boolean isWanted(int fingerprints) {
        boolean isWanted = vicinity == null || fingerprints == 0;
        for (int i = 0; i < fingerprints && isWanted == false; i++) {
            isWanted = vicinity.contains(values[i]);
        }
        return isWanted;
    }

    private int stratum(int ordinal, long guard) throws IOException {
        if (guards.isEmpty() && ordinal < stratumOfScheme.length) {
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
        long hash = 0;
        for (SortedBinaryDocValues values : guards) {
            hash = hash * 31 + 1;
            if (values != null && values.advanceExact(doc)) {
                for (int i = values.docValueCount(); i > 0; i--) {
                    hash = hash * 0x9E37_79B9_7F4A_7C15L + hash(values.nextValue());
                }
            }
        }
        return hash;
    }

    /** 64 of the 128 bits of MurmurHash3; never 0. */
    static long hash(BytesRef bytes) {
        long hash = HashFunction.MURMUR3.hash(bytes.bytes, bytes.offset, bytes.length);
        return hash == 0 ? 1 : hash;
    }

    static long hash(String text) {
        return hash(new BytesRef(text));
    }

    /** The values, as text, that documents of one group have in common. */
    private static final class GuardValues {

        /** Appended to milliseconds, it makes nanoseconds. */
        private static final String NANOS = "000000";

        private GuardValues() {}

        /** The values of a leaf; null if the index does not map the field. */
        static SortedBinaryDocValues of(QueryShardContext context, String field, LeafReaderContext leaf) {
            MappedFieldType type = ValuesField.of(context, field);
            if (type == null) {
                return null;
            }
            LeafFieldData values = context.getForField(type).load(leaf);
            // As text, OpenSearch would truncate these to milliseconds.
            if (values instanceof SortedNumericIndexFieldData.NanoSecondFieldData nanos) {
                return new Instants(nanos.getLongValuesAsNanos(), "");
            }
            return type instanceof DateFieldMapper.DateFieldType && values instanceof LeafNumericFieldData millis
                    ? new Instants(millis.getLongValues(), NANOS)
                    : values.getBytesValues();
        }

        /** Instants in nanoseconds, so that they do not depend on the resolution of an index. */
        private static final class Instants extends SortedBinaryDocValues {

            private final SortedNumericDocValues values;
            private final String scale;

            Instants(SortedNumericDocValues values, String scale) {
                this.values = values;
                this.scale = scale;
            }

            @Override
            public boolean advanceExact(int doc) throws IOException {
                return values.advanceExact(doc);
            }

            @Override
            public int docValueCount() {
                return values.docValueCount();
            }

            @Override
            public BytesRef nextValue() throws IOException {
                long value = values.nextValue();
                return new BytesRef(value == 0 ? "0" : value + scale);
            }
        }
    }
}

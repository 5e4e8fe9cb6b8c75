/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOFunction;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.passages.Winnowing;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.LongHashValues;
import org.opensearch.simhash.search.match.LongHashValues.BinaryValues;
import org.opensearch.simhash.search.pair.PairConditions;
import org.opensearch.simhash.search.query.FingerprintMapping.SketchMapping;
import org.opensearch.simhash.search.query.IndexMapping.KeptSource;

/**
 * Adds its prints to each hit, if the search asks for the doc value field {@link HitPrints#fieldFor}. Inner hits and {@code top_hits}
 * get none, because they have doc value fields of their own. Indices without prints are skipped. With conditions on a pair in the
 * format of the field ({@link PairConditions#format}), it also adds the values that decide them.
 * A document that has a group, or is kept apart from others, says so beside its prints.
 *
 * <p>Costs two or three doc values per hit. The terms of passages are read from {@code _source}. If the digest has no doc values, as in the
 * plugin's template, it is read from there, too, but only for documents without bits or sketch: in the others, equal digests of one
 * recipe mean equal bits or sketches.
 */
public final class PrintPhase implements FetchSubPhase {

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        if (context.docValuesContext() == null) {
            return null;
        }
        Processor processor = new Processor(context.getQueryShardContext());
        for (FieldAndFormat asked : context.docValuesContext().fields()) {
            for (SketchKind kind : SketchKind.values()) {
                String object = HitPrints.objectOf(kind, asked.field);
                if (object != null) {
                    processor.add(kind, asked, object);
                }
            }
        }
        return processor.isIdle() ? null : processor;
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final QueryShardContext shard;
        private final Map<String, IOFunction<LeafReader, IOFunction<HitContext, HitPrints>>> readable =
                new LinkedHashMap<>();
        private final Map<String, String> objects = new HashMap<>();
        private final Map<String, PairDocValues> pairs = new HashMap<>();

        private final List<DocumentField> unreadable = new ArrayList<>();
        /** Shown for a print that has only a digest, if the digest cannot be read. */
        private final Map<String, DocumentField> lacking = new HashMap<>();
        /** Shown for a fingerprint that is in the document but not in the index. */
        private final Map<UnmappedParts, DocumentField> aside = new LinkedHashMap<>();

        /** Why the values of a pair cannot be read, in the leaf or at all, by the field of the prints. */
        private final Map<String, DocumentField> hidden = new HashMap<>();

        /** In the order of the documents. */
        private final Map<String, IOFunction<HitContext, HitPrints>> leaf = new LinkedHashMap<>();

        /** What documents of the leaf say of their stories, by the field of the prints and by part. */
        private final Map<String, Map<String, SortedSetDocValues>> said = new HashMap<>();

        Processor(QueryShardContext shard) {
            this.shard = shard;
        }

        void add(SketchKind kind, FieldAndFormat asked, String object) {
            String field = asked.field;
            try {
                objects.put(field, object);
                switch (kind) {
                    case SIMHASH -> addFingerprints(field, object);
                    case MINHASH ->
                        new SketchMapping(shard, kind, object)
                                .readableFields()
                                .ifPresent(fields -> readable.put(field, reader -> sketches(reader, object, fields)));
                    case PASSAGES ->
                        new SketchMapping(shard, kind, object)
                                .fields()
                                .ifPresent(fields -> addPassages(field, object, fields.bits()));
                }
            } catch (QueryShardException | IllegalArgumentException e) {
                // An exception would silently lose the hits of this shard.
                unreadable.add(HitPrints.unreadable(field, e.getMessage()));
            }
            if (asked.format != null && readable.containsKey(field)) {
                try {
                    pairs.put(field, new PairDocValues(shard, PairConditions.ofFormat(asked.format)));
                } catch (QueryShardException | IllegalArgumentException e) {
                    hidden.put(field, HitPrints.unreadable(field, e.getMessage()));
                }
            }
        }

        private void addPassages(String field, String object, String terms) {
            if (new KeptSource(shard).has(terms) == false) {
                throw new IllegalArgumentException("[passages] must have its terms kept in [_source], but ["
                        + shard.index().getName() + "] keeps no [" + terms + "]");
            }
            readable.put(field, reader -> hit -> passages(hit, object));
        }

        private void addFingerprints(String field, String object) {
            FingerprintMapping mapping = new FingerprintMapping(shard, object);
            Optional<IndexedFields> mapped = mapping.readableFields();
            mapped.ifPresent(fields -> {
                String longBits = mapping.ofLength(fields, LongHash.MOST_BITS).bits();
                readable.put(field, reader -> fingerprints(reader, object, fields, longBits));
                mapping.whyHitsLackDigests(fields)
                        .ifPresent(reason -> lacking.put(field, HitPrints.unreadable(field, reason)));
            });
            if (mapped.isEmpty()) {
                UnmappedParts parts = new UnmappedParts(shard, object);
                parts.whyLeftAside()
                        .ifPresent(reason -> aside.put(
                                parts,
                                HitPrints.unreadable(
                                        field,
                                        "[simhash] [" + object + "] must be mapped, but is not, and " + reason
                                                + "; map [" + object
                                                + "] as in the plugin's config/index-template.json")));
            }
        }

        boolean isIdle() {
            return readable.isEmpty() && unreadable.isEmpty() && aside.isEmpty();
        }

        @Override
        public void setNextReader(LeafReaderContext next) throws IOException {
            for (String field : readable.keySet()) {
                leaf.put(field, readable.get(field).apply(next.reader()));
                said.put(field, said(next.reader(), objects.get(field)));
            }
            for (Map.Entry<String, PairDocValues> pair : pairs.entrySet()) {
                try {
                    pair.getValue().setNextReader(next);
                    hidden.remove(pair.getKey());
                } catch (IllegalArgumentException e) {
                    hidden.put(pair.getKey(), HitPrints.unreadable(pair.getKey(), e.getMessage()));
                }
            }
        }

        private Map<String, SortedSetDocValues> said(LeafReader reader, String object) throws IOException {
            Map<String, SortedSetDocValues> values = new HashMap<>();
            for (String part : List.of(FingerprintFields.GROUP, FingerprintFields.APART)) {
                MappedFieldType mapped = IndexMapping.whole(shard, object + "." + part);
                FieldInfo info = mapped == null ? null : reader.getFieldInfos().fieldInfo(mapped.name());
                if (info != null && info.getDocValuesType() == DocValuesType.SORTED_SET) {
                    values.put(part, reader.getSortedSetDocValues(mapped.name()));
                }
            }
            return values;
        }

        private Map<String, List<String>> said(String field, int doc) throws IOException {
            Map<String, List<String>> parts = new HashMap<>();
            for (Map.Entry<String, SortedSetDocValues> part : said.get(field).entrySet()) {
                List<String> values = terms(part.getValue(), doc);
                if (values.isEmpty() == false) {
                    parts.put(part.getKey(), values);
                }
            }
            return parts;
        }

        @Override
        public void process(HitContext hit) throws IOException {
            for (String field : leaf.keySet()) {
                HitPrints prints = leaf.get(field).apply(hit);
                DocumentField lacks = prints.isDigestOnly() ? lacking.get(field) : null;
                hit.hit().setDocumentField(field, lacks == null ? field(field, prints, hit) : lacks);
            }
            aside.forEach((parts, field) -> {
                if (parts.isIn(hit.sourceLookup().loadSourceIfNeeded())) {
                    hit.hit().setDocumentField(field.getName(), field);
                }
            });
            unreadable.forEach(field -> hit.hit().setDocumentField(field.getName(), field));
        }

        private DocumentField field(String name, HitPrints prints, HitContext hit) throws IOException {
            if (prints.isNone() == false && hidden.containsKey(name)) {
                return hidden.get(name);
            }
            PairDocValues pair = prints.isNone() ? null : pairs.get(name);
            try {
                return prints.toField(name, pair == null ? null : pair.of(hit), said(name, hit.docId()));
            } catch (IllegalArgumentException e) {
                return HitPrints.unreadable(name, e.getMessage());
            }
        }
    }

    private static IOFunction<HitContext, HitPrints> fingerprints(
            LeafReader reader, String object, IndexedFields fields, String longBits) throws IOException {
        LongHashValues longValues =
                reader.getFieldInfos().fieldInfo(longBits) == null ? null : LongHashValues.open(reader, longBits);
        SortedNumericDocValues values = DocValues.getSortedNumeric(reader, fields.bits());
        SortedSetDocValues schemes = DocValues.getSortedSet(reader, fields.scheme());
        SortedSetDocValues digests =
                fields.hasDigestValues(reader) ? DocValues.getSortedSet(reader, fields.digest()) : null;
        return hit -> {
            List<Object> all = new ArrayList<>();
            if (values.advanceExact(hit.docId())) {
                for (int i = values.docValueCount(); i > 0; i--) {
                    all.add(values.nextValue());
                }
            }
            if (longValues != null) {
                all.addAll(longValues.of(hit.docId()));
            }
            List<String> found = digests == null ? digests(hit, object, all) : terms(digests, hit.docId());
            return new HitPrints(all, found, terms(schemes, hit.docId()));
        };
    }

    private static IOFunction<HitContext, HitPrints> sketches(LeafReader reader, String object, IndexedFields fields)
            throws IOException {
        BinaryDocValues written = DocValues.getBinary(reader, fields.bits());
        SortedSetDocValues schemes = DocValues.getSortedSet(reader, fields.scheme());
        return hit -> {
            List<Sketch> sketches = new ArrayList<>();
            if (written.advanceExact(hit.docId())) {
                BinaryValues values = new BinaryValues();
                values.of(written.binaryValue());
                for (BytesRef value = values.next(); value != null; value = values.next()) {
                    // Somebody may have written shorter or longer values.
                    if (Sketch.isLength(value.length)) {
                        sketches.add(new Sketch(BytesRef.deepCopyOf(value).bytes));
                    }
                }
            }
            return new HitPrints(sketches, digests(hit, object, sketches), terms(schemes, hit.docId()));
        };
    }

    /** From {@code _source}, because the terms have no doc values. */
    private static HitPrints passages(HitContext hit, String object) {
        Map<String, Object> source = hit.sourceLookup().loadSourceIfNeeded();
        long[] terms = DocumentValues.at(object + "." + FingerprintFields.TERMS, source).stream()
                .mapToLong(term -> Winnowing.number(new BytesRef(term.toString())))
                .filter(term -> term >= 0) // else written by somebody else
                .toArray();
        List<?> values = terms.length == 0 ? List.of() : Collections.singletonList(terms);
        return new HitPrints(values, List.of(), texts(hit, object, FingerprintFields.SCHEME));
    }

    private static List<String> terms(SortedSetDocValues values, int doc) throws IOException {
        List<String> terms = new ArrayList<>();
        if (values.advanceExact(doc)) {
            for (int i = values.docValueCount(); i > 0; i--) {
                terms.add(values.lookupOrd(values.nextOrd()).utf8ToString());
            }
        }
        return terms;
    }

    /** From {@code _source}, if nothing else tells which texts are equal. */
    private static List<String> digests(HitContext hit, String object, List<?> prints) {
        return prints.isEmpty() ? texts(hit, object, FingerprintFields.DIGEST) : List.of();
    }

    private static List<String> texts(HitContext hit, String object, String part) {
        Map<String, Object> source = hit.sourceLookup().loadSourceIfNeeded();
        return DocumentValues.at(object + "." + part, source).stream()
                .map(Object::toString)
                .toList();
    }
}

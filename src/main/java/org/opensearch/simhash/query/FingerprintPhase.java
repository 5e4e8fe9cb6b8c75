/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.fetch.subphase.FetchDocValuesContext;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.match.IndexedFields;

/**
 * Adds its fingerprints to each hit, if the search asks for the doc value field {@link HitFingerprint#fieldFor}. Inner hits and
 * {@code top_hits} get none, because they have doc value fields of their own. Indices without fingerprints are skipped.
 *
 * <p>Costs three doc values per hit. If the digest has no doc values, as in the plugin's template, it is read from
 * {@code _source}, but only for documents without bits: in all others, equal digests of one recipe have equal bits.
 */
public final class FingerprintPhase implements FetchSubPhase {

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        FetchDocValuesContext asked = context.docValuesContext();
        if (asked == null) {
            return null;
        }
        Map<String, IndexedFields> read = new LinkedHashMap<>();
        List<DocumentField> unreadable = new ArrayList<>();
        Map<String, DocumentField> lacking = new HashMap<>();
        Map<UnmappedParts, DocumentField> aside = new LinkedHashMap<>();
        for (FieldAndFormat field : asked.fields()) {
            String object = HitFingerprint.objectOf(field.field);
            if (object == null) {
                continue;
            }
            try {
                FingerprintMapping mapping = new FingerprintMapping(context.getQueryShardContext(), object);
                Optional<IndexedFields> readable = mapping.readableFields();
                if (readable.isEmpty()) {
                    UnmappedParts parts = new UnmappedParts(context.getQueryShardContext(), object);
                    parts.whyLeftAside().ifPresent(reason -> aside.put(parts, leftAside(field.field, object, reason)));
                }
                readable.ifPresent(fields -> {
                    read.put(field.field, fields);
                    mapping.whyHitsLackDigests(fields)
                            .ifPresent(reason -> lacking.put(field.field, HitField.unreadable(field.field, reason)));
                });
            } catch (QueryShardException e) {
                // An exception would silently lose the hits of this shard.
                unreadable.add(HitField.unreadable(field.field, e.getMessage()));
            }
        }
        return read.isEmpty() && unreadable.isEmpty() && aside.isEmpty()
                ? null
                : new Processor(read, unreadable, lacking, aside);
    }

    private static DocumentField leftAside(String field, String object, String reason) {
        return HitField.unreadable(
                field,
                "[simhash] [" + object + "] must be mapped, but is not, and " + reason + "; map [" + object
                        + "] as in the plugin's config/index-template.json");
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final Map<String, IndexedFields> read;
        private final List<DocumentField> unreadable;
        /** Shown for a fingerprint that has only a digest, if the digest cannot be read. */
        private final Map<String, DocumentField> lacking;

        /** Shown for a fingerprint that is in the document but not in the index. */
        private final Map<UnmappedParts, DocumentField> aside;

        private final Map<String, LeafValues> leaf = new LinkedHashMap<>();

        Processor(
                Map<String, IndexedFields> read,
                List<DocumentField> unreadable,
                Map<String, DocumentField> lacking,
                Map<UnmappedParts, DocumentField> aside) {
            this.aside = aside;
            this.read = read;
            this.unreadable = unreadable;
            this.lacking = lacking;
        }

        @Override
        public void setNextReader(LeafReaderContext next) throws IOException {
            for (Map.Entry<String, IndexedFields> entry : read.entrySet()) {
                IndexedFields fields = entry.getValue();
                leaf.put(
                        entry.getKey(),
                        new LeafValues(
                                DocValues.getSortedNumeric(next.reader(), fields.bits()),
                                digests(next, entry.getKey(), fields),
                                DocValues.getSortedSet(next.reader(), fields.scheme())));
            }
        }

        private DigestValues digests(LeafReaderContext next, String field, IndexedFields fields) throws IOException {
            if (fields.hasDigestValues(next.reader())) {
                SortedSetDocValues digests = DocValues.getSortedSet(next.reader(), fields.digest());
                return (hit, hasBits) -> terms(digests, hit.docId());
            }
            String path = HitFingerprint.objectOf(field) + "." + FingerprintFields.DIGEST;
            return (hit, hasBits) -> hasBits ? List.of() : fromSource(hit, path);
        }

        @Override
        public void process(HitContext hit) throws IOException {
            for (Map.Entry<String, LeafValues> entry : leaf.entrySet()) {
                HitFingerprint fingerprint = entry.getValue().of(hit);
                DocumentField lacks = fingerprint.isDigestOnly() ? lacking.get(entry.getKey()) : null;
                hit.hit().setDocumentField(entry.getKey(), lacks == null ? fingerprint.toField(entry.getKey()) : lacks);
            }
            aside.forEach((parts, field) -> {
                if (parts.isIn(hit.sourceLookup().loadSourceIfNeeded())) {
                    hit.hit().setDocumentField(field.getName(), field);
                }
            });
            unreadable.forEach(field -> hit.hit().setDocumentField(field.getName(), field));
        }
    }

    @FunctionalInterface
    private interface DigestValues {
        List<String> of(HitContext hit, boolean hasBits) throws IOException;
    }

    /** Doc values of one Lucene leaf, read in the order of its documents. */
    private record LeafValues(SortedNumericDocValues bits, DigestValues digests, SortedSetDocValues schemes) {

        HitFingerprint of(HitContext hit) throws IOException {
            List<Long> fingerprints = bits(hit.docId());
            return new HitFingerprint(
                    fingerprints, digests.of(hit, fingerprints.isEmpty() == false), terms(schemes, hit.docId()));
        }

        private List<Long> bits(int doc) throws IOException {
            if (bits.advanceExact(doc) == false) {
                return List.of();
            }
            List<Long> values = new ArrayList<>(bits.docValueCount());
            for (int i = bits.docValueCount(); i > 0; i--) {
                values.add(bits.nextValue());
            }
            return values;
        }
    }

    static List<String> terms(SortedSetDocValues values, int doc) throws IOException {
        if (values.advanceExact(doc) == false) {
            return List.of();
        }
        List<String> terms = new ArrayList<>(values.docValueCount());
        for (int i = values.docValueCount(); i > 0; i--) {
            terms.add(values.lookupOrd(values.nextOrd()).utf8ToString());
        }
        return terms;
    }

    static List<String> fromSource(HitContext hit, String path) {
        Map<String, Object> source = hit.sourceLookup().loadSourceIfNeeded();
        return DocumentValues.at(path, source).stream().map(Object::toString).toList();
    }
}

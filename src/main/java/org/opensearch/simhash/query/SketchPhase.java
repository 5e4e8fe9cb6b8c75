/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.document.DocumentField;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.fetch.subphase.FieldAndFormat;
import org.opensearch.simhash.fingerprint.SketchFields;
import org.opensearch.simhash.match.BinaryValues;
import org.opensearch.simhash.match.SketchedFields;
import org.opensearch.simhash.sketch.Sketch;

/**
 * Adds its sketches to each hit, if the search asks for the doc value field {@link HitSketch#fieldFor}. Indices without sketches are
 * skipped. Costs two doc values per hit; the digest of a document without a sketch is read from {@code _source}.
 */
public final class SketchPhase implements FetchSubPhase {

    @Override
    public FetchSubPhaseProcessor getProcessor(FetchContext context) {
        if (context.docValuesContext() == null) {
            return null;
        }
        Map<String, SketchedFields> read = new LinkedHashMap<>();
        List<DocumentField> unreadable = new ArrayList<>();
        for (FieldAndFormat field : context.docValuesContext().fields()) {
            String object = HitSketch.objectOf(field.field);
            if (object != null) {
                try {
                    new SketchMapping(context.getQueryShardContext(), object)
                            .readableFields()
                            .ifPresent(fields -> read.put(field.field, fields));
                } catch (QueryShardException e) {
                    // An exception would silently lose the hits of this shard.
                    unreadable.add(HitField.unreadable(field.field, e.getMessage()));
                }
            }
        }
        return read.isEmpty() && unreadable.isEmpty() ? null : new Processor(read, unreadable);
    }

    private static final class Processor implements FetchSubPhaseProcessor {

        private final Map<String, SketchedFields> read;
        private final List<DocumentField> unreadable;
        private final Map<String, LeafValues> leaf = new LinkedHashMap<>();

        Processor(Map<String, SketchedFields> read, List<DocumentField> unreadable) {
            this.read = read;
            this.unreadable = unreadable;
        }

        @Override
        public void setNextReader(LeafReaderContext next) throws IOException {
            for (Map.Entry<String, SketchedFields> entry : read.entrySet()) {
                leaf.put(
                        entry.getKey(),
                        new LeafValues(
                                HitSketch.objectOf(entry.getKey()),
                                DocValues.getBinary(
                                        next.reader(), entry.getValue().sketch()),
                                DocValues.getSortedSet(
                                        next.reader(), entry.getValue().scheme())));
            }
        }

        @Override
        public void process(HitContext hit) throws IOException {
            for (Map.Entry<String, LeafValues> entry : leaf.entrySet()) {
                hit.hit()
                        .setDocumentField(
                                entry.getKey(), entry.getValue().of(hit).toField(entry.getKey()));
            }
            unreadable.forEach(field -> hit.hit().setDocumentField(field.getName(), field));
        }
    }

    /** Doc values of one Lucene leaf, read in the order of its documents. */
    private record LeafValues(String object, BinaryDocValues sketches, SortedSetDocValues schemes) {

        HitSketch of(HitContext hit) throws IOException {
            List<Sketch> found = new ArrayList<>();
            if (sketches.advanceExact(hit.docId())) {
                BinaryValues values = new BinaryValues();
                values.of(sketches.binaryValue());
                for (BytesRef value = values.next(); value != null; value = values.next()) {
                    found.add(new Sketch(BytesRef.deepCopyOf(value).bytes));
                }
            }
            List<String> digests =
                    found.isEmpty() ? FingerprintPhase.fromSource(hit, object + "." + SketchFields.DIGEST) : List.of();
            return new HitSketch(found, digests, FingerprintPhase.terms(schemes, hit.docId()));
        }
    }
}

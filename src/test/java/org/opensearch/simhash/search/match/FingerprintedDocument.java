/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.search.match.Print.Target;

/**
 * A document as the tests index it, and as brute force sees it.
 *
 * @param id unique, stored
 * @param bits its fingerprints: none, one or several
 * @param segments how many segments are indexed, 0 for none
 * @param missing number of a segment that is left out, -1 for none
 * @param digest null for none
 * @param scheme null for none
 */
public record FingerprintedDocument(
        String id, List<Long> bits, int segments, int missing, String digest, String scheme) {

    static final IndexedFields FIELDS = fields("simhash");

    /** As the index template maps them, below an object such as {@code simhash}. */
    public static IndexedFields fields(String object) {
        return new IndexedFields(object + ".bits", object + ".digest", object + ".scheme", object + ".segment_", "");
    }

    public static FingerprintedDocument of(int id, long bits, int segments) {
        return new FingerprintedDocument("" + id, List.of(bits), segments, -1, null, null);
    }

    public FingerprintedDocument withDigest(String digest) {
        return new FingerprintedDocument(id, bits, segments, missing, digest, scheme);
    }

    public FingerprintedDocument withScheme(String scheme) {
        return new FingerprintedDocument(id, bits, segments, missing, digest, scheme);
    }

    public FingerprintedDocument without(int segment) {
        return new FingerprintedDocument(id, bits, segments, segment, digest, scheme);
    }

    public FingerprintedDocument withBits(Long... values) {
        List<Long> bits = List.of(values);
        return new FingerprintedDocument(id, bits, segments, missing, digest, scheme);
    }

    public Document toLucene() {
        Document document = new Document();
        document.add(new StringField("id", id, Field.Store.YES));
        document.add(new NumericDocValuesField("number", Long.parseLong(id)));
        for (long value : bits) {
            document.add(new SortedNumericDocValuesField(FIELDS.bits(), value));
            for (int i = 0; i < segments; i++) {
                if (i != missing) {
                    SegmentLayout layout = new SegmentLayout(segments);
                    String term = layout.term(layout.value(value, i), i);
                    document.add(new StringField(FIELDS.segment(i), term, Field.Store.NO));
                }
            }
        }
        addKeyword(document, FIELDS.digest(), digest);
        addKeyword(document, FIELDS.scheme(), scheme);
        return document;
    }

    private static void addKeyword(Document document, String field, String value) {
        if (value != null) {
            document.add(new StringField(field, value, Field.Store.NO));
            document.add(new SortedSetDocValuesField(field, new BytesRef(value)));
        }
    }

    /** Distance by the definition, 65 when the document cannot match. */
    public int distance(Target target) {
        if (digest != null && digest.equals(target.digest())) {
            return 0;
        }
        if (target.bits().isEmpty()
                || (target.scheme() != null && target.scheme().equals(scheme) == false)) {
            return 65;
        }
        int nearest = 65;
        for (long value : bits) {
            nearest = Math.min(nearest, Long.bitCount(value ^ target.bits().getAsLong()));
        }
        return nearest;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.Objects;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;

/**
 * The Lucene fields that hold the parts of a fingerprint.
 *
 * <p>Segment {@code i} is indexed in {@code segmentPrefix + i + segmentSuffix}: {@code simhash.segment_0}, or
 * {@code simhash.segment_0.keyword} where dynamic mapping made it.
 *
 * @param bits numeric doc values: the 64 bits as a signed integer
 * @param digest terms: the digest of the normalised text
 * @param scheme terms: the recipe that made the fingerprint
 * @param segmentPrefix name of the segment fields before the number
 * @param segmentSuffix name of the segment fields after the number, may be empty
 */
public record IndexedFields(String bits, String digest, String scheme, String segmentPrefix, String segmentSuffix) {

    public IndexedFields {
        Objects.requireNonNull(bits, "bits");
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(scheme, "scheme");
        Objects.requireNonNull(segmentPrefix, "segmentPrefix");
        Objects.requireNonNull(segmentSuffix, "segmentSuffix");
    }

    /** The fields as the index template maps them, below an object such as {@code simhash}. */
    public static IndexedFields below(String object) {
        return new IndexedFields(object + ".bits", object + ".digest", object + ".scheme", object + ".segment_", "");
    }

    /** The field that holds segment {@code i}. */
    public String segment(int i) {
        return segmentPrefix + i + segmentSuffix;
    }

    /**
     * Whether the digest of a document can be read from doc values of a Lucene leaf, or is none. As the index template maps them,
     * digests have terms only: these find the documents of a digest, and no digest of a document.
     */
    public boolean hasDigestValues(LeafReader reader) {
        FieldInfo info = reader.getFieldInfos().fieldInfo(digest);
        return info == null || info.getDocValuesType() != DocValuesType.NONE;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.match;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/**
 * The Lucene fields that hold the parts of a fingerprint.
 *
 * <p>Segment 0 is indexed in {@code simhash.segment_0}, or in {@code simhash.segment_0.keyword} where dynamic mapping made it.
 *
 * @param bits numeric doc values: the 64 bits as a signed integer
 * @param digest terms: the digest of the normalised text
 * @param scheme terms: the recipe that made the fingerprint
 * @param segments terms, by the number of the segment: one more than any layout has, to see that nothing has it
 */
public record IndexedFields(String bits, String digest, String scheme, List<String> segments) {

    public IndexedFields {
        Objects.requireNonNull(bits, "bits");
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(scheme, "scheme");
        segments = List.copyOf(segments);
    }

    /**
     * @param segmentPrefix name of the segment fields before the number
     * @param segmentSuffix name of the segment fields after the number, may be empty
     */
    public IndexedFields(String bits, String digest, String scheme, String segmentPrefix, String segmentSuffix) {
        this(bits, digest, scheme, segments(segmentPrefix, segmentSuffix));
    }

    /** The field that holds segment {@code i}. */
    public String segment(int i) {
        return segments.get(i);
    }

    /** Made once: a search asks each Lucene leaf for most of them. */
    private static List<String> segments(String prefix, String suffix) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(suffix, "suffix");
        return IntStream.rangeClosed(0, SegmentLayout.MAX)
                .mapToObj(i -> prefix + i + suffix)
                .toList();
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

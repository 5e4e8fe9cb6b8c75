/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;

/**
 * The Lucene fields of a fingerprint, or of a sketch or passages, whose bands or terms are the only segment.
 *
 * <p>Segment 0 is in {@code simhash.segment_0}, or in {@code simhash.segment_0.keyword} with dynamic mapping.
 *
 * @param bits numeric doc values: the 64 bits as a signed integer; or, for longer hashes, binary ones or Base64 terms; or, for
 *     sketches, binary ones as OpenSearch writes them
 * @param segments terms by segment number. One more than any layout has, to detect that it is unused
 */
public record IndexedFields(String bits, String digest, String scheme, List<String> segments) {

    public IndexedFields {
        Objects.requireNonNull(bits, "bits");
        Objects.requireNonNull(digest, "digest");
        Objects.requireNonNull(scheme, "scheme");
        segments = List.copyOf(segments);
    }

    /** @param segmentSuffix may be empty */
    public IndexedFields(String bits, String digest, String scheme, String segmentPrefix, String segmentSuffix) {
        this(bits, digest, scheme, segments(segmentPrefix, segmentSuffix));
    }

    /** The same fingerprint object with its hashes of another length. */
    public IndexedFields withBits(String field) {
        return new IndexedFields(field, digest, scheme, segments);
    }

    public String segment(int i) {
        return segments.get(i);
    }

    /** Made once: a search asks each leaf for most of them. */
    private static List<String> segments(String prefix, String suffix) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(suffix, "suffix");
        return IntStream.rangeClosed(0, SegmentLayout.MAX_OF_WORDS)
                .mapToObj(i -> prefix + i + suffix)
                .toList();
    }

    /**
     * Whether doc values of a leaf give the digest of a document, or no document has one. As the index template maps
     * them, digests are terms only.
     */
    public boolean hasDigestValues(LeafReader reader) {
        FieldInfo info = reader.getFieldInfos().fieldInfo(digest);
        return info == null || info.getDocValuesType() != DocValuesType.NONE;
    }
}

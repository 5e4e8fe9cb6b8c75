/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.Locale;
import org.opensearch.simhash.desk.check.Finding.Severity;

/** The mistakes of an index. Users see the names in lower case. */
enum Code {

    /** Fields of the fingerprint are not mapped, but there are documents. */
    MAPPING_MISSING(Severity.ERROR),

    /** A field of the fingerprint cannot be searched as it is mapped. */
    MAPPING_WRONG(Severity.ERROR),

    /** Fields of the fingerprint are not mapped, and documents do not add them. */
    MAPPING_NOT_DYNAMIC(Severity.ERROR),

    /** No pipeline of the index writes fingerprints. */
    NO_PIPELINE(Severity.WARNING),

    /** A processor reads a fingerprint that is not written yet, or never. */
    PROCESSOR_ORDER(Severity.ERROR),

    /** Documents have a text but no fingerprint. */
    NOT_FINGERPRINTED(Severity.WARNING),

    /** Documents have fingerprints of another scheme than the pipeline's. */
    OTHER_SCHEME(Severity.WARNING),

    /** {@code bits} is not the number of {@code hash}. */
    ROUNDED_BITS(Severity.ERROR),

    /** The segments are not slices of {@code hash}, or are not indexed. */
    SEGMENTS_WRONG(Severity.ERROR),

    /** The bands are not those of {@code sketch}, or are not indexed. */
    BANDS_WRONG(Severity.ERROR),

    /** The mapping has no place for the tag of {@code near_duplicate}. */
    STRICT_MAPPING(Severity.ERROR),

    /** The window of {@code near_duplicate} is shorter than the refresh interval. */
    WINDOW_SHORTER_THAN_REFRESH(Severity.WARNING),

    /** Documents have a language that is not an ISO 639 code. */
    UNKNOWN_LANGUAGE(Severity.WARNING),

    /** The mapping leaves out parts of {@code _source}. */
    SOURCE_INCOMPLETE(Severity.WARNING),

    /** The index is sorted by fingerprints. */
    SORTED_BY_BITS(Severity.WARNING),

    /** The index pulls its documents, and a pipeline or a processor of it does nothing. */
    PULLED(Severity.ERROR),

    /** A template sets up fingerprints, but the index does not follow it. */
    TEMPLATE_NOT_USED(Severity.WARNING),

    /** No document has the text that {@code near_duplicate} verifies. */
    VERIFY_FIELD(Severity.ERROR),

    /** The text of documents has changed since their fingerprint was made. */
    STALE_FINGERPRINT(Severity.WARNING),

    /** No document has a field that the pipeline reads. */
    FIELD_MISSING(Severity.ERROR),

    /** Documents are tagged as duplicates of documents that do not exist. */
    DANGLING_TAG(Severity.WARNING),

    /** Members of a group name different survivors, or a survivor of another group. */
    GROUP_DISAGREES(Severity.WARNING),

    /** Imported hashes are equal in many bits. */
    CONSTANT_BITS(Severity.WARNING),

    /** Copies of deleted documents are among the documents. */
    ARCHIVE(Severity.WARNING),

    /** The index cannot be searched, so its documents are not checked. */
    NOT_SEARCHABLE(Severity.WARNING);

    private final Severity severity;

    Code(Severity severity) {
        this.severity = severity;
    }

    /** A finding may be worse. */
    Severity severity() {
        return severity;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.Locale;

/** What can be wrong with an index. The name in lower case is what people see. */
enum Code {

    /** Fields of the fingerprint are not mapped, though documents are there. */
    MAPPING_MISSING(Severity.ERROR),

    /** A field of the fingerprint is mapped so that it cannot be searched. */
    MAPPING_WRONG(Severity.ERROR),

    /** Fields of the fingerprint are not mapped, and documents do not add them. */
    MAPPING_NOT_DYNAMIC(Severity.ERROR),

    /** No pipeline of the index writes fingerprints. */
    NO_PIPELINE(Severity.WARNING),

    /** A processor reads the fingerprint before one writes it, or reads another field than one writes. */
    PROCESSOR_ORDER(Severity.ERROR),

    /** Documents have a text, but no fingerprint. */
    NOT_FINGERPRINTED(Severity.WARNING),

    /** Documents have fingerprints of another recipe than the index's pipeline makes. */
    OTHER_SCHEME(Severity.WARNING),

    /** {@code bits} is not the number that {@code hash} shows. */
    ROUNDED_BITS(Severity.ERROR),

    /** The segments are not the slices of {@code hash}, or are not indexed. */
    SEGMENTS_WRONG(Severity.ERROR),

    /** The tag of {@code near_duplicate} has no place in the mapping. */
    STRICT_MAPPING(Severity.ERROR),

    /** The window of {@code near_duplicate} forgets documents before a refresh shows them. */
    WINDOW_SHORTER_THAN_REFRESH(Severity.WARNING),

    /** Documents have a language that is no code. */
    UNKNOWN_LANGUAGE(Severity.WARNING),

    /** The mapping leaves out parts of {@code _source}. */
    SOURCE_INCOMPLETE(Severity.WARNING),

    /** The index is sorted by fingerprints. */
    SORTED_BY_BITS(Severity.WARNING),

    /** A template for fingerprints exists, but the index was made without it. */
    TEMPLATE_NOT_USED(Severity.WARNING),

    /** The text that {@code near_duplicate} verifies is in no document. */
    VERIFY_FIELD(Severity.ERROR),

    /** The text of documents has changed since their fingerprint was made. */
    STALE_FINGERPRINT(Severity.WARNING),

    /** The index cannot be searched, so that its documents were not looked at. */
    NOT_SEARCHABLE(Severity.WARNING);

    private final Severity severity;

    Code(Severity severity) {
        this.severity = severity;
    }

    /** The usual one; a finding may be worse. */
    Severity severity() {
        return severity;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.Locale;
import org.opensearch.simhash.desk.check.Finding.Severity;

/** The mistakes of an index: docs/check.md has them. Users see the names in lower case. */
public enum Code {
    MAPPING_MISSING(Severity.ERROR),
    MAPPING_WRONG(Severity.ERROR),
    MAPPING_NOT_DYNAMIC(Severity.ERROR),
    NO_PIPELINE(Severity.WARNING),
    PROCESSOR_ORDER(Severity.ERROR),
    NOT_FINGERPRINTED(Severity.WARNING),
    OTHER_SCHEME(Severity.WARNING),
    ROUNDED_BITS(Severity.ERROR),
    SEGMENTS_WRONG(Severity.ERROR),
    BANDS_WRONG(Severity.ERROR),
    STRICT_MAPPING(Severity.ERROR),
    WINDOW_SHORTER_THAN_REFRESH(Severity.WARNING),
    UNKNOWN_LANGUAGE(Severity.WARNING),
    SOURCE_INCOMPLETE(Severity.WARNING),
    SORTED_BY_BITS(Severity.WARNING),
    PULLED(Severity.ERROR),
    TEMPLATE_NOT_USED(Severity.WARNING),
    VERIFY_FIELD(Severity.ERROR),
    STALE_FINGERPRINT(Severity.WARNING),
    MARKUP_AS_TEXT(Severity.WARNING),
    SHARED_FRAME(Severity.WARNING),
    FIELD_MISSING(Severity.ERROR),
    DANGLING_TAG(Severity.WARNING),
    GROUP_DISAGREES(Severity.WARNING),
    GROUP_MISSING(Severity.WARNING),
    APART_ONE_SIDED(Severity.WARNING),
    CONSTANT_BITS(Severity.WARNING),
    ARCHIVE(Severity.WARNING),
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.util.RamUsageEstimator;
import org.opensearch.ingest.IngestDocument;

/** A document on its way into an index, and what is found out about it. One thread at a time. */
final class Arrival {

    private static final long NAME_BYTES = RamUsageEstimator.shallowSizeOfInstance(DocumentName.class);

    private final IngestDocument document;
    private final ArrivedFingerprint fingerprint;
    private final DocumentName name;
    private final LookupScope scope;
    private final WindowCandidates inWindow = new WindowCandidates();
    private String alias;
    private long number = Long.MAX_VALUE;
    private final List<Original> inIndex = new ArrayList<>();
    private Exception failure;
    private boolean named = true;

    Arrival(IngestDocument document, ArrivedFingerprint fingerprint, DocumentName name, LookupScope scope) {
        this.document = document;
        this.fingerprint = fingerprint;
        this.name = name;
        this.scope = scope;
    }

    IngestDocument document() {
        return document;
    }

    ArrivedFingerprint fingerprint() {
        return fingerprint;
    }

    DocumentName name() {
        return name;
    }

    LookupScope scope() {
        return scope;
    }

    /** Whether there may be an earlier version of it, which others name. */
    boolean isNamed() {
        return named;
    }

    /** Its name was made for it. */
    void nameIsNew() {
        named = false;
    }

    /** The filtered alias that it was sent to, or null. */
    String alias() {
        return alias;
    }

    void sentTo(String filteredAlias) {
        alias = filteredAlias;
    }

    /** When it came, among all documents of this node. */
    long number() {
        return number;
    }

    void numbered(long newNumber) {
        number = newNumber;
    }

    WindowCandidates inWindow() {
        return inWindow;
    }

    /** The nearest, and of equally near ones the oldest, first. */
    List<Original> inIndex() {
        return inIndex;
    }

    /** What one search found, beside what others do. */
    void foundInIndex(List<Original> matches) {
        inIndex.addAll(matches);
        inIndex.sort(Original.NEAREST_THEN_OLDEST);
        if (inIndex.size() > IndexLookup.MATCHES) {
            inIndex.subList(IndexLookup.MATCHES, inIndex.size()).clear();
        }
    }

    /** Why nothing is known of it, or null. */
    Exception failure() {
        return failure;
    }

    void failed(Exception e) {
        failure = e;
    }

    /** The routing that a document was sent with, or null. */
    static String routing(IngestDocument document) {
        return Objects.toString(
                document.getSourceAndMetadata().get(IngestDocument.Metadata.ROUTING.getFieldName()), null);
    }

    long nameBytes() {
        return bytes(name);
    }

    /** What a name takes of the heap; those of indices are shared. */
    static long bytes(DocumentName name) {
        return NAME_BYTES
                + RamUsageEstimator.sizeOf(name.id())
                + (name.routing() == null ? 0 : RamUsageEstimator.sizeOf(name.routing()));
    }
}

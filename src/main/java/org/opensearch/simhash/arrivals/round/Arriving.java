/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import java.util.Map;
import java.util.stream.Stream;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.common.UUIDs;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestDocument.Metadata;
import org.opensearch.simhash.arrivals.arrival.Arrival;
import org.opensearch.simhash.arrivals.arrival.ArrivedFingerprint;
import org.opensearch.simhash.arrivals.arrival.ArrivedPrint;
import org.opensearch.simhash.arrivals.decision.DuplicateRule;
import org.opensearch.simhash.arrivals.decision.DuplicateTag;
import org.opensearch.simhash.arrivals.request.BulkChanges.Bulk;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.arrivals.scope.Pairing;
import org.opensearch.simhash.arrivals.window.ArrivalWindow;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.StoredFingerprint;

/** Turns documents into arrivals. A document without a valid fingerprint is no arrival, but enters the window: it may overwrite an original. */
record Arriving(ArrivalWindow window, DuplicateRule rule, LookupScopes scopes, Bulk bulk) {

    /**
     * Null without a fingerprint.
     *
     * @throws IllegalArgumentException naming the error; a pipeline may ignore it and index the document
     */
    Arrival arrival(IngestDocument document) {
        try {
            if (bulk.isSimulated() == false) {
                IndexableDocument.check(document);
            }
            if (rule.kind() == SketchKind.SIMHASH) {
                StoredFingerprint.mend(document, rule.field());
            }
            ArrivedPrint print = ArrivedPrint.areSeveral(document.getSourceAndMetadata(), rule.field())
                    ? null // each is that of a passage, and one passage says nothing about the document
                    : ArrivedPrint.read(rule.kind(), document.getSourceAndMetadata(), rule.field());
            if (print == null) {
                DuplicateTag.remove(
                        document, rule.targetField(), original -> isTaggedByAnEarlierOne(document, original));
                goesOn(document, true);
                return null;
            }
            return compared(document, print);
        } catch (RuntimeException e) {
            goesOn(document, false);
            throw e;
        }
    }

    private Arrival compared(IngestDocument document, ArrivedPrint print) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        Object given = fields.get(Metadata.INDEX.getFieldName());
        if (given == null) {
            throw new IllegalArgumentException("[_index] must be the index that the document goes to, got: null");
        }
        Object id = fields.get(Metadata.ID.getFieldName());
        boolean isNamed = id != null;
        if (isNamed == false) {
            // An original needs an id that duplicates can name.
            id = UUIDs.base64UUID();
            fields.put(Metadata.ID.getFieldName(), id);
        }
        String index = given.toString();
        DocumentName name = name(document, index, id.toString());
        String alias = scopes.filteredAlias(index);
        if (rule.givesGroups()) {
            scopes.requireGroups(name.index(), rule.field());
        }
        Pairing pairing = scopes.pairFields(rule.conditions())
                .of(fields, name.index(), scopes.scope(index).indices());
        return new Arrival(document, print, name, isNamed, alias, bulk.answer(), scopes.scope(index), pairing);
    }

    private DocumentName name(IngestDocument document, String index, String id) {
        return bulk.changes().routed(scopes.name(index, id, Arrival.routing(document)), scopes);
    }

    /** Enters a document without a fingerprint into the window, unless it can only be created and overwrites nothing. */
    private void goesOn(IngestDocument document, boolean isCertain) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        Object index = fields.get(Metadata.INDEX.getFieldName());
        Object id = fields.get(Metadata.ID.getFieldName());
        if (bulk.isSimulated() || index == null || id == null) {
            return;
        }
        DocumentName name;
        try {
            name = name(document, index.toString(), id.toString());
        } catch (RuntimeException e) {
            return; // malformed date math: no document has this name
        }
        ArrivedFingerprint none = ArrivedFingerprint.none(rule.field());
        Arrival arrival = new Arrival(document, none, name, true, null, bulk.answer(), null, Pairing.NONE);
        if (isOnlyCreated(name) == false) {
            window.admit(arrival, isCertain && bulk.changes().updates(name, scopes) == false);
        }
    }

    private boolean isOnlyCreated(DocumentName name) {
        return bulk.changes().count(name, scopes, OpType.CREATE) > 0
                && Stream.of(OpType.INDEX, OpType.UPDATE, OpType.DELETE)
                        .allMatch(type -> bulk.changes().count(name, scopes, type) == 0);
    }

    /** Whether an earlier pipeline of this write tagged the document with this original. */
    private boolean isTaggedByAnEarlierOne(IngestDocument document, DocumentName original) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        return fields.get(Metadata.INDEX.getFieldName()) instanceof String index
                && fields.get(Metadata.ID.getFieldName()) instanceof String id
                && window.follows(scopes.name(index, id, Arrival.routing(document)), bulk.answer(), original);
    }
}

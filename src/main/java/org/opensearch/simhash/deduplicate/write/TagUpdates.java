/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.StoredFingerprint;
import org.opensearch.simhash.script.DocumentScript;

/**
 * The partial updates that set and clear tags, each on condition that the document is unchanged.
 *
 * @param field the fingerprint object
 * @param runScripts whether the cluster allows the script that removes both fields; if not, a cleared tag is null
 */
public record TagUpdates(String field, boolean runScripts) {

    public List<String> names() {
        return new TagMapping(field).names();
    }

    /** @param hit has the source of both fields */
    public boolean isTagged(SearchHit hit) {
        return values(hit, TagFields.GROUP).isEmpty() == false
                || values(hit, TagFields.DUPLICATE_OF).isEmpty() == false;
    }

    /** Whether both fields name this survivor. */
    boolean isTaggedWith(SearchHit hit, String survivor) {
        List<Object> group = values(hit, TagFields.GROUP);
        return group.equals(List.of(survivor)) && group.equals(values(hit, TagFields.DUPLICATE_OF));
    }

    private List<Object> values(SearchHit hit, String part) {
        return hit.hasSource() ? DocumentValues.at(field + "." + part, hit.getSourceAsMap()) : List.of();
    }

    /** A partial update would replace an array of fingerprints by an object. */
    public boolean isOneObject(SearchHit hit) {
        Object value = hit.hasSource() ? hit.getSourceAsMap() : null;
        for (String step : field.split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(step) : null;
        }
        return value instanceof Map;
    }

    /** Whether {@code bits} are not those of {@code hash}, as after a client that rounds them: then what is near is not known. */
    boolean isRounded(SearchHit hit) {
        return hit != null && hit.hasSource() && StoredFingerprint.isRounded(field, hit.getSourceAsMap());
    }

    /** @param hit has its sequence number */
    public UpdateRequest clear(SearchHit hit) {
        UpdateRequest update = new UpdateRequest(hit.getIndex(), hit.getId())
                .routing(DocumentTable.routing(hit))
                .setIfSeqNo(hit.getSeqNo())
                .setIfPrimaryTerm(hit.getPrimaryTerm());
        return runScripts ? update.script(DocumentScript.UNTAG.in(field)) : update.doc(tags(null));
    }

    UpdateRequest tag(DocumentTable table, int rank, String survivor) {
        return new UpdateRequest(table.indexOf(rank), table.id(rank))
                .routing(table.routing(rank))
                .doc(tags(survivor))
                .setIfSeqNo(table.sequenceNumber(rank))
                .setIfPrimaryTerm(table.primaryTerm(rank));
    }

    private Map<String, Object> tags(String survivor) {
        Map<String, Object> tags = new HashMap<>();
        tags.put(TagFields.GROUP, survivor);
        tags.put(TagFields.DUPLICATE_OF, survivor);
        String[] path = field.split("\\.", -1);
        for (int i = path.length - 1; i >= 0; i--) {
            tags = new HashMap<>(Map.of(path[i], tags));
        }
        return tags;
    }
}

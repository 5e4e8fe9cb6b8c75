/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.deduplicate.groups.DocumentTable;
import org.opensearch.simhash.deduplicate.job.Outcome;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.script.DocumentScript;

/**
 * The partial updates by which documents get and lose their tags, each under the condition that the document is as it was read.
 *
 * @param field the fingerprint object
 * @param runScripts whether this cluster allows the plugin's script that takes both fields out of a document. Where it does not, a cleared
 *     tag is null.
 */
public record TagUpdates(String field, boolean runScripts) {

    /** The paths of the two fields of a tag. */
    public List<String> names() {
        return new TagMapping(field).names();
    }

    /** Whether a document has any tag. The hit has the source of both fields. */
    public boolean isTagged(SearchHit hit) {
        return values(hit, TagFields.GROUP).isEmpty() == false
                || values(hit, TagFields.DUPLICATE_OF).isEmpty() == false;
    }

    /** Whether both fields of the tag name this survivor. */
    boolean isTaggedWith(SearchHit hit, String survivor) {
        List<Object> group = values(hit, TagFields.GROUP);
        return group.equals(List.of(survivor)) && group.equals(values(hit, TagFields.DUPLICATE_OF));
    }

    private List<Object> values(SearchHit hit, String part) {
        return hit.hasSource() ? DocumentValues.at(field + "." + part, hit.getSourceAsMap()) : List.of();
    }

    /** A partial update would put one object in the place of an array of fingerprints. */
    public boolean isOneObject(SearchHit hit) {
        Object value = hit.hasSource() ? hit.getSourceAsMap() : null;
        for (String step : field.split("\\.", -1)) {
            value = value instanceof Map<?, ?> object ? object.get(step) : null;
        }
        return value instanceof Map;
    }

    /** Says of a document that is left alone why. */
    public void failSeveral(SearchHit hit, Outcome outcome) {
        outcome.fail(
                hit.getIndex(),
                hit.getId(),
                "[tag] needs [" + field + "] to be one object in the document's _source",
                RestStatus.BAD_REQUEST);
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

    /** The two fields, below the fingerprint object. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.simhash.jobs.write.BulkWrites;
import org.opensearch.transport.client.Client;

/** A document in the archive that says that a run was restored. No restore takes it for a copy. */
public record RestoreNote(long at, long restored) {

    private static final String NOTE = "simhash_restored";

    /** No copy has such an id. */
    public static String id(String run) {
        return "restored/" + run;
    }

    /** Null if there is none. */
    public static RestoreNote of(GetResponse found) {
        if (found.isExists() == false) {
            return null;
        }
        Object note = found.isSourceEmpty() ? null : found.getSourceAsMap().get(NOTE);
        if (note instanceof Map<?, ?> fields
                && fields.get("at") instanceof Number at
                && at.longValue() >= 0
                && fields.get("documents") instanceof Number documents
                && documents.longValue() >= 0) {
            return new RestoreNote(at.longValue(), documents.longValue());
        }
        throw new IllegalArgumentException("[" + NOTE + "] of [" + found.getId()
                + "] must be an object with [at] and [documents], which are not negative, got: " + note);
    }

    /** Writes the note, or replaces the earlier one, and nothing else. Blocks its thread. */
    public static void write(Client client, String archive, String run, long at, long restored) {
        GetResponse found = client.prepareGet(archive, id(run)).get();
        RestoreNote before = of(found);
        Map<String, Object> note = new HashMap<>();
        note.put("run", run);
        note.put("at", at);
        note.put("documents", restored + (before == null ? 0 : before.restored));
        IndexRequest request = new IndexRequest(archive).id(id(run)).source(Map.of(NOTE, note));
        if (before == null) {
            request.opType(DocWriteRequest.OpType.CREATE);
        } else {
            request.setIfSeqNo(found.getSeqNo()).setIfPrimaryTerm(found.getPrimaryTerm());
        }
        client.index(BulkWrites.asItIs(request)).actionGet();
    }
}

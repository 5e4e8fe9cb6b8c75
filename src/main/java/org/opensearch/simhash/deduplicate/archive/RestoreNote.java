/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.archive;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.simhash.deduplicate.write.BulkWrites;
import org.opensearch.transport.client.Client;

/**
 * A document in the archive that says that a run was restored. No restore takes it for a copy.
 *
 * @param at in milliseconds since 1970
 * @param restored the documents that restores of the run have created
 */
public record RestoreNote(long at, long restored) {

    private static final String NOTE = "simhash_restored";

    public static String id(String run) {
        return "restored/" + run;
    }

    /** Null if there is none. */
    public static RestoreNote of(MultiGetItemResponse answer) {
        return answer.isFailed() ? null : of(answer.getResponse());
    }

    private static RestoreNote of(GetResponse found) {
        return found.isExists()
                        && found.isSourceEmpty() == false
                        && found.getSourceAsMap().get(NOTE) instanceof Map<?, ?> note
                        && note.get("at") instanceof Number at
                        && note.get("documents") instanceof Number documents
                ? new RestoreNote(at.longValue(), documents.longValue())
                : null;
    }

    /** Writes the note, or replaces the earlier one. Blocks its thread. */
    public static void write(Client client, String archive, String run, long at, long restored) {
        RestoreNote before = of(client.prepareGet(archive, id(run)).get());
        Map<String, Object> note = new HashMap<>();
        note.put("run", run);
        note.put("at", at);
        note.put("documents", restored + (before == null ? 0 : before.restored));
        client.index(BulkWrites.asItIs(new IndexRequest(archive).id(id(run)).source(Map.of(NOTE, note))))
                .actionGet();
    }
}

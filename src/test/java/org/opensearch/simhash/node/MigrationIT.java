/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index gets its fingerprints while another client writes, updates and deletes: in the end each document has that of its text. */
@RealNodes(1)
class MigrationIT {

    private static final int DOCUMENTS = 6_000;

    private final RestClient client;

    MigrationIT(RealCluster cluster) {
        this.client = cluster.client();
    }

    @BeforeEach
    @AfterEach
    void remove() {
        client.send("DELETE", "/" + Migration.INDEX, null);
        client.send("DELETE", "/_ingest/pipeline/" + Migration.INDEX, null);
    }

    @Test
    void testEachDocumentHasItsFingerprintInTheEnd() {
        Migration.Result result = new Migration(client, MigratedTexts.ofSample(), DOCUMENTS, true, false).run();
        assertTrue(result.end() > DOCUMENTS / 2, "documents: " + result.end());
        assertEquals(
                List.of("deleted", "new", "text updated", "title updated", "written again"),
                List.copyOf(result.rival().keySet()));
    }
}

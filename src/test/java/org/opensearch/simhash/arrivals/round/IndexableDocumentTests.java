/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.round;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.lucene.uid.Versions;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.IngestService;

class IndexableDocumentTests {

    private static IngestDocument document(Object... fields) {
        IngestDocument document =
                new IngestDocument("docs", "1", "r", Versions.MATCH_ANY, VersionType.INTERNAL, new HashMap<>());
        for (int i = 0; i < fields.length; i += 2) {
            document.getSourceAndMetadata().put((String) fields[i], fields[i + 1]);
        }
        return document;
    }

    private static Object nested(int depth) {
        Object value = 1;
        for (int i = 0; i < depth; i++) {
            value = List.of(value);
        }
        return value;
    }

    private static IndexRequest indexed(IngestDocument document) {
        IndexRequest request = new IndexRequest().source(Map.of());
        IngestService.updateIndexRequestWithIngestDocument(request, document);
        return request;
    }

    @Test
    void whatIsRightStaysAsItIs() {
        IngestDocument document =
                document("a", Map.of("b", List.of(1, 2L, "c", true, 0.5)), "d", nested(200), "e", null);
        Map<String, Object> before = new HashMap<>(document.getSourceAndMetadata());
        IndexableDocument.check(document);
        assertEquals(before, document.getSourceAndMetadata());
    }

    @Test
    void allThatIsWrongIsNamedAndCanBeIndexedAllTheSame() {
        Map<String, Object> loop = new HashMap<>();
        loop.put("loop", loop);
        IngestDocument document = document(
                "_id",
                7,
                "_routing",
                8,
                "_version",
                "9",
                "_version_type",
                "x",
                "_if_seq_no",
                -1,
                "_if_primary_term",
                "y",
                "loop",
                loop,
                "keys",
                Map.of(1, 2),
                "value",
                new Object(),
                "right",
                "stays");
        String message = assertThrows(IllegalArgumentException.class, () -> IndexableDocument.check(document))
                .getMessage();
        for (String field : List.of(
                "_id",
                "_routing",
                "_version",
                "_version_type",
                "_if_seq_no",
                "_if_primary_term",
                "loop",
                "keys",
                "value")) {
            assertTrue(message.contains("[" + field + "] must"), message);
        }
        IndexRequest request = indexed(document);
        assertEquals("7", request.id());
        assertEquals("8", request.routing());
        assertEquals(Versions.MATCH_ANY, request.version());
        assertEquals(Map.of("right", "stays"), request.sourceAsMap());
    }

    @Test
    void aVersionThatIsMissingIsAnyVersion() {
        IngestDocument document = document();
        document.getSourceAndMetadata().remove("_version");
        IndexableDocument.check(document);
        assertEquals(Versions.MATCH_ANY, indexed(document).version());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexableField;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.MapperParsingException;
import org.opensearch.index.mapper.MapperServiceTestCase;
import org.opensearch.index.mapper.SourceToParse;

/** What a document has at a path, against what OpenSearch indexes there. */
public class DocumentValuesTests extends MapperServiceTestCase {

    private static final String[] NAMES = {"a", "b", "c"};
    private static final String PATH = "a.b.c";

    private int number;

    /** A thousand documents that write the path in every way. */
    public void testSeesWhatOpenSearchIndexes() throws IOException {
        String type = "{\"type\": \"text\"}}";
        String objects = "{\"properties\": {\"a\": {\"properties\": {\"b\": {\"properties\": {\"c\": " + type + "}}}}}";
        String names = "{\"properties\": {\"a\": {\"disable_objects\": true, \"properties\": {\"b.c\": " + type + "}}}";
        for (String mapping : List.of(objects, names)) {
            DocumentMapper mapper = createDocumentMapper("_doc", mapping);
            int refused = 0;
            for (int i = 0; i < 500; i++) {
                Map<String, Object> document = object(0);
                List<String> indexed = indexed(mapper, document);
                if (indexed == null) {
                    refused++;
                    continue;
                }
                List<String> seen = new ArrayList<>(DocumentValues.at(PATH, document).stream()
                        .map(Object::toString)
                        .toList());
                seen.sort(null);
                indexed.sort(null);
                assertEquals(mapping + document, indexed, seen);
            }
            // Arrays in arrays, where objects are disabled.
            assertTrue(refused + " refused", refused < (mapping.equals(objects) ? 1 : 250));
        }
    }

    /** Null when the document is refused. */
    private List<String> indexed(DocumentMapper mapper, Map<String, Object> document) throws IOException {
        BytesReference source;
        try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
            source = BytesReference.bytes(builder.map(document));
        }
        List<String> values = new ArrayList<>();
        SourceToParse parsed = new SourceToParse("index", "1", source, MediaTypeRegistry.JSON);
        try {
            for (IndexableField field : mapper.parse(parsed).rootDoc().getFields(PATH)) {
                values.add(field.stringValue());
            }
            return values;
        } catch (MapperParsingException e) {
            return null;
        }
    }

    /** Of the fields of the path from {@code from} on, some of them under names with dots. */
    private Map<String, Object> object(int from) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int to = from + 1; to <= NAMES.length; to++) {
            if (randomBoolean()) {
                object.put(String.join(".", Arrays.copyOfRange(NAMES, from, to)), value(to, 0));
            }
        }
        if (from < NAMES.length - 1) {
            object.put("other", "text");
        }
        return object;
    }

    private Object value(int from, int depth) {
        if (depth < 3 && randomInt(3) == 0) {
            List<Object> array = new ArrayList<>();
            for (int i = randomInt(3); i > 0; i--) {
                array.add(value(from, depth + 1));
            }
            return array;
        }
        if (randomInt(6) == 0) {
            return null;
        }
        return from == NAMES.length ? "text " + number++ : object(from);
    }

    public void testAnObjectAndWhatLeadsIntoIt() {
        Map<String, Object> whole = Map.of("hash", "x", "scheme", "s");
        assertEquals(List.of(whole), DocumentValues.objectsAt("simhash", Map.of("simhash", whole)));
        assertEquals(
                List.of(whole, whole),
                DocumentValues.objectsAt(
                        "p.simhash", Map.of("p", List.of(Map.of("simhash", whole), Map.of("simhash", whole)))));
        assertEquals(
                List.of(whole),
                DocumentValues.objectsAt("simhash", Map.of("simhash.hash", "x", "simhash.scheme", "s")));
        assertEquals(
                List.of(whole),
                DocumentValues.objectsAt("simhash", Map.of("simhash", Map.of("hash", "x"), "simhash.scheme", "s")));
        assertEquals(
                List.of(whole),
                DocumentValues.objectsAt(
                        "p.simhash", Map.of("p", Map.of("simhash.hash", "x"), "p.simhash", Map.of("scheme", "s"))));
        assertEquals(
                "nobody knows whose",
                List.of(Map.of("hash", List.of("x", "y"), "scheme", "s")),
                DocumentValues.objectsAt(
                        "simhash",
                        Map.of("simhash", List.of(Map.of("hash", "x"), Map.of("hash", "y")), "simhash.scheme", "s")));
        assertEquals(List.of("text"), DocumentValues.objectsAt("simhash", Map.of("simhash", "text")));
        assertEquals(List.of(), DocumentValues.objectsAt("simhash", Map.of("simhashes.hash", "x")));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.archive;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.test.OpenSearchTestCase;

/** What is archived comes back as it was, byte for byte. */
public class ArchivedSourceTests extends OpenSearchTestCase {

    private static final Map<String, Object> ORIGIN =
            Map.of("id", "a\"simhash_archive\":{}}", "seq_no", 7, "duplicate_of", Map.of("id", "}"));

    private static Map<String, Object> map(BytesReference source) {
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, source.utf8ToString(), true);
    }

    private static void assertRoundTrip(String source) {
        BytesReference copy = ArchivedSource.copy(new BytesArray(source), ORIGIN);
        Map<String, Object> expected = map(new BytesArray(source));
        expected.put(ArchiveIndex.ORIGIN, ORIGIN);
        assertEquals(expected, map(copy));
        assertEquals(source, ArchivedSource.original(copy).utf8ToString());
    }

    public void testDocumentsComeBackByteForByte() {
        for (String source : List.of(
                "{}",
                " { } \n",
                "{\"price\":1.10,\"id\":1234567890123456789.25,\"big\":123456789012345678901234567890,\"e\":1E+2}",
                "{\"b\" : 1 , \"a\" : [ ] }\r\n\t",
                "{\"s\":\"\\u00e4 \\\" \\\\ } , \\\"simhash_archive\\\":{}}\"}",
                "{\"nested\":{\"simhash_archive\":{\"run\":\"x\"}}}",
                "{\"a\":{\"simhash_archive\":1}}",
                "{\"x\\\"simhash_archive\":{}}",
                "{\"simhash_archives\":\"\u00fc \ud83d\ude00\"}",
                "{\"a\":1} // a comment",
                "                                        {\"a\":1.0}")) {
            assertRoundTrip(source);
        }
    }

    public void testRandomDocumentsComeBackByteForByte() {
        for (int i = 0; i < 300; i++) {
            assertRoundTrip(space() + object(3) + space());
        }
    }

    private static String space() {
        return randomFrom("", "", " ", "\n", "\t \r\n");
    }

    private static String object(int depth) {
        StringBuilder object = new StringBuilder("{").append(space());
        int fields = randomIntBetween(0, 4);
        for (int i = 0; i < fields; i++) {
            String key = depth < 3 && randomBoolean() ? "simhash_archive" : "key" + randomFrom("", "\\\"", "\\u0041 }");
            object.append(i == 0 ? "" : ",").append(space());
            object.append('"').append(i < 1 ? "" : "" + i).append(key).append('"');
            object.append(space())
                    .append(':')
                    .append(space())
                    .append(value(depth - 1))
                    .append(space());
        }
        return object.append('}').toString();
    }

    private static String value(int depth) {
        return switch (randomIntBetween(depth > 0 ? 0 : 2, 5)) {
            case 0 -> object(depth);
            case 1 -> "[" + space() + value(depth - 1) + "," + object(depth - 1) + "]";
            case 2 -> "" + randomLong() + randomFrom("", ".0", ".10", "e2", "123456789");
            case 3 -> randomFrom("true", "false", "null", "-0", "0.10", "1.5E-7");
            case 4 -> "\"" + randomFrom("\\\"simhash_archive\\\":", "}", ",", "\\\\", "\\n", "\u4e2d", "") + "\"";
            default -> String.format(Locale.ROOT, "\"\\u%04x\"", randomIntBetween(0, 0xd7ff));
        };
    }

    /** The brace at its end closes nothing. */
    public void testACommentBehindTheDocumentDoesNotHideWhereItWas() {
        for (String source : List.of("{\"a\":1}//}", "{\"a\":1}/*}*/")) {
            BytesReference copy = ArchivedSource.copy(new BytesArray(source), ORIGIN);
            assertEquals(ORIGIN, map(copy).get(ArchiveIndex.ORIGIN));
            assertEquals("{\"a\":1}", ArchivedSource.original(copy).utf8ToString());
        }
    }

    public void testWhatIsNotJsonBecomesJson() throws IOException {
        for (XContentType type : XContentType.values()) {
            try (XContentBuilder builder = MediaTypeRegistry.contentBuilder(type)) {
                BytesReference source = BytesReference.bytes(builder.map(Map.of("content", "text", "number", 1.5)));
                BytesReference copy = ArchivedSource.copy(source, ORIGIN);
                assertEquals(Map.of("content", "text", "number", 1.5, ArchiveIndex.ORIGIN, ORIGIN), map(copy));
                assertEquals(Map.of("content", "text", "number", 1.5), map(ArchivedSource.original(copy)));
            }
        }
    }

    public void testCopiesThatOthersHaveWrittenAnewComeBack() {
        for (String copy : List.of(
                "{\"simhash_archive\":{\"run\":\"r\"},\"a\":1.5}",
                "{\"a\":1.5,\"simhash_archive\":{\"run\":\"r\"},\"z\":{\"simhash_archive\":[{}]}}",
                "{\"a\":1.5,\"simhash_archive\" : {\"run\":\"r\"}}",
                "{\"simhash_archive\":{\"run\":\"r\"},\"a\":{\"simhash_archive\":{}}}",
                "{\"a\":1.5}")) {
            Map<String, Object> expected = map(new BytesArray(copy));
            expected.remove(ArchiveIndex.ORIGIN);
            assertEquals(expected, map(ArchivedSource.original(new BytesArray(copy))));
        }
    }

    public void testAFieldOfTheSameNameIsNotLost() {
        for (String source : List.of(
                "{\"simhash_archive\":1}",
                "{\"a\":1,\"simhash\\u005farchive\":{}}",
                "{\"simhash_archive.run\":\"evil\"}",
                "{\"a\":1,\"simhash_archive.duplicate_of.id\":\"x\"}",
                "---\nsimhash_archive.index: other\n")) {
            Exception e = expectThrows(
                    IllegalArgumentException.class, () -> ArchivedSource.copy(new BytesArray(source), ORIGIN));
            assertEquals("[archive] needs documents without a field [simhash_archive] of their own", e.getMessage());
        }
    }
}

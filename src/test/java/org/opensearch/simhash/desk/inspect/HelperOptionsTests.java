/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.CheckedFunction;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/** Options of another type than they must have: the error names the option, the rule and the value. */
class HelperOptionsTests {

    @Test
    void testFingerprint() throws IOException {
        CheckedFunction<XContentParser, ?, IOException> read = FingerprintAction.Request::fromXContent;
        assertRefused(read, "[text] must be a string, got: 42", "{'config':{},'text':42}");
        assertRefused(read, "[text] must be a string, got: null", "{'config':{},'text':null}");
        assertRefused(read, "[text] must be a string, got: an array", "{'config':{},'text':['x']}");
        assertRefused(read, "[document] must be an object, got: x", "{'config':{},'document':'x'}");
        assertRefused(read, "[pipeline] must be a string, got: 1", "{'pipeline':1,'text':'x'}");
        assertRefused(read, "[config] must be an object, got: x", "{'config':'x','text':'x'}");
        for (String value : List.of("1", "null", "{}")) {
            assertRefused(
                    read,
                    "[explain] must be true or false, got: " + (value.equals("{}") ? "an object" : value),
                    "{'config':{},'text':'x','explain':" + value + "}");
        }
        assertTrue(parse(FingerprintAction.Request::fromXContent, "{'config':{},'text':'x','explain':'true'}").explain);
    }

    @Test
    void testCompare() throws IOException {
        CheckedFunction<XContentParser, ?, IOException> read = CompareAction.Request::fromXContent;
        assertRefused(read, "[a] must be an object, got: x", "{'config':{},'a':'x','b':{'text':'x'}}");
        assertRefused(read, "[b] must be an object, got: an array", "{'config':{},'a':{'text':'x'},'b':[]}");
        assertRefused(read, "[pipeline] must be a string, got: true", "{'pipeline':true}");
        for (String wrong : List.of("text", "index")) {
            assertRefused(read, "[" + wrong + "] must be a string, got: 42", "{'config':{},'a':{'" + wrong + "':42}}");
        }
        for (String wrong : List.of("id", "routing")) {
            assertRefused(
                    read, "[" + wrong + "] must be a string, got: an object", "{'config':{},'a':{'" + wrong + "':{}}}");
        }
        assertRefused(read, "[document] must be an object, got: 1", "{'config':{},'a':{'document':1}}");
        assertEquals(
                "17",
                parse(CompareAction.Request::fromXContent, "{'a':{'index':'i','id':17},'b':{'text':''}}")
                        .a
                        .id());
    }

    @Test
    void testFeatureWeights() throws IOException {
        CheckedFunction<XContentParser, ?, IOException> read =
                parser -> FeatureWeightsAction.Request.fromXContent(new String[] {"docs"}, parser);
        assertRefused(read, "[sample_size] must be a whole number, got: true", "{'sample_size':true}");
        assertRefused(read, "[sample_size] must be a whole number, got: an array", "{'sample_size':[1]}");
        assertRefused(
                read,
                "[max_document_share] must be a number greater than 0 and less than 1, got: null",
                "{'max_document_share':null}");
        assertRefused(read, "[pipeline] must be a string, got: 1", "{'pipeline':1}");
        assertRefused(read, "[config] must be an object, got: 1", "{'config':1}");
        FeatureWeightsAction.Request lenient = parse(
                parser -> FeatureWeightsAction.Request.fromXContent(new String[] {"docs"}, parser),
                "{'sample_size':'20.0','max_document_share':'0.5'}");
        assertEquals(20, lenient.sampleSize);
        assertEquals(0.5, lenient.maxDocumentShare);
    }

    private static void assertRefused(
            CheckedFunction<XContentParser, ?, IOException> read, String message, String json) {
        Exception e = assertThrows(Exception.class, () -> parse(read, json));
        assertEquals(message, e.getMessage());
    }

    private static <T> T parse(CheckedFunction<XContentParser, T, IOException> read, String json) throws IOException {
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.replace('\'', '"'))) {
            return read.apply(parser);
        }
    }
}

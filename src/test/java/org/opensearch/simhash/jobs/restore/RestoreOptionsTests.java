/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

class RestoreOptionsTests {

    @Test
    void testValuesOfAnotherTypeAreRefused() {
        assertRefused("[run] must be a string, got: 1", "{'run':1,'archive':{'index':'removed'}}");
        assertRefused("[archive] must be an object with an [index], got: removed", "{'run':'r','archive':'removed'}");
        assertRefused("[archive] must be an object with an [index], got: false", "{'run':'r','archive':false}");
        assertRefused("[index] of [archive] must be a string, got: null", "{'run':'r','archive':{'index':null}}");
        assertRefused("[1:23] [restore] failed to parse field [archive]: Required [index]", "{'run':'r','archive':{}}");
    }

    @Test
    void testARunAndItsArchive() throws IOException {
        RestoreAction.Request request = parse("{'run':'r','archive':{'index':'removed'}}");
        assertEquals("r", request.run);
        assertEquals("removed", request.archive);
    }

    private static void assertRefused(String message, String json) {
        assertEquals(message, assertThrows(Exception.class, () -> parse(json)).getMessage());
    }

    private static RestoreAction.Request parse(String json) throws IOException {
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json.replace('\'', '"'))) {
            return RestoreAction.Request.fromXContent(new String[] {"docs"}, parser, null);
        }
    }
}

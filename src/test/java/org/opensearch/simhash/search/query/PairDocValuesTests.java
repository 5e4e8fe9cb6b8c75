/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.util.List;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.test.OpenSearchTestCase;

/** Which sources need no parsing, because no value in them is too long. */
public class PairDocValuesTests extends OpenSearchTestCase {

    private static final int MOST = 20;

    private static BytesRef source(Object value) throws Exception {
        Map<String, Object> document = Map.of("a", List.of("short", value), "b", Map.of("c", 7));
        return BytesReference.bytes(XContentFactory.jsonBuilder().map(document)).toBytesRef();
    }

    public void testNoLongValueIsOverlooked() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            StringBuilder value = new StringBuilder();
            for (int i = between(1, 15); i > 0; i--) {
                value.append(randomFrom("\"", "\\", "\\\"", "x", "漢", "🙂", "\n", "\",\"", ":{"));
            }
            if (value.length() > MOST) {
                assertFalse(value.toString(), PairDocValues.isOfShortStrings(source(value.toString()), MOST));
            }
        }
        assertFalse(PairDocValues.isOfShortStrings(source(1e300), 5));
        assertFalse(PairDocValues.isOfShortStrings(new BytesRef("---\na: b"), MOST));
    }

    public void testShortValuesAreSeenWithoutParsing() throws Exception {
        assertTrue(PairDocValues.isOfShortStrings(source("x".repeat(MOST)), MOST));
        assertFalse(PairDocValues.isOfShortStrings(source("x".repeat(MOST + 1)), MOST));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.Map;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.test.OpenSearchTestCase;

/** What the window keeps of the scheme that a document says. */
public class WrittenPrintTests extends OpenSearchTestCase {

    public void testEqualSchemesAreOneString() {
        String first = scheme("given-same");
        assertEquals("given-same", first);
        for (int i = 0; i < 10; i++) {
            assertSame(first, scheme("given-same"));
        }
        assertNull(scheme(null));
    }

    /** Documents may say any: the node does not remember each of them until it stops. */
    public void testSchemesThatComeOnceAreForgotten() {
        String once = scheme("given-once");
        for (int i = 0; i < 1_000; i++) {
            assertEquals("given-" + i, scheme("given-" + i));
        }
        assertNotSame(once, scheme("given-once"));
    }

    /** @param scheme as each document brings its own string */
    private static String scheme(String scheme) {
        Map<String, Object> print = scheme == null
                ? Map.of("hash", "00112233445566ff")
                : Map.of("hash", "00112233445566ff", "scheme", new String(scheme.toCharArray()));
        return ArrivedPrint.read(SketchKind.SIMHASH, Map.of("simhash", print), "simhash")
                .scheme();
    }
}

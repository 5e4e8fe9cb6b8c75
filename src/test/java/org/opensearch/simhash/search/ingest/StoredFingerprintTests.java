/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.test.OpenSearchTestCase;

/** Fingerprints with wrong numbers, in each shape that a document may give them. */
public class StoredFingerprintTests extends OpenSearchTestCase {

    private static final String HASH = "00112233445566ff";
    private static final long BITS = 0x00112233445566ffL;

    public void testAnObjectIsMendedWhereItStands() {
        assertMended("simhash", map("simhash", map("hash", HASH, "bits", (double) BITS)));
        assertMended("simhash", map("simhash", map("hash", HASH)));
        assertMended("a.simhash", map("a", map("b", 1, "simhash", map("hash", HASH, "bits", 1L))));
        assertMended("a.simhash", map("a.simhash", map("hash", HASH, "bits", 1L)));
    }

    public void testNamesWithDotsBecomeOneObject() {
        assertMended("simhash", map("simhash.hash", HASH, "simhash.bits", (double) BITS));
        assertMended("a.simhash", map("a.simhash.hash", HASH, "a.simhash.bits", 1L));
        assertMended("a.simhash", map("a", map("b", 1, "simhash.hash", HASH, "simhash.bits", 1L)));
    }

    public void testNamesWithDotsBesideAnObjectAreTakenIntoIt() {
        assertMended("simhash", map("simhash", map("scheme", "given-x"), "simhash.hash", HASH, "simhash.bits", (double)
                BITS));
        assertMended("simhash", map("simhash", map("hash", HASH), "simhash.bits", (double) BITS));
        assertMended("a.simhash", map("a", map("simhash", map("bits", 1L)), "a.simhash.hash", HASH));
    }

    public void testEachOfSeveralIsMended() {
        Map<String, Object> source = map(
                "simhash", new ArrayList<>(List.of(map("hash", HASH, "bits", 1L), map("hash", HASH, "bits", BITS))));
        List<Object> mended = DocumentValues.at("simhash.bits", mended("simhash", source));
        assertEquals(List.of(BITS, BITS), mended);
    }

    public void testWhatIsRightStays() {
        for (Map<String, Object> right : List.of(
                map("simhash", map("hash", HASH, "bits", BITS)),
                map("simhash.hash", HASH, "simhash.bits", BITS),
                map("simhash", map("hash", "xyz", "bits", 1.5)),
                map("simhash", "text"))) {
            Map<String, Object> before = new HashMap<>(right);
            assertEquals(before, without(mended("simhash", right)));
        }
    }

    /** The names in a nested object are replaced, not doubled. */
    public void testAScriptMendsNamesWithDotsInANestedObject() {
        Map<String, Object> source = map("a", map("b", 1, "simhash.hash", HASH, "simhash.bits", 1L));
        assertTrue(StoredFingerprint.mendAll("a.simhash", source));
        assertEquals(List.of(BITS), DocumentValues.at("a.simhash.bits", source));
        assertFalse(StoredFingerprint.mendAll("a.simhash", source));
    }

    private static void assertMended(String path, Map<String, Object> source) {
        String given = source.toString();
        Map<String, Object> mended = mended(path, source);
        assertEquals(given, List.of(HASH), DocumentValues.at(path + ".hash", mended));
        assertEquals(given, List.of(BITS), DocumentValues.at(path + ".bits", mended));
        assertFalse(given, StoredFingerprint.isRounded(path, mended));
    }

    private static Map<String, Object> mended(String path, Map<String, Object> source) {
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, source);
        StoredFingerprint.mend(document, path);
        return document.getSourceAndMetadata();
    }

    private static Map<String, Object> without(Map<String, Object> sourceAndMetadata) {
        Map<String, Object> source = new HashMap<>(sourceAndMetadata);
        source.keySet().removeIf(name -> name.startsWith("_"));
        return source;
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}

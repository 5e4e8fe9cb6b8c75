/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.text.SourceTexts;

/** What the default recipe makes of a text in each of many languages. Frozen: a change here is a new scheme version. */
class GoldenFingerprintsTests {

    @Test
    void testFingerprintsDoNotChange() throws IOException {
        Properties golden = new Properties();
        try (Reader file = new InputStreamReader(
                GoldenFingerprintsTests.class.getResourceAsStream("/golden/fingerprints.properties"),
                StandardCharsets.UTF_8)) {
            golden.load(file);
        }
        Fingerprinter standard = new RecipeBuilder().standard();
        Map<String, String> expected = new TreeMap<>();
        Map<String, String> actual = new TreeMap<>();
        for (String name : golden.stringPropertyNames()) {
            if (name.endsWith(".text")) {
                String language = name.substring(0, name.indexOf('.'));
                Fingerprint fingerprint = standard.fingerprint(SourceTexts.of(golden.getProperty(name)), bytes -> {});
                actual.put(
                        language,
                        Fingerprint.toHex(fingerprint.bits().orElseThrow()) + " " + fingerprint.digest() + " "
                                + fingerprint.features());
                expected.put(
                        language,
                        golden.getProperty(language + ".hash") + " " + golden.getProperty(language + ".digest") + " "
                                + golden.getProperty(language + ".features"));
            }
        }
        assertTrue(expected.size() >= 20, expected.size() + " languages");
        assertEquals(expected, actual);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageDetectorTests {

    private static final LanguageDetector DETECTOR = new LanguageDetector();

    @ParameterizedTest
    @CsvSource({
        "en, A near-duplicate differs from a document in a few words only and an exact hash sees two strangers",
        "de, Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen W\u00F6rtern",
        "fr, Un quasi-doublon ne diff\u00E8re d\u2019un document que par quelques mots seulement",
        "es, Un casi duplicado se diferencia de un documento solamente en unas pocas palabras",
        "ru, \u041F\u043E\u0447\u0442\u0438 \u043E\u0434\u0438\u043D\u0430\u043A\u043E\u0432\u044B\u0435 \u0434\u043E\u043A\u0443\u043C\u0435\u043D\u0442\u044B \u043E\u0442\u043B\u0438\u0447\u0430\u044E\u0442\u0441\u044F \u043D\u0435\u0441\u043A\u043E\u043B\u044C\u043A\u0438\u043C\u0438 \u0441\u043B\u043E\u0432\u0430\u043C\u0438",
        "ja, \u307B\u307C\u91CD\u8907\u3059\u308B\u6587\u66F8\u306F\u6570\u8A9E\u3060\u3051\u304C\u7570\u306A\u308B",
        "zh, \u8FD1\u4F3C\u91CD\u590D\u7684\u6587\u6863\u53EA\u6709\u51E0\u4E2A\u8BCD\u4E0D\u540C",
        "ko, \uC624\uB298\uC740 \uB0A0\uC528\uAC00 \uC88B\uC544\uC11C \uACF5\uC6D0\uC5D0 \uAC11\uB2C8\uB2E4",
    })
    void testLanguagesAreTold(String language, String text) {
        assertEquals(language, DETECTOR.detect(text));
    }

    /** They have no code of two letters: without theirs, an analyzer for them would never be taken. */
    @ParameterizedTest
    @CsvSource({
        "nds, De Stadt Hamborg is en vun de gr\u00F6ttsten St\u00E4der in D\u00FC\u00FCtschland un hett en groten Haven",
        "gsw, Z\u00FCri isch di gr\u00F6scht Stadt vo de Schwiiz und d L\u00FCt reded det Schwiizerd\u00FCtsch",
        "ast, Uvi\u00E9u ye una ciud\u00E1 asturiana y los sos habitantes falen n'asturianu",
    })
    void testLanguagesOfThreeLettersAreTold(String language, String text) {
        assertEquals(language, DETECTOR.detect(text));
    }

    /** Page layouts, and tags as Chinese networks write them. */
    @Test
    void testWhiteSpaceAndTagsDecideNothing() {
        String german = "Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen W\u00F6rtern";
        assertEquals("de", DETECTOR.detect("\n".repeat(1_000) + german));
        assertEquals("de", DETECTOR.detect(german.replace(" ", "\n   ")));
        String chinese = "\u8FD1\u4F3C\u91CD\u590D\u7684\u6587\u6863\u53EA\u6709\u51E0\u4E2A\u8BCD\u4E0D\u540C";
        assertEquals("zh", DETECTOR.detect("#" + chinese + "#" + chinese));
    }

    @Test
    void testWithoutALetterThereIsNoLanguage() {
        for (String text : List.of("", " \n", "#", "12 34", "!!!")) {
            assertNull(DETECTOR.detect(text), text);
        }
    }
}

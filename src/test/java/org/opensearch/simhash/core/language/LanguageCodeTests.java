/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageCodeTests {

    @ParameterizedTest
    @CsvSource({
        "de, de deu ger DE Deu GER de-DE de_AT deu-CH ger_LI de-Latn-DE de_DE.UTF-8 de_DE@euro de-1996 de-DE-u-co-phonebk",
        "no, no nor nb nob nn nno NB nb-NO nn_NO no-NO nob-NO nor-Latn-NO",
        "zh, zh zho chi cmn ZH zh-CN zh_TW zh-Hant zh-Hans-CN CHI-TW cmn-Hant-HK zh-cmn zh-cmn-Hans",
        "fa, fa fas per pes FA-ir per_IR pes-Arab",
        "pt, pt por PT-br pt_BR POR-pt",
        "et, et est ekk",
        "lv, lv lav lvs",
        "ar, ar ara arb ar-EG",
        "cs, cs ces cze",
        "el, el ell gre",
        "eu, eu eus baq",
        "fr, fr fra fre",
        "hy, hy hye arm",
        "nl, nl nld dut",
        "ro, ro ron rum mo mol",
        "he, he heb iw",
        "id, id ind in",
        "nds, nds NDS nds-DE",
        "gsw, gsw gsw_CH",
        "qaa, qaa",
    })
    void testAllCodesOfALanguageAreOne(String language, String codes) {
        for (String code : codes.split(" ", -1)) {
            assertEquals(language, LanguageCode.of(code).orElseThrow().language(), code);
            assertEquals(
                    language, LanguageCode.of("  " + code + "\n").orElseThrow().language(), code);
            assertTrue(LanguageCode.of(code).orElseThrow().keys().contains(language), code);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "d",
                "german",
                "deutsch",
                "xx",
                "xxx",
                "zzz",
                "qua1",
                "und",
                "und-Latn",
                "n/a",
                "de, en",
                "de en",
                "de;q=0.8",
                "i-klingon",
                "x-private",
                "root",
                "C",
                "POSIX",
                "none",
                "unknown",
                "12",
                "中文",
                "ｄｅ",
                "de-",
                "-de",
                "de--DE",
                "de-toolongsubtag"
            })
    void testWhatIsNoCodeIsNone(String typed) {
        assertFalse(LanguageCode.isOne(typed), typed);
        assertFalse(LanguageCode.isOne(null));
        assertFalse(LanguageCode.isOne("de" + "-x".repeat(1_000_000)));
    }

    @Test
    void testEveryCodeThatJavaKnowsIsOne() {
        for (String code : Locale.getISOLanguages()) {
            String language = LanguageCode.of(code)
                    .orElseThrow(() -> new AssertionError(code))
                    .language();
            String three = Locale.of(code).getISO3Language();
            assertEquals(
                    language,
                    LanguageCode.of(three)
                            .orElseThrow(() -> new AssertionError(three))
                            .language(),
                    code);
        }
    }

    @Test
    void testTheMoreSpecialIsLookedUpFirst() {
        assertEquals(
                List.of("zh-hant-tw", "zh-hant", "zh-tw", "zh"),
                LanguageCode.of("chi_Hant_TW").orElseThrow().keys());
        assertEquals(
                List.of("yue-hk", "yue", "zh-hk", "zh"),
                LanguageCode.of("yue-HK").orElseThrow().keys());
        assertEquals(
                List.of("pt-br", "pt"), LanguageCode.of("por_BR").orElseThrow().keys());
        assertEquals(
                List.of("es-419", "es"), LanguageCode.of("es-419").orElseThrow().keys());
        assertEquals(
                "zh-hant-tw", LanguageCode.of("cmn-Hant-TW-x-own").orElseThrow().toString());
    }

    @Test
    void testCodesAreReadTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            assertEquals("it", LanguageCode.of("IT").orElseThrow().language());
        } finally {
            Locale.setDefault(before);
        }
    }
}

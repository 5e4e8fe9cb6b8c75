/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageDetectorTests {

    private static final LanguageDetector DETECTOR = new LanguageDetector();
    /** A language of each script that several use. */
    private static final Set<String> ALL_SCRIPTS = Set.of("en", "ru", "ar", "hi");

    /** The language itself; null if undecided. */
    private static String detect(String text) {
        return DETECTOR.elected(text, ALL_SCRIPTS, language -> language);
    }

    @ParameterizedTest
    @CsvSource({
        "en, A near-duplicate differs from a document in a few words only and an exact hash sees two strangers",
        "de, Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen W\u00F6rtern",
        "fr, Un quasi-doublon ne diff\u00E8re d\u2019un document que par quelques mots seulement",
        "es, El ayuntamiento aprob\u00F3 el lunes la nueva l\u00EDnea de tranv\u00EDa hasta la universidad",
        "ru, \u041F\u043E\u0447\u0442\u0438 \u043E\u0434\u0438\u043D\u0430\u043A\u043E\u0432\u044B\u0435 \u0434\u043E\u043A\u0443\u043C\u0435\u043D\u0442\u044B \u043E\u0442\u043B\u0438\u0447\u0430\u044E\u0442\u0441\u044F \u043D\u0435\u0441\u043A\u043E\u043B\u044C\u043A\u0438\u043C\u0438 \u0441\u043B\u043E\u0432\u0430\u043C\u0438 \u0432 \u043D\u0435\u0441\u043A\u043E\u043B\u044C\u043A\u0438\u0445 \u043C\u0435\u0441\u0442\u0430\u0445",
        "ja, \u307B\u307C\u91CD\u8907\u3059\u308B\u6587\u66F8\u306F\u6570\u8A9E\u3060\u3051\u304C\u7570\u306A\u308B",
        "zh, \u8FD1\u4F3C\u91CD\u590D\u7684\u6587\u6863\u53EA\u6709\u51E0\u4E2A\u8BCD\u4E0D\u540C",
        "ko, \uC624\uB298\uC740 \uB0A0\uC528\uAC00 \uC88B\uC544\uC11C \uACF5\uC6D0\uC5D0 \uAC11\uB2C8\uB2E4",
    })
    void testLanguagesAreTold(String language, String text) {
        assertEquals(language, detect(text));
    }

    /** They have no code of two letters: without theirs, an analyzer for them would never be taken. */
    @ParameterizedTest
    @CsvSource({
        "nds, De Stadt Hamborg is en vun de gr\u00F6ttsten St\u00E4der in D\u00FC\u00FCtschland un hett en groten Haven",
        "gsw, Z\u00FCri isch di gr\u00F6scht Stadt vo de Schwiiz und d L\u00FCt reded det Schwiizerd\u00FCtsch",
        "ast, Uvi\u00E9u ye una ciud\u00E1 asturiana y los sos habitantes falen n'asturianu dende va munchos sieglos",
    })
    void testLanguagesOfThreeLettersAreTold(String language, String text) {
        assertEquals(language, detect(text));
    }

    /** Page layouts, and tags as Chinese networks write them. */
    @Test
    void testWhiteSpaceAndTagsDecideNothing() {
        String german = "Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen W\u00F6rtern";
        assertEquals("de", detect("\n".repeat(1_000) + german));
        assertEquals("de", detect(german.replace(" ", "\n   ")));
        String chinese = "\u8FD1\u4F3C\u91CD\u590D\u7684\u6587\u6863\u53EA\u6709\u51E0\u4E2A\u8BCD\u4E0D\u540C";
        assertEquals("zh", detect("#" + chinese + "#" + chinese));
    }

    @Test
    void testWithoutALetterThereIsNoLanguage() {
        for (String text : List.of("", " \n", "#", "12 34", "!!!")) {
            assertNull(detect(text), text);
        }
    }

    /** The model has no Burmese, Lao, Khmer, Amharic, Tibetan or Cherokee, and takes each for a language that it has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "မြို့တော်ကောင်စီက ဓာတ်ရထားလမ်းသစ်ကို တနင်္လာနေ့တွင် အတည်ပြုခဲ့သည်။ ဆောက်လုပ်ရေးကို မတ်လတွင် စတင်မည်။",
                "ສະພາເມືອງໄດ້ອະນຸມັດເສັ້ນທາງລົດລາງສາຍໃໝ່ໃນວັນຈັນ ການກໍ່ສ້າງຈະເລີ່ມໃນເດືອນມີນາ ແລະໃຊ້ເວລາສາມປີ",
                "ក្រុមប្រឹក្សាក្រុងបានអនុម័តខ្សែរថភ្លើងថ្មីនៅថ្ងៃច័ន្ទ ការសាងសង់ចាប់ផ្តើមនៅខែមីនា ហើយត្រូវការបីឆ្នាំ",
                "የከተማው ምክር ቤት አዲሱን የባቡር መስመር ሰኞ ዕለት አጸደቀ። ግንባታው በመጋቢት ይጀምራል እና ሦስት ዓመት ይወስዳል።",
                "གྲོང་ཁྱེར་གྱི་ཚོགས་པས་གཟའ་ཟླ་བའི་ཉིན་ལ་ལམ་གསར་པ་ལ་ཆོག་མཆན་བྱས་པ་རེད།",
                "မြို့တော်ကောင်စီက React နှင့် JavaScript ဓာတ်ရထားလမ်းသစ်ကို တနင်္လာနေ့တွင် Component အတည်ပြုခဲ့သည်။",
            })
    void testALanguageOfAnotherScriptIsNeverTold(String text) {
        assertNull(detect(text));
        assertNull(detect(text.repeat(5)));
    }

    /** Of the words of a language nothing else is known. */
    @Test
    void testNumbersAddressesCodeAndMarksDoNotCount() {
        String german = "Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen Wörtern";
        String noise =
                " https://example.org/the/way/of/all/things?with=the+words 2023-26141 the_name.of(this) \"x.y\" ";
        assertEquals("de", detect(noise.repeat(20) + german));
        assertEquals("de", detect(german.replace(" ", noise)));
        assertNull(detect(noise.repeat(20)));
        String arabic = "يا أيها الناس اعبدوا ربكم الذي خلقكم والذين من قبلكم لعلكم تتقون الذي جعل لكم الأرض فراشا";
        assertEquals("ar", detect(arabic));
        assertEquals("ar", detect(String.join("\u064E", arabic.split(""))));
    }

    /** A text between relatives, or of a language that the model does not know, is not parted from its versions. */
    @Test
    void testLanguagesThatStandForTheSameVoteTogether() {
        String norwegian =
                "Byrådet godkjente mandag den nye trikkelinjen til universitetet, og byggingen starter i mars";
        String danish =
                "Byrådet godkendte mandag den nye sporvognslinje til universitetet, og byggeriet starter i marts";
        Function<String, String> scandinavian =
                code -> code != null && Set.of("no", "da", "sv").contains(code) ? "north" : "other";
        assertEquals("north", DETECTOR.elected(norwegian + ". " + danish, ALL_SCRIPTS, scandinavian));
        assertEquals(
                "other",
                DETECTOR.elected("The city council approves the new line on Monday", ALL_SCRIPTS, scandinavian));
    }

    /** Min Nan in Latin letters is a part of Chinese. */
    @Test
    void testChineseIsWhereIdeographsAre() {
        String yoruba = "Ìgbìmọ̀ ìlú fọwọ́ sí ọ̀nà ọkọ̀ ojú irin tuntun sí yunifásítì ní ọjọ́ Ajé";
        String minNan = "Tâi-oân sī chi̍t-ê tó-sū, ūi-tī A-chiu ê tang-lâm pêng, lâng lóng kóng Tâi-gí kap Hoâ-gí";
        Function<String, String> chinese = code -> LanguageCode.of(code == null ? "und" : code)
                .map(known -> known.keys().contains("zh") ? "zh" : "other")
                .orElse("other");
        assertEquals("other", DETECTOR.elected(yoruba, ALL_SCRIPTS, chinese));
        assertEquals("other", DETECTOR.elected(minNan, ALL_SCRIPTS, chinese));
        assertEquals("zh", DETECTOR.elected("東京大學的圖書館", ALL_SCRIPTS, chinese));
    }

    /** The model knows none of these letters' languages but by guess, so it is not asked. */
    @Test
    void testTheModelIsAskedWhereItsAnswerMatters() {
        String german = "Ein Beinahe-Duplikat unterscheidet sich von einem Dokument nur in wenigen Wörtern";
        assertEquals("null", DETECTOR.elected(german, Set.of("zh", "ru-by"), String::valueOf));
        assertEquals("de", DETECTOR.elected(german, Set.of("zh", "pt-br"), String::valueOf));
    }

    /** Where only one language has a script, a word is enough, and no edit changes it. */
    @ParameterizedTest
    @CsvSource({
        "th, สภาเมืองอนุมัติเส้นทางรถราง",
        "th, ติดตั้งแพ็กเกจด้วยคำสั่ง npm install react",
        "ko, 서울",
        "el, Αθήνα",
        "hy, Երևան",
        "ka, თბილისი",
        "he, ירושלים",
        "ta, சென்னை",
        "zh, 北京",
        "zh, 東京大學の圖書館在哪裡，誰都知道得很清楚",
        "ja, 東京にある",
        "ja, カタカナ",
    })
    void testAScriptOfOneLanguageTellsIt(String language, String text) {
        assertEquals(language, detect(text));
    }

    /** A guess on these was Latin, Corsican, Volapük and the like, another one for each edit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ok",
                "Version 3.8",
                "The city council",
                "Der Stadtrat",
                "Готово",
                "مجلس المدينة",
                "नगर परिषद",
                "C++ developer, Berlin",
                "+49 30 1234567",
                "a1 b2 c3 d4 e5",
                "x = y + z"
            })
    void testAShortTextInAScriptOfManyHasNoLanguage(String text) {
        assertNull(detect(text));
    }

    /** One word of each sentence changed, left out or doubled. */
    @Test
    void testAnEditOfASentenceSeldomChangesItsLanguage() {
        int told = 0;
        int changed = 0;
        int edits = 0;
        for (String sentence : TestSentences.ALL) {
            String language = detect(sentence);
            told += language == null ? 0 : 1;
            String[] words = sentence.split(" ", -1);
            for (int i = 0; i < words.length; i++) {
                String replaced = edited(words, i, words[(i + 3) % words.length]);
                for (String edit :
                        List.of(replaced, edited(words, i, ""), edited(words, i, words[i] + " " + words[i]))) {
                    String other = detect(edit);
                    changed += Objects.equals(other, language) ? 0 : 1;
                    edits++;
                }
            }
        }
        assertTrue(told >= TestSentences.ALL.size() * 3 / 4, "told: " + told);
        assertTrue(changed <= edits / 25, changed + " of " + edits);
    }

    private static String edited(String[] words, int place, String word) {
        String[] edited = words.clone();
        edited[place] = word;
        return String.join(" ", edited);
    }

    /** The texts whose fingerprints are frozen, with the begin of each other one in front. */
    @Test
    void testBoilerplateOfAnotherLanguageDecidesNothing() throws IOException {
        Properties golden = new Properties();
        try (Reader file = new InputStreamReader(
                LanguageDetectorTests.class.getResourceAsStream("/golden/fingerprints.properties"),
                StandardCharsets.UTF_8)) {
            golden.load(file);
        }
        List<String> texts = golden.stringPropertyNames().stream()
                .filter(name -> name.endsWith(".text"))
                .map(golden::getProperty)
                .filter(text -> text.length() >= 200)
                .toList();
        int asked = 0;
        int changed = 0;
        for (String text : texts) {
            String twice = text + "\n" + text;
            String language = detect(twice);
            for (String other : texts) {
                String front = other.substring(0, Math.min(other.length(), 130));
                asked += other.equals(text) ? 0 : 1;
                changed += Objects.equals(language, detect(front + "\n" + twice)) ? 0 : 1;
            }
        }
        assertTrue(asked > 100, asked + " asked");
        assertTrue(changed <= asked / 100, changed + " of " + asked);
    }
}

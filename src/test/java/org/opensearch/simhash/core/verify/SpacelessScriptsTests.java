/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;
import org.opensearch.simhash.core.fingerprint.StandardWordAnalyzer;

/** What {@code verify} makes of Thai, Lao, Khmer, Burmese and Korean by default. */
class SpacelessScriptsTests {

    /** A sentence around a name, a command or a number. */
    private static final List<String> TEMPLATES = List.of(
            "คำสั่งนี้เป็นนามแฝงของ `%s`\nแสดงเอกสารประกอบสำหรับคำสั่งดั้งเดิม:\ntldr %s",
            "ຄຳສັ່ງນີ້ເປັນນາມແຝງຂອງ %s. ເບິ່ງເອກະສານສຳລັບຄຳສັ່ງຕົ້ນສະບັບ: tldr %s",
            "ពាក្យបញ្ជានេះជាឈ្មោះហៅក្រៅរបស់ %s មើលឯកសារសម្រាប់ពាក្យបញ្ជាដើម tldr %s",
            "ဤအမိန့်သည် %s ၏ အမည်ပွားဖြစ်သည် မူရင်းအမိန့်အတွက် စာရွက်စာတမ်းကြည့်ရန် tldr %s");

    private static final List<String> NAMES = List.of("clamscan", "nginx", "python3", "llvm-ar", "systemctl", "10472");

    @Test
    void testPagesOfOneTemplateWithOtherNamesAreApart() {
        for (String template : TEMPLATES) {
            for (String name : NAMES) {
                for (String other : NAMES) {
                    double similarity = similarity(template.replace("%s", name), template.replace("%s", other));
                    assertTrue(name.equals(other) ? similarity == 1 : similarity < 0.8, name + other + similarity);
                }
            }
        }
    }

    @Test
    void testAnEditOfProseIsNear() {
        String prose = "ประเทศไทยมีภูมิประเทศที่หลากหลาย ภาคเหนือเป็นเทือกเขาสลับซับซ้อน ภาคกลางเป็นที่ราบลุ่มแม่น้ำ"
                + "ภาคตะวันออกเฉียงเหนือเป็นที่ราบสูง และภาคใต้เป็นคาบสมุทรยาวติดทะเลทั้งสองด้าน ประชากรส่วนใหญ่ประกอบอาชีพเกษตรกรรม";
        assertTrue(similarity(prose, prose.replace("หลากหลาย", "แตกต่างกัน")) >= 0.8);
        assertTrue(similarity(prose, prose.replace("ยาวติดทะเล", "")) >= 0.8);
        assertEquals(1, similarity(prose, prose.replace("ไทยมี", "ไทย มี")));
    }

    /** Twelve letters are nine shingles of four. A word is a shingle of as many letters as it has, at least two and at most six. */
    @Test
    void testWordsAmongLettersCountTheirLetters() {
        String letters = "กขคงจฉชซญดตถ";
        assertEquals(9.0 / (9 + 2 + 2), similarity(letters + " a", letters + " b"), 1e-9);
        assertEquals(9.0 / (9 + 3 + 3), similarity(letters + " one", letters + " two"), 1e-9);
        assertEquals(9.0 / (9 + 6 + 6), similarity(letters + " systemctl", letters + " journalctl"), 1e-9);
    }

    /** Three words in a row count as many letters as a short word has. */
    @Test
    void testAShingleOfWordsAmongLettersCountsThreeLetters() {
        String letters = "กขคงจฉชซญดตถ";
        String words = " alpha beta gamma ";
        assertEquals(
                (9.0 + 3) / (9 + 3 + 3 + 3), similarity(letters + words + "delta", letters + words + "omega"), 1e-9);
    }

    /** By words, as the labels of the sets are; runs of syllables make other texts of one subject alike. */
    @Test
    void testKoreanIsComparedByWords() {
        String text = "서울시는 올해 안에 새 도서관을 열겠다고 밝혔다";
        assertEquals(4.0 / 6, similarity(text, text.replace("밝혔다", "말했다")), 0.1);
        assertEquals(1.0, similarity(text, text + "!"));
    }

    private static double similarity(String a, String b) {
        Verification verification = Verification.of(null, null, null, 0.0, null);
        try (Analyzer analyzer = new StandardWordAnalyzer()) {
            return new TextComparison(verification, analyzer, TokenWeights.EQUAL, a, bytes -> {}, () -> {})
                    .compare(b, bytes -> {}, () -> {})
                    .similarity();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.lang.Character.UnicodeScript;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The scripts of a text, counted by letters. Ideographs are Japanese if kana are a tenth of both, else Chinese. Not thread-safe while counting. */
final class WrittenScripts {

    /** A smaller share is names and quotations. */
    private static final double LEAST_SHARE = 0.2;

    private static final double MOST = 0.5;
    private static final double KANA_OF_JAPANESE = 0.1;

    private final Map<UnicodeScript, Integer> letters = new EnumMap<>(UnicodeScript.class);
    private int all;

    private WrittenScripts() {}

    static WrittenScripts of(CharSequence text) {
        WrittenScripts scripts = new WrittenScripts();
        text.codePoints().filter(Character::isLetter).forEach(scripts::count);
        scripts.tellJapanese();
        return scripts;
    }

    /** Number of letters. An ideograph counts three, a kana or a Hangul syllable two, since they say more. */
    int letters() {
        return all;
    }

    /** The scripts with a considerable share. */
    Set<UnicodeScript> main() {
        Set<UnicodeScript> main = EnumSet.noneOf(UnicodeScript.class);
        letters.forEach((script, count) -> {
            if (count >= LEAST_SHARE * all) {
                main.add(script);
            }
        });
        return main;
    }

    /** Whether a script has at least half of the letters. */
    boolean areMostly(UnicodeScript script) {
        return letters.getOrDefault(script, 0) >= MOST * all;
    }

    private void count(int letter) {
        UnicodeScript script = switch (UnicodeScript.of(letter)) {
            case KATAKANA -> UnicodeScript.HIRAGANA;
            case BOPOMOFO -> UnicodeScript.HAN;
            case UnicodeScript other -> other;
        };
        if (script != UnicodeScript.COMMON && script != UnicodeScript.INHERITED) {
            int weight = weight(script);
            letters.merge(script, weight, Integer::sum);
            all += weight;
        }
    }

    private static int weight(UnicodeScript script) {
        return switch (script) {
            case HAN -> 3;
            case HIRAGANA, HANGUL -> 2;
            default -> 1;
        };
    }

    private void tellJapanese() {
        int kana = letters.getOrDefault(UnicodeScript.HIRAGANA, 0);
        int han = letters.getOrDefault(UnicodeScript.HAN, 0);
        if (kana > 0 && han > 0) {
            boolean isJapanese = kana >= KANA_OF_JAPANESE * (kana + han);
            letters.remove(isJapanese ? UnicodeScript.HAN : UnicodeScript.HIRAGANA);
            letters.put(isJapanese ? UnicodeScript.HIRAGANA : UnicodeScript.HAN, kana + han);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.opensearch.simhash.core.language.LanguageDetector;
import org.opensearch.simhash.quality.DataSet.Kind;

/**
 * How often detection tells another language when 130 characters of another language stand in front of a text, and how often
 * it tells a wrong one: {@code target/java -Dsimhash.data=FOLDER org.opensearch.simhash.quality.LanguageFlips}.
 */
public final class LanguageFlips {

    private static final int IN_FRONT = 130;
    private static final int SHORTEST = 400;

    private LanguageFlips() {}

    public static void main(String[] args) {
        LanguageDetector detector = new LanguageDetector();
        List<DataSet> sets = new TextSets(DataSets.configured()).read();
        List<String> fronts = new ArrayList<>();
        for (DataSet set : sets) {
            set.documents().stream()
                    .filter(document -> set.kind() == Kind.DOCUMENTS && document.text().length() > 2 * IN_FRONT)
                    .limit(1)
                    .forEach(document -> fronts.add(set.language() + "\t" + document.text().substring(0, IN_FRONT)));
        }
        Table table = new Table("set", "texts", "flips", "undecided", "wrong");
        int[] all = new int[4];
        for (DataSet set : sets) {
            int[] counts = new int[4];
            int step = Math.max(1, set.documents().size() / 150);
            for (int i = 0; i < set.documents().size(); i += step) {
                String text = set.documents().get(i).text();
                String[] front = fronts.get(i / step % fronts.size()).split("\t", 2);
                if (text.length() >= SHORTEST && front[0].equals(set.language()) == false) {
                    String language = detected(detector, text);
                    counts[0]++;
                    counts[1] += Objects.equals(language, detected(detector, front[1] + "\n" + text)) ? 0 : 1;
                    counts[2] += language == null ? 1 : 0;
                    counts[3] += language == null || set.language().startsWith(language) ? 0 : 1;
                }
            }
            table.row(set.title(), counts[0], counts[1], counts[2], counts[3]);
            for (int i = 0; i < all.length; i++) {
                all[i] += counts[i];
            }
        }
        table.row("all", all[0], all[1], all[2], all[3]);
        System.out.println(table);
    }

    private static String detected(LanguageDetector detector, String text) {
        return detector.elected(text, Set.of("en", "ru", "ar", "hi"), language -> language);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality.variants;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** What pages, mails and scanners add to a text or change in it. Another text, in truth; how far away the report shows. */
final class Additions {

    private static final String LINK = "https://www.example.org/news/tram-line?id=4711";
    private static final String TRACKED =
            LINK + "&utm_source=newsletter&utm_medium=email&utm_campaign=spring&fbclid=IwAR3x9";
    private static final String IMAGE =
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==";
    /** What a scanner takes for what. */
    private static final Map<String, String> MISREAD =
            Map.of("rn", "m", "l", "1", "O", "0", "e", "c", "h", "b", "i", "l");

    private static final Set<String> WITHOUT_SPACES = Set.of("zh", "ja", "th", "km", "lo", "my");
    private static final int SEEDS = 8;

    private Additions() {}

    static Stream<Variant> of(VariantText text) {
        List<Variant> variants = new ArrayList<>();
        variants.add(text.reported("another date", text.text().replace(text.entry("date"), text.entry("other_date"))));
        variants.add(text.reported("footer", text.text() + "\n\n" + text.entry("footer")));
        variants.add(text.reported("cookie banner", text.entry("banner") + "\n\n" + text.text()));
        variants.add(
                text.with(text.text() + "\n" + LINK).reported("tracking parameters", text.text() + "\n" + TRACKED));
        variants.add(text.reported("a link at the end", text.text() + "\n" + LINK));
        variants.add(text.reported("quoted in a reply", text.entry("reply") + "\n> " + wrapped(text.text(), "\n> ")));
        variants.add(text.reported("data URI", text.text() + "\n![](" + IMAGE + ")"));
        variants.add(text.reported("emoji at the end", text.text() + " 👍🎉"));
        for (int seed = 0; seed < SEEDS; seed++) {
            variants.add(text.reported("a word left out", withoutAWord(text, new Random(seed))));
            variants.add(text.reported("OCR noise, 1 % of letters", misread(text.text(), new Random(seed), 0.01)));
            variants.add(text.reported("OCR noise, 3 % of letters", misread(text.text(), new Random(seed), 0.03)));
        }
        return variants.stream();
    }

    private static String wrapped(String text, String lineEnd) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ", -1)) {
            if (column + word.length() > 72) {
                wrapped.append(lineEnd);
                column = 0;
            } else if (wrapped.isEmpty() == false) {
                wrapped.append(' ');
            }
            wrapped.append(word);
            column += word.length() + 1;
        }
        return wrapped.toString();
    }

    /** Where words are not set apart by spaces, three characters. */
    private static String withoutAWord(VariantText text, Random random) {
        if (WITHOUT_SPACES.contains(text.language())) {
            StringBuilder shorter = new StringBuilder(text.text());
            int place = random.nextInt(shorter.length() - 3);
            return shorter.delete(place, place + 3).toString();
        }
        List<String> words = new ArrayList<>(List.of(text.text().split("(?<= )", -1)));
        words.remove(random.nextInt(words.size()));
        return String.join("", words);
    }

    /** Some letters are taken for others that look alike, where those are known, else for another letter of the text. */
    private static String misread(String text, Random random, double share) {
        StringBuilder misread = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            String pair = text.substring(i, Math.min(i + 2, text.length()));
            String letter = text.substring(i, i + 1);
            boolean bad = Character.isLetter(text.charAt(i)) && random.nextDouble() < share;
            if (bad && MISREAD.containsKey(pair)) {
                misread.append(MISREAD.get(pair));
                i++;
            } else if (bad) {
                misread.append(MISREAD.getOrDefault(letter, anotherLetter(text, random)));
            } else {
                misread.append(letter);
            }
            i++;
        }
        return misread.toString();
    }

    private static String anotherLetter(String text, Random random) {
        while (true) {
            char c = text.charAt(random.nextInt(text.length()));
            if (Character.isLetter(c)) {
                return Character.toString(c);
            }
        }
    }
}

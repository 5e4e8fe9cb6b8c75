/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.test.OpenSearchTestCase;

/** A rule stands once in README and docs/: no long sentence twice, no topic as a heading of two pages. The pages stay short. */
public class DocumentedOnceTests extends OpenSearchTestCase {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir", "."));
    private static final int LINES = 3_700;
    private static final int WORDS = 12;

    /** Headings that name a part of a page, not a topic. */
    private static final Set<String> PARTS = Set.of(
            "Options", "Answer", "Settings", "The processor", "The query", "Limits", "Memory", "Stories", "Jobs");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern TARGET = Pattern.compile("\\]\\([^)\\s]*\\)");
    private static final Pattern MERGE = Pattern.compile("(?m)^(?:<<<<<<<|=======|>>>>>>>)");

    public void testNoSentenceStandsTwice() throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        for (Path page : pages()) {
            for (String sentence : sentences(Files.readString(page))) {
                places.computeIfAbsent(sentence, s -> new ArrayList<>()).add(name(page));
            }
        }
        assertTrue(places.size() > 500);
        assertEquals(Map.of(), twice(places));
    }

    public void testNoTopicHasTwoPages() throws IOException {
        Map<String, List<String>> places = new TreeMap<>();
        for (Path page : pages()) {
            HEADING.matcher(BLOCK.matcher(Files.readString(page)).replaceAll(""))
                    .results()
                    .map(heading -> heading.group(1))
                    .filter(heading -> PARTS.contains(heading) == false)
                    .forEach(heading -> places.computeIfAbsent(heading, h -> new ArrayList<>())
                            .add(name(page)));
        }
        assertEquals(Map.of(), twice(places));
    }

    public void testPagesAreShort() throws IOException {
        long lines = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            assertFalse(
                    name(page) + " has the marks of a merge",
                    MERGE.matcher(text).find());
            lines += page.endsWith("README.md") ? 0 : text.lines().count();
        }
        assertTrue(lines + " lines", lines <= LINES);
    }

    public void testSentencesAreRead() {
        String twelve = "one two three four five six seven eight nine ten eleven twelve";
        assertEquals(
                List.of(twelve, twelve, twelve),
                sentences("# A heading\n\nShort. One two three [four five](a.md#b) six seven eight\nnine ten eleven"
                        + " twelve.\n- " + twelve + "\n- two\n\n```json\n" + twelve + "\n```\n| " + twelve
                        + " | 2 |\n"));
    }

    /** Those of at least {@link #WORDS} words: of paragraphs, items and cells, without their signs and the targets of links. */
    private static List<String> sentences(String markdown) {
        String text = BLOCK.matcher(markdown).replaceAll("\n\n");
        text = HEADING.matcher(text).replaceAll("\n\n");
        text = TARGET.matcher(text).replaceAll("]");
        return Pattern.compile("\n\n|\n(?=[-|] |\\d\\. )|[.:;?!]\\s|\\|")
                .splitAsStream(text)
                .map(sentence -> sentence.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_]+", " ")
                        .strip())
                .filter(sentence -> sentence.split(" ", -1).length >= WORDS)
                .toList();
    }

    private static Map<String, Collection<String>> twice(Map<String, List<String>> places) {
        return places.entrySet().stream()
                .filter(place -> place.getValue().size() > 1)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The README and the pages of docs/; figures repeat their heads. */
    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(PROJECT.resolve("README.md")));
        try (Stream<Path> docs = Files.list(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static String name(Path page) {
        return PROJECT.relativize(page).toString();
    }
}

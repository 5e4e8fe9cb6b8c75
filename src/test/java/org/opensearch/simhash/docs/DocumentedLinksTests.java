/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.test.OpenSearchTestCase;

/** Links between the pages lead somewhere, and CONTRIBUTING names files that exist. */
public class DocumentedLinksTests extends OpenSearchTestCase {

    private static final Path PROJECT = Path.of(System.getProperty("project.basedir", "."));
    private static final Path SOURCES = PROJECT.resolve("src/main/java/org/opensearch/simhash");
    private static final int README_LINES = 230;

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]*)\\)");
    private static final Pattern SOURCE = Pattern.compile("`([A-Za-z/]+\\.java)`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```$");

    public void testLinks() throws IOException {
        for (Path page : pages()) {
            String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
            for (var links = LINK.matcher(text); links.find(); ) {
                String link = links.group(1);
                if (link.contains("://") == false) {
                    assertLeadsSomewhere(page, link);
                }
            }
        }
    }

    private static void assertLeadsSomewhere(Path page, String link) throws IOException {
        String place = page + ": " + link;
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        assertTrue(place, Files.exists(target));
        if (hash >= 0) {
            assertTrue(place, anchors(Files.readString(target)).contains(link.substring(hash + 1)));
        }
    }

    /** As GitHub makes them: lower case, without punctuation, a hyphen for each space. */
    private static Set<String> anchors(String markdown) {
        return HEADING.matcher(BLOCK.matcher(markdown).replaceAll(""))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    public void testContributingNamesFilesThatExist() throws IOException {
        String text = Files.readString(PROJECT.resolve("CONTRIBUTING.md"));
        List<String> sources =
                SOURCE.matcher(text).results().map(source -> source.group(1)).toList();
        assertTrue(sources.toString(), sources.size() > 20);
        sources.forEach(source -> assertTrue(source, Files.exists(SOURCES.resolve(source))));
    }

    public void testReadmeIsShort() throws IOException {
        assertTrue(Files.readString(PROJECT.resolve("README.md")).lines().count() <= README_LINES);
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (String folder : List.of("", "tools")) {
            try (Stream<Path> files = Files.list(PROJECT.resolve(folder))) {
                files.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
            }
        }
        try (Stream<Path> docs = Files.walk(PROJECT.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A table of docs/ whose first column names options. A table is one of options if its first cell begins with "option",
 * "parameter" or "setting".
 *
 * @param page name of the file
 * @param section heading above the table, without its marks
 * @param head first cell of the table
 * @param rows text of the row by each option in code in its first cell
 */
record OptionTable(String page, String section, String head, Map<String, String> rows) {

    private static final Path DOCS =
            Path.of(System.getProperty("project.basedir", ".")).resolve("docs");
    private static final Pattern HEAD = Pattern.compile("\\| ((?:option|parameter|setting)\\b[^|]*?) \\|.*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** All tables of options on all pages. */
    static List<OptionTable> all() {
        List<OptionTable> tables = new ArrayList<>();
        try (Stream<Path> pages = Files.list(DOCS)) {
            for (Path page : pages.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                tables.addAll(of(page.getFileName().toString(), Files.readString(page)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return tables;
    }

    /** The tables of options in a page, in order. */
    static List<OptionTable> of(String page, String text) {
        List<OptionTable> tables = new ArrayList<>();
        String section = "";
        OptionTable open = null;
        for (String line : text.split("\n", -1)) {
            Matcher head = HEAD.matcher(line);
            if (line.startsWith("#")) {
                section = line.replaceFirst("^#+ ", "").replace("`", "");
            } else if (open == null && head.matches()) {
                open = new OptionTable(page, section, head.group(1), new LinkedHashMap<>());
                tables.add(open);
            } else if (line.startsWith("|") == false) {
                open = null;
            } else if (open != null && line.startsWith("|---") == false) {
                open.add(line);
            }
        }
        return tables;
    }

    private void add(String line) {
        String cell = line.substring(1, line.indexOf('|', 1));
        CODE.matcher(cell).results().forEach(name -> rows.put(name.group(1), line));
    }

    Set<String> names() {
        return new TreeSet<>(rows.keySet());
    }

    /** Names the table in an error. */
    String place() {
        return page + ", " + section + ", [" + head + "]";
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of docs/operations.md that says which rights a feature needs: what is in code and has a colon is an action. */
final class RightsTable {

    private static final String HEADING = "## Rights";
    private static final Pattern ACTION = Pattern.compile("`([^`]*:[^`]*)`");

    /** The rights of a row: those on the cluster, and those on any index. */
    private final Map<String, Set<Role.Grant>> rows = new LinkedHashMap<>();

    private RightsTable() {}

    static RightsTable read(Path file) throws IOException {
        String text = Files.readString(file);
        String section = text.substring(text.indexOf(HEADING) + HEADING.length());
        int end = section.indexOf("\n## ");
        RightsTable table = new RightsTable();
        for (String line : (end < 0 ? section : section.substring(0, end)).split("\n", -1)) {
            if (line.startsWith("| ")) {
                table.add(List.of(line.substring(2).split(" ?\\| ?", -1)));
            }
        }
        return table;
    }

    private void add(List<String> cells) {
        Set<Role.Grant> rights = new LinkedHashSet<>();
        for (Matcher action = ACTION.matcher(cells.get(1)); action.find(); ) {
            rights.add(new Role.Grant(null, action.group(1)));
        }
        for (Matcher action = ACTION.matcher(cells.get(2)); action.find(); ) {
            rights.add(new Role.Grant("*", action.group(1)));
        }
        rows.put(cells.get(0), rights);
    }

    Set<Role.Grant> row(String name) {
        Set<Role.Grant> rights = rows.get(name);
        if (rights == null) {
            throw new AssertionError("no row [" + name + "], but " + rows.keySet());
        }
        return rights;
    }
}

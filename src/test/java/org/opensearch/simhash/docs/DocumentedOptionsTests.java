/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.docs;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Each option of a body, of a processor and of a URL, and each setting, is in a table of docs/; each option in such a table is
 * one of the code. A new parser, processor or parameter fails here until a table names it.
 */
public class DocumentedOptionsTests extends OpenSearchTestCase {

    private static final String OPTION = "option";
    private static final String PREFIX = "plugins.simhash.near_duplicate.";

    /** A table: the page, the section, the first cell. */
    private record Place(String page, String section, String head) {}

    /** The table that lists the fields of a parser, by the class that holds it. */
    private static final Map<String, Place> PARSERS = Map.ofEntries(
            Map.entry("DeduplicateParser", new Place("deduplicate.md", "Options", OPTION)),
            Map.entry("SetupOptions", new Place("existing-index.md", "Options", OPTION)),
            Map.entry("RestoreAction", new Place("undo.md", "Restore", OPTION)),
            Map.entry("UntagAction", new Place("undo.md", "Untag", OPTION)),
            Map.entry("ApplyOptions", new Place("review.md", "Apply", OPTION)),
            Map.entry("CalibrateOptions", new Place("calibrate.md", "Options", OPTION)),
            Map.entry("PrintQueryOptions.SIMHASH_PARSER", new Place("query.md", "Options", OPTION)),
            Map.entry("PrintQueryOptions.MINHASH_PARSER", new Place("minhash.md", "The query", OPTION)),
            Map.entry("PrintQueryOptions.PASSAGES_PARSER", new Place("passages.md", "The query", OPTION)),
            Map.entry("VerifyOptions", new Place("query.md", "Options", "option of `verify`")),
            Map.entry("FingerprintAction", new Place("helpers.md", "fingerprint", OPTION)),
            Map.entry("CompareAction", new Place("helpers.md", "compare", OPTION)),
            Map.entry("BlocksAction", new Place("passages.md", "Blocks", OPTION)),
            Map.entry("FeatureWeightsAction", new Place("helpers.md", "feature_weights", OPTION)));

    /** The option whose row shows the fields of an object inside a body. */
    private static final Map<String, Map.Entry<Place, String>> OBJECTS = Map.of(
            "DeduplicateOptions", Map.entry(new Place("deduplicate.md", "Options", OPTION), "candidates"),
            "SurvivorField", Map.entry(new Place("deduplicate.md", "Options", OPTION), "survivor"),
            "InspectedText", Map.entry(new Place("helpers.md", "compare", OPTION), "a"));

    /** What a search answers with, which is no option. */
    private static final Set<String> ANSWERS = Set.of("SimHashExt");

    private static final Map<String, Place> PROCESSORS = Map.of(
            "TextProcessor.SIMHASH", new Place("processor.md", "Options", OPTION),
            "TextProcessor.MINHASH", new Place("minhash.md", "The processor", OPTION),
            "TextProcessor.PASSAGES", new Place("passages.md", "The processor", OPTION),
            "ImageHashProcessor", new Place("images.md", "image_hash: the perceptual hash of an image", OPTION),
            "NearDuplicateFactory", new Place("near-duplicate.md", "Options", OPTION),
            "CollapseOptions", new Place("collapse.md", "Options", OPTION));

    /** Part of the options of {@code simhash}. */
    private static final Place READY_HASHES = new Place("images.md", "hash_field: a ready hash", "option of `simhash`");

    /** The page whose tables of parameters list those of a class. */
    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("JobRequest", "deduplicate.md"),
            Map.entry("RethrottleAction", "deduplicate.md"),
            Map.entry("Endpoints", "undo.md"),
            Map.entry("HtmlPage", "review.md"),
            Map.entry("GroupChoice", "review.md"),
            Map.entry("GroupRows", "review.md"),
            Map.entry("CalibrateAction", "calibrate.md"),
            Map.entry("CheckAction", "check.md"),
            Map.entry("MendingRequest", "check.md"),
            Map.entry("StatsAction", "operations.md"),
            Map.entry("MetricsAction", "operations.md"));

    private final List<OptionTable> tables = OptionTable.all();

    public void testFieldsOfBodies() throws ReflectiveOperationException {
        Map<String, Set<String>> parsers = new TreeMap<>(CodeOptions.parsers());
        parsers.keySet().removeAll(ANSWERS);
        OBJECTS.forEach((owner, place) -> {
            String row = table(place.getKey()).rows().get(place.getValue());
            Set<String> fields = parsers.remove(owner);
            assertNotNull(owner, fields);
            fields.forEach(field -> assertTrue(
                    place + " does not show [" + field + "]",
                    row.contains("\"" + field + "\"") || row.contains("`" + field + "`")));
        });
        assertEquals("classes with a parser", new TreeSet<>(PARSERS.keySet()), new TreeSet<>(parsers.keySet()));
        parsers.forEach((owner, fields) -> assertEquals(
                place(PARSERS.get(owner)), fields, table(PARSERS.get(owner)).names()));
    }

    public void testOptionsOfProcessors() throws ReflectiveOperationException {
        Map<String, Set<String>> processors = CodeOptions.processors();
        PROCESSORS.forEach((owner, place) ->
                assertEquals(place(place), processors.get(owner), table(place).names()));
        Set<String> known = new TreeSet<>();
        PROCESSORS.keySet().forEach(owner -> known.addAll(processors.get(owner)));
        processors.forEach((owner, options) -> assertTrue(owner + ": " + options, known.containsAll(options)));
        Set<String> ready = table(READY_HASHES).names();
        assertTrue(place(READY_HASHES), processors.get("TextProcessor.SIMHASH").containsAll(ready));
        assertTrue(place(READY_HASHES), ready.containsAll(processors.get("GivenHash")));
    }

    public void testParametersOfUrls() throws Exception {
        Map<String, Set<String>> parameters = CodeOptions.parameters();
        assertEquals("classes that read parameters", new TreeSet<>(PARAMETERS.keySet()), parameters.keySet());
        Map<String, Set<String>> byPage = new TreeMap<>();
        parameters.forEach((owner, names) -> byPage.computeIfAbsent(PARAMETERS.get(owner), page -> new TreeSet<>())
                .addAll(names));
        Map<String, Set<String>> documented = new TreeMap<>();
        tables.stream()
                .filter(table -> table.head().startsWith("parameter"))
                .forEach(table -> documented
                        .computeIfAbsent(table.page(), page -> new TreeSet<>())
                        .addAll(table.names()));
        assertEquals(byPage, documented);
    }

    public void testSettings() throws IOException {
        Set<String> settings = new TreeSet<>();
        try (SimHashPlugin plugin = new SimHashPlugin()) {
            plugin.getSettings().forEach(setting -> settings.add(setting.getKey()));
        }
        Set<String> documented = new TreeSet<>();
        table(new Place("operations.md", "Settings", "setting")).names().stream()
                .filter(name -> name.startsWith("plugins."))
                .forEach(documented::add);
        assertEquals(settings, documented);
        Set<String> ofProcessor = new TreeSet<>();
        table(new Place("near-duplicate.md", "Settings", "setting `" + PREFIX + "`"))
                .names()
                .forEach(name -> ofProcessor.add(PREFIX + name));
        settings.removeIf(name -> name.startsWith(PREFIX) == false);
        assertEquals(settings, ofProcessor);
    }

    public void testEveryTableOfOptionsIsCompared() {
        Set<Place> compared = new HashSet<>(PARSERS.values());
        compared.addAll(PROCESSORS.values());
        compared.add(READY_HASHES);
        tables.stream()
                .filter(table -> table.head().startsWith(OPTION))
                .forEach(table -> assertTrue(
                        table.place(), compared.contains(new Place(table.page(), table.section(), table.head()))));
    }

    public void testTablesAreRead() {
        List<OptionTable> read = OptionTable.of("page.md", """
                ## The `x`

                | option | default |
                |---|---|
                | `a`, `b` or `c` | 1 |

                | field | |
                |---|---|
                | `d` | |

                ### Settings
                | setting `p.` | |
                |---|---|
                | `e.f` | `g` |""");
        assertEquals(2, read.size());
        assertEquals("The x", read.get(0).section());
        assertEquals(Set.of("a", "b", "c"), read.get(0).names());
        assertEquals("page.md, Settings, [setting `p.`]", read.get(1).place());
        assertEquals(Set.of("e.f"), read.get(1).names());
    }

    private OptionTable table(Place place) {
        List<OptionTable> found = tables.stream()
                .filter(table -> new Place(table.page(), table.section(), table.head()).equals(place))
                .toList();
        assertEquals(place(place), 1, found.size());
        return found.get(0);
    }

    private static String place(Place place) {
        return Arrays.asList(place.page(), place.section(), place.head()).toString();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.options;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.opensearch.OpenSearchParseException;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.test.OpenSearchTestCase;

public class ProcessorOptionsTests extends OpenSearchTestCase {

    private static final Set<String> KNOWN = Set.of("a", "size", "name", "field", "target_field");

    private enum Colour {
        DARK_RED,
        BLUE
    }

    public void testTakesOutWhatIsRead() {
        Map<String, Object> definition = new HashMap<>(Map.of("size", 4, "name", "a.b"));
        assertEquals(
                "4 a.b",
                read(definition, options -> options.wholeNumber("size", 1) + " " + options.writableField("name", "x")));
        assertEquals(Set.of(), definition.keySet());
    }

    public void testAnUnknownOptionIsRefusedWithWhatWasMeant() {
        assertUnknown("unknown option [feild], did you mean [field]?", "feild");
        assertUnknown("unknown option [fields_of], did you mean [field]?", "fields_of");
        assertUnknown("unknown option [colour]", "colour");
    }

    private static void assertUnknown(String message, String option) {
        Map<String, Object> definition = new HashMap<>(Map.of(option, "x"));
        OpenSearchParseException e = expectThrows(
                OpenSearchParseException.class,
                () -> read(definition, options -> {
                    throw new AssertionError("no option is read");
                }));
        assertEquals(message, e.getMessage());
    }

    public void testWhatIsNullOrMissingIsNotGiven() {
        Map<String, Object> definition = new HashMap<>();
        if (randomBoolean()) {
            definition.put("a", null);
        }
        assertEquals("x", read(definition, options -> options.string("a", "x")));
        assertEquals("x", read(definition, options -> options.field("a", "x")));
        assertEquals(true, read(definition, options -> options.flag("a", true)));
        assertEquals(Integer.valueOf(3), read(definition, options -> options.wholeNumber("a", 3)));
        assertEquals(Colour.BLUE, read(definition, options -> options.choice("a", Colour.class, Colour.BLUE)));
        assertNull(read(definition, options -> options.number("a", "must be one")));
        assertNull(read(definition, options -> options.list("a")));
        assertNull(read(definition, options -> options.object("a")));
        assertNull(read(definition, options -> options.any("a")));
    }

    public void testReadsWhatPeopleType() {
        assertEquals(true, read(Map.of("a", "true"), options -> options.flag("a", false)));
        assertEquals(false, read(Map.of("a", false), options -> options.flag("a", true)));
        assertEquals(Integer.valueOf(7), read(Map.of("a", "7"), options -> options.wholeNumber("a", 1)));
        assertEquals(Integer.valueOf(7), read(Map.of("a", 7.0), options -> options.wholeNumber("a", 1)));
        for (Object number : List.of(2.5, "2.5", 2.5f, "25e-1")) {
            assertEquals(Double.valueOf(2.5), read(Map.of("a", number), options -> options.number("a", "must be one")));
        }
        assertEquals(
                Colour.DARK_RED, read(Map.of("a", "dark_red"), options -> options.choice("a", Colour.class, null)));
        assertEquals(List.of(1), read(Map.of("a", List.of(1)), options -> options.list("a")));
        assertEquals(Map.of("b", 1), read(Map.of("a", Map.of("b", 1)), options -> options.object("a")));
    }

    /** OpenSearch reads such a path as what is behind its beginning. */
    public void testAPathMayBeginWithTheSource() {
        assertEquals("b.c", read(Map.of("a", "_source.b.c"), options -> options.field("a", null)));
        assertEquals("b", read(Map.of("a", "_source._source.b"), options -> options.writableField("a", null)));
        assertEquals("_sourced.b", read(Map.of("a", "_sourced.b"), options -> options.field("a", null)));
        assertRefused(
                "[a] must name a field of the document, got: _id",
                "_source._id",
                options -> options.writableField("a", null));
    }

    public void testWhatIsWrongIsNamedWithTheRule() {
        assertRefused("[a] must be a string, got: 7", 7, options -> options.string("a", null));
        assertRefused("[a] must be a string, got: [b]", List.of("b"), options -> options.field("a", null));
        assertRefused("[a] must name a field, got an empty name", "", options -> options.field("a", null));
        for (String path : List.of(".", "b..c", ".b", "b.")) {
            assertRefused(
                    "[a] must name a field without empty parts between its dots, got: " + path,
                    path,
                    options -> options.field("a", null));
        }
        assertRefused(
                "[a] must name a field of the document, got: _id", "_id", options -> options.writableField("a", null));
        assertRefused("[a] must be true or false, got: yes", "yes", options -> options.flag("a", false));
        for (String path : List.of("_ingest._value", "_ingest._value.b")) {
            assertEquals(path, read(Map.of("a", path), options -> options.writableFieldOrElement("a", null)));
            assertRefused(
                    "[a] must name a field of the document, got: " + path,
                    path,
                    options -> options.writableField("a", null));
        }
        for (Object number : Arrays.asList(1.5, "x", Map.of())) {
            assertRefused("[a] must be a whole number, got: " + number, number, options -> options.wholeNumber("a", 1));
        }
        for (Object number : Arrays.asList(4294967296L, "-3e9")) {
            assertRefused(
                    "[a] must be a whole number of 32 bits, got: " + number,
                    number,
                    options -> options.wholeNumber("a", 1));
        }
        for (Object number : Arrays.asList("x", "NaN", true, Map.of())) {
            assertRefused("[a] must be one, got: " + number, number, options -> options.number("a", "must be one"));
        }
        assertRefused("[a] must be a list, got: b", "b", options -> options.list("a"));
        assertRefused("[a] must be an object, got: b", "b", options -> options.object("a"));
        for (Object choice : Arrays.asList("BLUE", "red", 1)) {
            assertRefused(
                    "[a] must be one of [dark_red, blue], got: " + choice,
                    choice,
                    options -> options.choice("a", Colour.class, null));
        }
    }

    /** With one in it the state of the cluster could not be published. */
    public void testHalfACharacterIsRefusedAnywhere() {
        for (Object half : List.of(
                "b\ud800", "\udc00b", List.of("b", "\ud800"), Map.of("b\ud800", 1), Map.of("b", List.of("\ud800")))) {
            String point = half.equals("\udc00b") ? "\\udc00" : "\\ud800";
            assertRefused("[a] must be text without lone surrogates, got: " + point, half, options -> options.any("a"));
        }
        assertEquals("b\ud83d\ude00", read(Map.of("a", "b\ud83d\ude00"), options -> options.any("a")));
    }

    /** Every node keeps what a pipeline says. */
    public void testTheOptionsOfAProcessorAreBounded() {
        assertEquals("x", read(Map.of("a", "x", "size", "y".repeat(3_900_000)), options -> options.any("a")));
        for (Object large : List.of(
                "y".repeat(4_000_000),
                Map.of("y".repeat(4_000_000), 1),
                List.of(Map.of("b", "y".repeat(2_000_000)), "z".repeat(2_000_000)),
                Collections.nCopies(4_000_000, 7))) {
            OpenSearchParseException e = expectThrows(
                    OpenSearchParseException.class, () -> read(Map.of("a", large), options -> options.any("a")));
            assertTrue(
                    e.getMessage(),
                    e.getMessage()
                            .startsWith("a processor must have at most 4000000 characters in its options, got: 4"));
        }
        assertUnknown("unknown option [" + "b".repeat(64) + "...]", "b".repeat(3_000_000));
    }

    /** A million digits would take minutes. */
    public void testALongTextIsNoNumber() {
        String zeros = "0".repeat(TypedNumber.MAX_LENGTH - 1);
        assertEquals(Integer.valueOf(7), read(Map.of("a", zeros + 7), options -> options.wholeNumber("a", 1)));
        for (String number : List.of("0" + zeros + 7, "7" + ".0".repeat(1_000_000), "0".repeat(3_000_000))) {
            assertRefused(
                    "[a] must be a whole number, got: " + number.substring(0, 64) + "...",
                    number,
                    options -> options.wholeNumber("a", 1));
        }
    }

    private static <T> T read(Map<String, ?> definition, Function<ProcessorOptions, T> reader) {
        @SuppressWarnings("unchecked")
        Map<String, Object> options =
                definition instanceof HashMap ? (Map<String, Object>) definition : new HashMap<>(definition);
        return ProcessorOptions.read("kind", "tag", options, KNOWN, reader);
    }

    private static void assertRefused(String message, Object value, Function<ProcessorOptions, Object> reader) {
        OpenSearchParseException e =
                expectThrows(OpenSearchParseException.class, () -> read(Map.of("a", value), reader));
        assertEquals(message, e.getMessage());
        assertEquals(List.of("kind"), e.getMetadata("opensearch.processor_type"));
        assertEquals(List.of("tag"), e.getMetadata("opensearch.processor_tag"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.SourceTexts.FieldTexts;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.test.OpenSearchTestCase;

/** Which values of a document are its text. */
public class DocumentTextsTests extends OpenSearchTestCase {

    public void testStringsNumbersBooleansAndArraysOfThese() {
        assertValues(List.of("some text"), "{'a': 'some text'}");
        assertValues(List.of(""), "{'a': ''}");
        assertValues(List.of("42"), "{'a': 42}");
        assertValues(List.of("-0.5"), "{'a': -0.5}");
        assertValues(
                List.of(new BigInteger("123456789012345678901234567890").toString()),
                "{'a': 123456789012345678901234567890}");
        assertValues(List.of("true"), "{'a': true}");
        assertValues(List.of("x", "1", "false", "y"), "{'a': ['x', 1, false, [['y']]]}");
    }

    public void testNullsAreLeftOut() {
        assertValues(List.of(), "{'a': null}");
        assertValues(List.of(), "{'a': []}");
        assertValues(List.of(), "{'a': [null, [null]]}");
        assertValues(List.of("x"), "{'a': [null, 'x']}");
        assertValues(List.of(), "{'b': 'x'}");
    }

    public void testDotPaths() {
        assertEquals(List.of("x"), values("a.b.c", "{'a': {'b': {'c': 'x'}}}"));
        assertEquals("a key with a dot", List.of("x"), values("a.b.c", "{'a.b': {'c': 'x'}}"));
        assertEquals(
                "objects in arrays", List.of("x", "y"), values("a.b", "{'a': [{'b': 'x'}, {'b': ['y']}, {'c': 'z'}]}"));
        assertEquals("through a text", List.of(), values("a.b", "{'a': 'text'}"));
        assertEquals("through null", List.of(), values("a.b", "{'a': null}"));
        assertEquals(List.of(), values("a.b", "{'a': {}}"));
    }

    /** OpenSearch indexes all of them; a text that is not seen is neither fingerprinted nor verified. */
    public void testNamesWithDotsBesideObjects() {
        for (String document : List.of(
                "{'mail.body': 'y', 'mail': {'subject': 's'}}",
                "{'mail': {'subject': 's'}, 'mail.body': 'y'}",
                "{'mail': {'body': null}, 'mail.body': 'y'}",
                "{'mail': null, 'mail.body': 'y'}",
                "{'mail': [], 'mail.body': ['y']}",
                "{'mail': [{'subject': 's'}, null], 'mail.body': 'y'}",
                "{'mail': [[{'body': 'y'}]], 'mail.subject': 's'}")) {
            assertEquals(document, List.of("y"), values("mail.body", document));
            assertEquals(document, "y", DocumentTexts.storedText("mail.body", json(document)));
            assertTrue(document, DocumentTexts.has("mail.body", json(document)));
        }
        assertEquals(List.of("x", "y"), values("mail.body", "{'mail.body': 'y', 'mail': [{'body': 'x'}]}"));
        assertEquals(
                "the shortest name first, whatever the order in the document",
                List.of("1", "2", "3", "4", "5", "6", "7"),
                values(
                        "a.b.c.d",
                        "{'a.b.c.d': 7, 'a.b.c': {'d': 6}, 'a.b': [{'c.d': 5}, {'c': {'d': [[]]}}],"
                                + " 'a': [{'b.c.d': 4, 'b.c': {'d': 3}, 'b': {'c.d': 2, 'c': [{'d': [1]}]}}]}"));
    }

    /** The language beside the text, too. */
    public void testALanguageUnderANameWithDots() {
        Recipe recipe = recipe("field", "text", "language_field", "meta.lang");
        String document = "{'text': 'x', 'meta': {'author': 'a'}, 'meta.lang': 'de'}";
        assertEquals("de", language(recipe, document));
        assertEquals("de", DocumentTexts.storedLanguage(recipe, json(document)));
    }

    public void testObjectsAreRefused() {
        assertRefused(
                "field [a] must hold text, numbers, booleans or arrays of these, got: an object",
                "a",
                "{'a': {'b': 'x'}}");
        assertRefused(
                "field [a] must hold text, numbers, booleans or arrays of these, got: an object", "a", "{'a': {}}");
        assertRefused(
                "field [a] must hold text, numbers, booleans or arrays of these, got: an object",
                "a",
                "{'a': ['x', {'b': 'y'}]}");
        assertRefused(
                "field [a.b] must hold text, numbers, booleans or arrays of these, got: an object",
                "a.b",
                "{'a': {'b': {'c': 1}}}");
    }

    public void testFieldsKeepTheirOrderAndWeightAndAbsentOnesAreLeftOut() {
        Recipe recipe = recipe("fields", List.of("title^3", "absent", "body"));
        assertEquals(
                Optional.of(new SourceTexts(
                        List.of(new FieldTexts(3, List.of("t")), new FieldTexts(1, List.of("b", "c"))), null)),
                DocumentTexts.read(recipe, json("{'body': ['b', 'c'], 'title': 't', 'other': {}}")));
    }

    public void testADocumentWithNoneOfTheFieldsHasNoTexts() {
        Recipe recipe = recipe("fields", List.of("a", "b"));
        assertEquals(Optional.empty(), DocumentTexts.read(recipe, json("{'c': 'x'}")));
        assertEquals(Optional.empty(), DocumentTexts.read(recipe, json("{'a': null, 'b': [null]}")));
        assertTrue(DocumentTexts.read(recipe, json("{'a': null, 'b': ''}")).isPresent());
    }

    public void testTheLanguageIsReadBesideTheText() {
        Recipe recipe = recipe("field", "text", "language_field", "meta.lang");
        assertEquals("zh-CN", language(recipe, "{'text': 'x', 'meta': {'lang': 'zh-CN'}}"));
        assertEquals("the first of several", "de", language(recipe, "{'text': 'x', 'meta': {'lang': ['de', 'fr']}}"));
        assertEquals(
                "the first that is none is missing",
                "de",
                language(recipe, "{'text': 'x', 'meta': {'lang': ['', 'de']}}"));
        assertNull(language(recipe, "{'text': 'x', 'meta': {'lang': ' '}}"));
        assertNull(language(recipe, "{'text': 'x', 'meta': {'lang': null}}"));
        assertNull(language(recipe, "{'text': 'x'}"));
        assertNull(language(recipe("field", "text"), "{'text': 'x', 'meta': {'lang': 'de'}}"));
    }

    private static String language(Recipe recipe, String document) {
        return DocumentTexts.read(recipe, json(document)).orElseThrow().language();
    }

    private static void assertValues(List<String> expected, String document) {
        assertEquals(document, expected, values("a", document));
    }

    private static void assertRefused(String message, String path, String document) {
        IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> values(path, document));
        assertEquals(message, e.getMessage());
    }

    public void testArraysAndSetsOfScriptsAreArrays() {
        Map<String, Object> document = new HashMap<>();
        document.put("a", new String[] {"one", "two"});
        document.put("b", new LinkedHashSet<>(List.of("one", "two")));
        for (String path : List.of("a", "b")) {
            assertEquals(path, List.of("one", "two"), DocumentTexts.values(path, document));
            assertEquals(path, "one\ntwo", DocumentTexts.storedText(path, document));
        }
    }

    private static List<String> values(String path, String document) {
        return DocumentTexts.values(path, json(document));
    }

    private static Recipe recipe(Object... options) {
        Map<String, Object> map = new HashMap<>();
        List<Object> given = Arrays.asList(options);
        for (int i = 0; i < given.size(); i += 2) {
            map.put((String) given.get(i), given.get(i + 1));
        }
        return ProcessorOptions.read(
                "simhash", null, map, TextProcessor.OPTIONS.get(SketchKind.SIMHASH), RecipeParser::parse);
    }

    /** Parsed as the node parses documents. */
    private static Map<String, Object> json(String document) {
        return XContentHelper.convertToMap(JsonXContent.jsonXContent, document.replace('\'', '"'), true);
    }
}

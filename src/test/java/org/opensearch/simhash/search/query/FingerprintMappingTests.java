/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.function.ThrowingRunnable;
import org.opensearch.common.compress.CompressedXContent;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperService.MergeReason;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.search.match.FingerprintedDocument;
import org.opensearch.simhash.search.match.IndexedFields;
import org.opensearch.simhash.search.match.Print.Target;
import org.opensearch.simhash.search.query.FingerprintMapping.KnownFields;
import org.opensearch.test.AbstractBuilderTestCase;
import org.opensearch.test.TestGeoShapeFieldMapperPlugin;

/** Which mappings a fingerprint can be searched in, and what is said of the others. */
public class FingerprintMappingTests extends AbstractBuilderTestCase {

    private static final String KEYWORD = "{'type': 'keyword'}";
    private static final String TEXT = "{'type': 'text', 'fields': {'keyword': {'type': 'keyword'}}}";
    private static final String BITS = "{'type': 'long', 'index': false}";

    @Override
    @SuppressWarnings("deprecation") // the base class maps a geo_shape and has no other plugin for it
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, TestGeoShapeFieldMapperPlugin.class);
    }

    @Override
    protected void initializeAdditionalMappings(MapperService mapperService) throws IOException {
        String segments = ", 'segment_0': " + KEYWORD + ", 'segment_1': " + KEYWORD;
        String dynamic = ", 'segment_0': " + TEXT + ", 'segment_1': " + TEXT;
        List<String> objects = List.of(
                object("template", BITS, KEYWORD, KEYWORD, segments),
                object("dynamic", "{'type': 'long'}", TEXT, TEXT, dynamic),
                "'only_short': {'properties': {'digest': " + KEYWORD + ", 'scheme': " + KEYWORD + "}}",
                "'only_bits': {'properties': {'bits': " + BITS + "}}",
                object("mixed", BITS, TEXT, KEYWORD, dynamic),
                "'aliases': {'properties': {'bits': {'type': 'alias', 'path': 'template.bits'},"
                        + " 'digest': {'type': 'alias', 'path': 'dynamic.digest.keyword'},"
                        + " 'scheme': {'type': 'alias', 'path': 'template.scheme'}}}",
                "'leaf': " + KEYWORD,
                object("bits_keyword", KEYWORD, KEYWORD, KEYWORD, segments),
                object("bits_double", "{'type': 'double'}", KEYWORD, KEYWORD, segments),
                object("bits_integer", "{'type': 'integer'}", KEYWORD, KEYWORD, segments),
                object("bits_unsigned", "{'type': 'unsigned_long'}", KEYWORD, KEYWORD, segments),
                object("bits_bare", "{'type': 'long', 'doc_values': false}", KEYWORD, KEYWORD, segments),
                "'bits_absent': {'properties': {'segment_0': " + KEYWORD + "}}",
                object("digest_text", BITS, "{'type': 'text'}", KEYWORD, segments),
                object("digest_long", BITS, "{'type': 'long'}", KEYWORD, segments),
                object("scheme_hidden", BITS, KEYWORD, "{'type': 'keyword', 'index': false}", segments),
                object("scheme_sub", BITS, KEYWORD, TEXT.replace("'type': 'keyword'", "'type': 'long'"), segments),
                object("segment_long", BITS, KEYWORD, KEYWORD, segments + ", 'segment_2': {'type': 'long'}"),
                object("segment_folded", BITS, KEYWORD, KEYWORD, segments + ", 'segment_2': {'type': 'wildcard'}"),
                object("digest_cut", BITS, "{'type': 'keyword', 'ignore_above': 31}", KEYWORD, segments),
                object(
                        "digest_sub_cut",
                        BITS,
                        TEXT.replace("'keyword'}", "'keyword', 'ignore_above': 8}"),
                        KEYWORD,
                        segments),
                object("scheme_cut", BITS, KEYWORD, "{'type': 'keyword', 'ignore_above': 63}", segments),
                object("scheme_folded", BITS, KEYWORD, "{'type': 'keyword', 'normalizer': 'lowercase'}", segments),
                object(
                        "segment_normalized",
                        BITS,
                        KEYWORD,
                        KEYWORD,
                        segments + ", 'segment_2': {'type': 'keyword', 'normalizer': 'lowercase'}"),
                object(
                        "just_enough",
                        BITS,
                        "{'type': 'keyword', 'ignore_above': 32}",
                        "{'type': 'keyword', 'ignore_above': 64}",
                        ", 'segment_0': {'type': 'keyword', 'ignore_above': 4}"),
                object("segments_mixed", BITS, KEYWORD, KEYWORD, segments + ", 'segment_2': " + TEXT),
                "'pages': {'type': 'nested', 'properties': {" + object("print", BITS, KEYWORD, KEYWORD, segments)
                        + "}}",
                "'copied': {'type': 'nested', 'include_in_root': true, 'properties': {"
                        + object("print", BITS, KEYWORD, KEYWORD, segments) + "}}",
                "'out': {'type': 'nested', 'properties': {'in': {'type': 'nested', 'include_in_parent': true, 'properties': {"
                        + object("print", BITS, KEYWORD, KEYWORD, segments) + "}}}}",
                "'aside': {'dynamic': false, 'properties': {'bits': " + BITS + ", 'digest': " + KEYWORD + "}}",
                "'aside_but_templates': {'dynamic': 'false_allow_templates', 'properties': {'bits': " + BITS
                        + ", 'digest': " + KEYWORD + "}}",
                "'templates_for_all': {'dynamic': 'false_allow_templates', 'properties': {'bits': " + BITS
                        + ", 'digest': " + KEYWORD + "}}",
                "'half_alias': {'properties': {'bits': " + BITS
                        + ", 'digest': {'type': 'alias', 'path': 'template.digest'}}}",
                "'short_aside': {'dynamic': false, 'properties': {'digest': " + KEYWORD + ", 'scheme': " + KEYWORD
                        + "}}",
                "'whole': {'dynamic': false, 'properties': {'bits': " + BITS + ", 'digest': " + KEYWORD + ", 'scheme': "
                        + KEYWORD + "}}",
                "'closed': {'dynamic': false, 'properties': {'inner': {'properties': {'hash': " + KEYWORD + "}}}}",
                "'off': {'type': 'object', 'enabled': false}",
                "'off_but_mapped': {'type': 'object', 'enabled': false, 'properties': {'bits': " + BITS + ", 'digest': "
                        + KEYWORD + ", 'scheme': " + KEYWORD + "}}",
                "'deep': {'properties': {" + object("er", BITS, KEYWORD, KEYWORD, segments) + "}}");
        String templates = "'dynamic_templates': [{'scheme': {'path_match': 'templates_for_all.scheme', 'mapping': "
                + KEYWORD + "}}]";
        String mapping = "{" + templates + ", 'properties': {" + String.join(",\n", objects) + "}}";
        mapperService.merge("_doc", new CompressedXContent(mapping.replace('\'', '"')), MergeReason.MAPPING_UPDATE);
    }

    private static String object(String name, String bits, String digest, String scheme, String segments) {
        return "'" + name + "': {'properties': {'bits': " + bits + ", 'digest': " + digest + ", 'scheme': " + scheme
                + segments + "}}";
    }

    public void testTheMappingOfTheTemplate() {
        assertEquals(Optional.of(FingerprintedDocument.fields("template")), fields("template"));
        assertEquals(Optional.of(FingerprintedDocument.fields("deep.er")), fields("deep.er"));
    }

    public void testNestedFingerprintsCanBeSearchedAndNotRead() {
        assertEquals(Optional.of(FingerprintedDocument.fields("pages.print")), fields("pages.print"));
        QueryShardException e = expectThrows(
                QueryShardException.class,
                () -> new FingerprintMapping(createShardContext(), "pages.print").readableFields());
        assertEquals(
                "[simhash] [field] must be an object of the document itself, but [pages.print] is inside of [pages] of type"
                        + " [nested]; map [pages.print] as in the plugin's config/index-template.json",
                e.getMessage());
        assertThrows(
                "copied to where nothing reads it",
                QueryShardException.class,
                () -> new FingerprintMapping(createShardContext(), "out.in.print").readableFields());
        assertEquals(
                Optional.of(FingerprintedDocument.fields("copied.print")),
                new FingerprintMapping(createShardContext(), "copied.print").readableFields());
    }

    public void testDynamicMapping() {
        assertEquals(
                Optional.of(new IndexedFields(
                        "dynamic.bits",
                        "dynamic.digest.keyword",
                        "dynamic.scheme.keyword",
                        "dynamic.segment_",
                        ".keyword")),
                fields("dynamic"));
        assertEquals(
                Optional.of(new IndexedFields(
                        "mixed.bits", "mixed.digest.keyword", "mixed.scheme", "mixed.segment_", ".keyword")),
                fields("mixed"));
    }

    /** Documents have it, and no search would find them by it. */
    public void testPartsThatTheMappingLeavesAsideAreRefused() {
        Target bare = Target.of(7);
        Target whole = new Target(OptionalLong.of(7), "0".repeat(32), "v1-00000000");
        Target ofShortText = new Target(OptionalLong.empty(), "0".repeat(32), null);
        require("aside", bare);
        require("aside", ofShortText);
        assertLeftAside("aside", "scheme", () -> require("aside", whole));
        assertLeftAside("short_aside", "bits", () -> require("short_aside", bare));
        require("short_aside", ofShortText);
        assertLeftAside(
                "aside_but_templates",
                "aside_but_templates",
                "false_allow_templates",
                "scheme",
                () -> require("aside_but_templates", whole));
        assertLeftAside("closed.inner", "closed.inner", "false", "bits", () -> require("closed.inner", bare));
        assertLeftAside(
                "templates_for_all",
                "templates_for_all",
                "false_allow_templates",
                "scheme",
                () -> require("templates_for_all", whole));
        require("whole", whole);
        require("only_bits", whole);
        assertEquals("no fingerprints at all", Optional.empty(), fields("closed.inner"));
    }

    private void require(String object, Target target) {
        new UnmappedParts(createShardContext(), object).require(List.of(target));
    }

    /** Jobs would take the tags of all that they do not read. */
    public void testWhoReadsFingerprintsNeedsAllParts() {
        for (String object : List.of("aside", "short_aside")) {
            FingerprintMapping mapping = new FingerprintMapping(createShardContext(), object);
            assertTrue(mapping.fields().isPresent());
            assertLeftAside(object, object.equals("aside") ? "scheme" : "bits", mapping::readableFields);
        }
        assertTrue(new FingerprintMapping(createShardContext(), "whole")
                .readableFields()
                .isPresent());
        assertTrue(new FingerprintMapping(createShardContext(), "only_short")
                .readableFields()
                .isPresent());
    }

    private static void assertLeftAside(String object, String part, ThrowingRunnable read) {
        assertLeftAside(object, object, "false", part, read);
    }

    private static void assertLeftAside(
            String object, String around, String dynamic, String part, ThrowingRunnable read) {
        Exception e = expectThrows(QueryShardException.class, read);
        assertEquals(
                "[simhash] [" + object + "." + part + "] must be mapped, but is not, and [" + around
                        + "] has [dynamic] [" + dynamic + "]; map [" + object
                        + "] as in the plugin's config/index-template.json",
                e.getMessage());
    }

    public void testUnmappedPartsAreNoReasonToFail() {
        assertEquals(Optional.empty(), fields("unmapped"));
        assertEquals("an object, but of other things", Optional.empty(), fields("deep"));
        assertEquals(Optional.of(FingerprintedDocument.fields("only_short")), fields("only_short"));
        assertEquals(Optional.of(FingerprintedDocument.fields("only_bits")), fields("only_bits"));
    }

    public void testWhereUnmappedFieldsAreNotAllowedWhatIsMappedIsFound() {
        QueryShardContext strict = createShardContext();
        strict.setAllowUnmappedFields(false);
        assertEquals(fields("template"), new FingerprintMapping(strict, "template").fields());
        assertEquals(fields("only_short"), new FingerprintMapping(strict, "only_short").fields());
        assertEquals(fields("only_bits"), new FingerprintMapping(strict, "only_bits").fields());
        QueryShardException e =
                expectThrows(QueryShardException.class, () -> new FingerprintMapping(strict, "unmapped").fields());
        assertEquals("No field mapping can be found for the field with name [unmapped.bits]", e.getMessage());
    }

    public void testAliasesAreRefused() {
        assertRefused(
                "[aliases.bits] must be of type [long] with doc values, but is an alias of [template.bits]", "aliases");
        assertRefused(
                "[half_alias.digest] must be of type [keyword], but is an alias of [template.digest]", "half_alias");
    }

    public void testAFieldThatIsNoObject() {
        assertRefused(
                "[field] must be the object that the [simhash] processor writes, but [leaf] is of type [keyword]",
                "leaf");
        assertRefused(
                "[field] must be the object that the [simhash] processor writes, but [template.bits] is of type [long]",
                "template.bits");
    }

    /** As documents may have them, and nobody would see that none is found. */
    public void testAnObjectThatIsNotEnabled() {
        for (String object : List.of("off", "off.print", "off.page.print")) {
            assertRefused(
                    "[" + object
                            + "] must be an object with mapped fields, but [off] is of type [object] with [enabled]"
                            + " false",
                    object);
        }
    }

    public void testBitsMustBeALongWithDocValues() {
        for (String type : List.of("keyword", "double", "integer", "unsigned_long")) {
            String object = "bits_" + type.replace("_long", "");
            assertRefused(
                    "[" + object + ".bits] must be of type [long] with doc values, but is of type [" + type + "]",
                    object);
        }
        assertRefused(
                "[bits_bare.bits] must be of type [long] with doc values, but is of type [long] without doc values",
                "bits_bare");
        assertRefused("[bits_absent.bits] must be of type [long] with doc values, but is not mapped", "bits_absent");
    }

    public void testTermsMustBeKeywords() {
        String rule = " must be of type [keyword], or [text] with a [keyword] sub-field, but is of type ";
        assertRefused("[digest_text.digest]" + rule + "[text]", "digest_text");
        assertRefused("[digest_long.digest]" + rule + "[long]", "digest_long");
        assertRefused("[scheme_hidden.scheme]" + rule + "[keyword] and not indexed", "scheme_hidden");
        assertRefused("[scheme_sub.scheme]" + rule + "[text]", "scheme_sub");
        assertRefused("[segment_long.segment_2]" + rule + "[long]", "segment_long");
        assertRefused("[segment_folded.segment_2]" + rule + "[wildcard]", "segment_folded");
    }

    /** Their matches were not found. */
    public void testTermsMustBeWhole() {
        String rule = " must be of type [keyword] with all values as they are, but is of type ";
        assertRefused("[digest_cut.digest]" + rule + "[keyword] with [ignore_above] 31", "digest_cut");
        assertRefused("[digest_sub_cut.digest]" + rule + "[text] with [ignore_above] 8", "digest_sub_cut");
        assertRefused("[scheme_cut.scheme]" + rule + "[keyword] with [ignore_above] 63", "scheme_cut");
        // All is lower case as it is.
        assertEquals(Optional.of(FingerprintedDocument.fields("scheme_folded")), fields("scheme_folded"));
        assertEquals(Optional.of(FingerprintedDocument.fields("segment_normalized")), fields("segment_normalized"));
        assertEquals(Optional.of(FingerprintedDocument.fields("just_enough")), fields("just_enough"));
    }

    public void testSegmentsMustBeMappedAlike() {
        assertRefused(
                "[segments_mixed.segment_2] must be mapped like the segments before it, but is of type [text]",
                "segments_mixed");
    }

    public void testFieldsAreFoundOnceInAMapping() throws IOException {
        KnownFields known = new KnownFields();
        IndexedFields found = known.of(createShardContext(), "template").orElseThrow();
        assertEquals(FingerprintedDocument.fields("template"), found);
        assertSame(found, known.of(createShardContext(), "template").orElseThrow());
        assertEquals(fields("dynamic"), known.of(createShardContext(), "dynamic"));
        assertEquals(Optional.empty(), known.of(createShardContext(), "later"));
        expectThrows(QueryShardException.class, () -> known.of(createShardContext(), "leaf"));
        String later = "{'properties': {" + object("later", BITS, KEYWORD, KEYWORD, "") + "}}";
        createShardContext()
                .getMapperService()
                .merge("_doc", new CompressedXContent(later.replace('\'', '"')), MergeReason.MAPPING_UPDATE);
        assertEquals(fields("later"), known.of(createShardContext(), "later"));
        IndexedFields again = known.of(createShardContext(), "template").orElseThrow();
        assertNotSame("of another mapping", found, again);
        assertEquals(found, again);
    }

    private static Optional<IndexedFields> fields(String object) {
        return new FingerprintMapping(createShardContext(), object).fields();
    }

    private static void assertRefused(String message, String object) {
        QueryShardException e = expectThrows(QueryShardException.class, () -> fields(object));
        assertEquals(
                "[simhash] " + message + "; map [" + object + "] as in the plugin's config/index-template.json",
                e.getMessage());
        assertEquals(400, e.status().getStatus());
    }
}

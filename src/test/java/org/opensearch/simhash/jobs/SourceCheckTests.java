/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlocks;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.DataStream;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;

class SourceCheckTests {

    private static final String DELETE = "{'action':'delete','archive':{'index':'removed'}}";

    @Test
    void testNothingIsArchivedOfADataStream() throws IOException {
        IndexMetadata backing = index(DataStream.getDefaultBackingIndexName("events", 1), "{}", Settings.EMPTY);
        DataStream stream =
                new DataStream("events", new DataStream.TimestampField("@timestamp"), List.of(backing.getIndex()));
        ClusterState state = state(Metadata.builder().put(backing, false).put(stream));
        String index = backing.getIndex().getName();
        assertRefused(
                "[archive] must be false for [" + index + "], an index of the data stream [events], into which nothing"
                        + " can be restored, got: removed",
                state,
                index,
                DELETE);
        for (String options : List.of("{}", "{'action':'tag'}", "{'action':'delete','archive':false}")) {
            assertDoesNotThrow(() -> check(state, index, options), options);
        }
    }

    /** Each copy and each group would be refused, the ones of a whole run. */
    @Test
    void testNothingIsWrittenIntoDataStreams() throws IOException {
        IndexMetadata backing = index(DataStream.getDefaultBackingIndexName("events", 1), "{}", Settings.EMPTY);
        DataStream stream =
                new DataStream("events", new DataStream.TimestampField("@timestamp"), List.of(backing.getIndex()));
        ComposableIndexTemplate logs = new ComposableIndexTemplate(
                List.of("logs-*"), null, null, null, null, null, new ComposableIndexTemplate.DataStreamTemplate());
        ClusterState state = state(Metadata.builder()
                .put(index("docs", "{}", Settings.EMPTY), false)
                .put(backing, false)
                .put(stream)
                .put("logs", logs));
        assertRefused(
                "[archive] must be no data stream, nor an index of one, got: events",
                state,
                "docs",
                DELETE.replace("removed", "events"));
        String index = backing.getIndex().getName();
        assertRefused(
                "[dest] must be no data stream, nor an index of one, got: " + index + ", which is one of [events]",
                state,
                "docs",
                "{'dest':{'index':'" + index + "'}}");
        assertRefused(
                "[archive] must be the name of an index: the template [logs] makes a data stream of it, got: logs-gone",
                state,
                "docs",
                DELETE.replace("removed", "logs-gone"));
    }

    @Test
    void testAnAliasOfTheArchiveIsNoPlaceForGroups() throws IOException {
        IndexMetadata removed = IndexMetadata.builder(index("removed", "{}", Settings.EMPTY))
                .putAlias(AliasMetadata.builder("kept"))
                .build();
        ClusterState state = state(Metadata.builder()
                .put(index("docs", "{}", Settings.EMPTY), false)
                .put(removed, false));
        assertRefused(
                "[dest] and [archive] must be different indices, got: kept",
                state,
                "docs",
                "{'action':'delete','archive':{'index':'removed'},'dest':{'index':'kept'}}");
    }

    /** Copies that nobody finds would not come back. */
    @Test
    void testAnArchiveIsSeenAsAWhole() throws IOException {
        Map<String, AliasMetadata.Builder> aliases = Map.of(
                "routing", AliasMetadata.builder("kept").routing("a"),
                "a filter", AliasMetadata.builder("kept").filter("{\"term\":{\"a\":1}}"));
        for (String part : aliases.keySet()) {
            IndexMetadata removed = IndexMetadata.builder(index("removed", "{}", Settings.EMPTY))
                    .putAlias(aliases.get(part))
                    .build();
            ClusterState state = state(Metadata.builder()
                    .put(index("docs", "{}", Settings.EMPTY), false)
                    .put(removed, false));
            assertRefused(
                    "[archive] must be an index, or an alias without filter and routing, got: kept, which has " + part
                            + " in [removed]",
                    state,
                    "docs",
                    DELETE.replace("removed", "kept"));
            assertDoesNotThrow(() -> check(state, "docs", DELETE));
        }
    }

    /** OpenSearch's updates index the stored source again. */
    @Test
    void testNoDocumentLosesWhatItsSourceLeavesOut() throws IOException {
        for (String source : List.of("{'excludes':['content']}", "{'includes':['simhash']}")) {
            ClusterState state =
                    state(Metadata.builder().put(index("docs", "{'_source':" + source + "}", Settings.EMPTY), false));
            Exception e = assertThrows(IllegalArgumentException.class, () -> check(state, "docs", "{'action':'tag'}"));
            assertTrue(
                    e.getMessage().startsWith("[action] must be report or delete for [docs], which has [_source] {"),
                    e.getMessage());
            assertDoesNotThrow(() -> check(state, "docs", "{}"));
        }
    }

    /** A block is soon lifted, perhaps; it is told first. */
    @Test
    void testWhereNoIndexTakesWritesThatIsToldBeforeWhatAMappingLacks() throws IOException {
        String lacking = "{'_source':{'excludes':['content']}}";
        IndexMetadata first = index("docs", lacking, Settings.EMPTY);
        IndexMetadata second = index("more", lacking, Settings.EMPTY);
        ClusterState state = state(Metadata.builder().put(first, false).put(second, false));
        ClusterState one = ClusterState.builder(state)
                .blocks(ClusterBlocks.builder().addIndexBlock("more", IndexMetadata.INDEX_WRITE_BLOCK))
                .build();
        ClusterState both = ClusterState.builder(state)
                .blocks(ClusterBlocks.builder()
                        .addIndexBlock("docs", IndexMetadata.INDEX_READ_ONLY_BLOCK)
                        .addIndexBlock("more", IndexMetadata.INDEX_WRITE_BLOCK))
                .build();
        assertThrows(ClusterBlockException.class, () -> check(both, List.of("docs", "more"), "{'action':'tag'}"));
        assertDoesNotThrow(() -> check(both, List.of("docs", "more"), "{}"));
        assertThrows(IllegalArgumentException.class, () -> check(one, List.of("docs", "more"), "{'action':'tag'}"));
    }

    @Test
    void testTextsThatAreNotKeptCannotBeVerified() throws IOException {
        String verify = "{'verify':{'field':'content'}}";
        IndexMetadata lost = index("docs", "{'_source':{'excludes':['content']}}", Settings.EMPTY);
        assertRefused(
                "[verify] must have a [field] that is kept in [_source] or stored, got: [content], which is neither in"
                        + " [docs]",
                state(Metadata.builder().put(lost, false)),
                "docs",
                verify);
        for (String mapping : List.of(
                "{}",
                "{'_source':{'excludes':['contents']}}",
                "{'_source':{'excludes':['x']},'properties':{'content':{'type':'alias','path':'x'},"
                        + "'x':{'type':'text','store':true}}}",
                "{'_source':{'excludes':['content']},'properties':{'content':{'type':'text','store':true}}}")) {
            ClusterState kept = state(Metadata.builder().put(index("docs", mapping, Settings.EMPTY), false));
            assertDoesNotThrow(() -> check(kept, "docs", verify), mapping);
        }
    }

    @Test
    void testTextsThatAreElsewhereCannotBeVerified() throws IOException {
        String mapping = "{'properties':{'body':{'type':'alias','path':'content'},"
                + "'content':{'type':'text','fields':{'raw':{'type':'keyword'},'kept':{'type':'text','store':true}}}}}";
        ClusterState state = state(Metadata.builder().put(index("docs", mapping, Settings.EMPTY), false));
        for (String field : List.of("body", "content.raw")) {
            assertRefused(
                    "[verify] must have a [field] that is kept in [_source] or stored, got: [" + field
                            + "], which is neither in [docs]",
                    state,
                    "docs",
                    "{'verify':{'field':'" + field + "'}}");
        }
        assertDoesNotThrow(() -> check(state, "docs", "{'verify':{'field':'content.kept'}}"));
    }

    @Test
    void testNothingIsArchivedOfAnIndexThatKeepsPartsOnly() throws IOException {
        for (String source : List.of("{'enabled':false}", "{'excludes':['content']}", "{'includes':['simhash']}")) {
            ClusterState state =
                    state(Metadata.builder().put(index("docs", "{'_source':" + source + "}", Settings.EMPTY), false));
            Exception e = assertThrows(IllegalArgumentException.class, () -> check(state, "docs", DELETE));
            assertTrue(e.getMessage().startsWith("[archive] must be false for [docs], which has [_source] {"));
            assertDoesNotThrow(() -> check(state, "docs", "{'action':'delete','archive':false}"));
        }
    }

    @Test
    void testArchivesAreOnlyReported() throws IOException {
        String mapping = "{'properties':{'simhash_archive':{'properties':{'run':{'type':'keyword'}}}}}";
        ClusterState state = state(Metadata.builder().put(index("docs-removed", mapping, Settings.EMPTY), false));
        for (String options : List.of(DELETE, "{'action':'tag'}", "{'action':'delete','archive':false}")) {
            String action = options.contains("tag") ? "tag" : "delete";
            assertRefused(
                    "[action] must be report where indices are archives, got: " + action + " with [docs-removed], which"
                            + " maps [simhash_archive]",
                    state,
                    "docs-removed",
                    options);
        }
        assertDoesNotThrow(() -> check(state, "docs-removed", "{}"));
    }

    @Test
    void testIndicesWhoseDocumentsCannotChangeAreOnlyReported() throws IOException {
        Settings appendOnly = Settings.builder()
                .put(IndexMetadata.INDEX_APPEND_ONLY_ENABLED_SETTING.getKey(), true)
                .build();
        Settings pulled = Settings.builder()
                .put(IndexMetadata.SETTING_INGESTION_SOURCE_TYPE, "file")
                .build();
        areOnlyReported(appendOnly, "are append-only", "is append-only");
        areOnlyReported(pulled, "pull their documents", "pulls its documents ([index.ingestion_source])");
    }

    private void areOnlyReported(Settings settings, String those, String that) throws IOException {
        ClusterState state = state(Metadata.builder()
                .put(index("log", "{}", settings), false)
                .put(index("docs", "{}", Settings.EMPTY), false));
        for (String options : List.of(DELETE, "{'action':'tag'}", "{'action':'delete','archive':false}")) {
            String action = options.contains("tag") ? "tag" : "delete";
            assertRefused(
                    "[action] must be report where indices " + those + ", got: " + action + " with [log]",
                    state,
                    "log",
                    options);
        }
        assertDoesNotThrow(() -> check(state, "log", "{}"));
        assertRefused(
                "[dest] must be an index whose documents can be overwritten, got: log, which " + that,
                state,
                "docs",
                "{'dest':{'index':'log'}}");
        assertRefused(
                "[archive] must be an index whose copies can be taken back, got: log, which " + that,
                state,
                "docs",
                DELETE.replace("removed", "log"));
    }

    @Test
    void testAnArchiveKeepsAll() throws IOException {
        IndexMetadata docs = index("docs", "{}", Settings.EMPTY);
        for (String source : List.of("{'enabled':false}", "{'excludes':['content']}", "{'includes':['simhash']}")) {
            IndexMetadata removed = index("removed", "{'_source':" + source + "}", Settings.EMPTY);
            ClusterState state = state(Metadata.builder().put(docs, false).put(removed, false));
            Exception e = assertThrows(IllegalArgumentException.class, () -> check(state, "docs", DELETE));
            assertTrue(e.getMessage()
                    .startsWith("[archive] must keep the whole _source of documents, got: removed with [_source] {"));
        }
        IndexMetadata derived = index(
                "removed",
                "{}",
                Settings.builder().put("index.derived_source.enabled", true).build());
        assertRefused(
                "[archive] must keep the whole _source of documents, got: removed with"
                        + " [index.derived_source.enabled] true",
                state(Metadata.builder().put(docs, false).put(derived, false)),
                "docs",
                DELETE);
        IndexMetadata whole = index("removed", "{'_source':{'enabled':true,'excludes':[]}}", Settings.EMPTY);
        ClusterState state = state(Metadata.builder().put(docs, false).put(whole, false));
        assertDoesNotThrow(() -> check(state, "docs", DELETE));
    }

    @Test
    void testIndicesThatCannotBeMadeAreRefusedBeforeAnythingIsRead() throws IOException {
        ClusterState state = state(Metadata.builder().put(index("docs", "{}", Settings.EMPTY), false));
        assertRefused(
                "[dest] must be the name of an index: must be lowercase, got: Groups",
                state,
                "docs",
                "{'dest':{'index':'Groups'}}");
        for (String name : List.of("a b", "_groups", "a*", "..", "a,b", "<docs>")) {
            Exception e = assertThrows(
                    IllegalArgumentException.class, () -> check(state, "docs", DELETE.replace("removed", name)), name);
            assertTrue(e.getMessage().startsWith("[archive] must be the name of an index: "), e.getMessage());
            assertTrue(e.getMessage().endsWith(", got: " + name), e.getMessage());
        }
    }

    /** With fingerprints. */
    private static IndexMetadata index(String name, String mapping, Settings settings) throws IOException {
        String simhash = "'simhash':{'properties':{'bits':{'type':'long'}}}";
        String mapped = mapping.contains("'properties':{")
                ? mapping.replaceFirst("'properties':\\{", "'properties':{" + simhash + ",")
                : mapping.replaceFirst("}$", (mapping.length() > 2 ? "," : "") + "'properties':{" + simhash + "}}");
        return plain(name, mapped, settings);
    }

    private static IndexMetadata plain(String name, String mapping, Settings settings) throws IOException {
        return IndexMetadata.builder(name)
                .settings(Settings.builder()
                        .put(settings)
                        .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                        .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
                        .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0))
                .putMapping("{\"_doc\":" + mapping.replace('\'', '"') + "}")
                .build();
    }

    private static ClusterState state(Metadata.Builder metadata) {
        return ClusterState.builder(new ClusterName("test")).metadata(metadata).build();
    }

    private static void assertRefused(String message, ClusterState state, String index, String options) {
        Exception e = assertThrows(IllegalArgumentException.class, () -> check(state, index, options));
        assertEquals(message, e.getMessage());
    }

    private static void check(ClusterState state, String index, String options) throws IOException {
        check(state, List.of(index), options);
    }

    private static void check(ClusterState state, List<String> indices, String options) throws IOException {
        try (XContentParser parser = JsonXContent.jsonXContent.createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                options.replace('\'', '"'))) {
            DeduplicateOptions read = DeduplicateOptions.named(parser).apply(null);
            new TargetCheck(state, read, indices).check();
            new SourceCheck(state, read).check(indices, indices);
        }
    }
}

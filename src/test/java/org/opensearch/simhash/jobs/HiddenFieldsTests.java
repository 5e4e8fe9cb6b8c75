/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.tests.index.FieldFilterLeafReader;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.MapperPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.builder.SearchSourceBuilder;

/** A field that the user may not see decides nothing: its values look missing, and a missing value equals a missing one. */
public class HiddenFieldsTests extends DeletingTestCase {

    private static final String HIDDEN = "tenant";

    /** As field-level security does it. */
    public static final class Hiding extends Plugin implements MapperPlugin {

        @Override
        public void onIndexModule(IndexModule module) {
            module.setReaderWrapper(index -> WithoutField::new);
        }

        @Override
        public Function<String, Predicate<String>> getFieldFilter() {
            return index -> field -> field.equals(HIDDEN) == false;
        }
    }

    private static final class WithoutField extends FilterDirectoryReader {

        WithoutField(DirectoryReader reader) throws IOException {
            super(reader, new SubReaderWrapper() {
                @Override
                public LeafReader wrap(LeafReader leaf) {
                    return new FieldFilterLeafReader(leaf, Set.of(HIDDEN), true);
                }
            });
        }

        @Override
        protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
            return new WithoutField(reader);
        }

        @Override
        public CacheHelper getReaderCacheHelper() {
            return in.getReaderCacheHelper();
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        List<Class<? extends Plugin>> plugins = new ArrayList<>(super.getPlugins());
        plugins.add(Hiding.class);
        return plugins;
    }

    public void testIsRefused() {
        client().admin()
                .indices()
                .prepareCreate(INDEX)
                .setMapping(Map.of("properties", Map.of(HIDDEN, Map.of("type", "keyword"))))
                .get();
        for (String tenant : List.of("a", "b")) {
            client().prepareIndex(INDEX)
                    .setId(tenant)
                    .setSource(Map.of("simhash", given(7), HIDDEN, tenant))
                    .get();
        }
        client().admin().indices().prepareRefresh(INDEX).get();
        for (String condition : List.of("'same':['tenant']", "'differ':['tenant']")) {
            String option = condition.substring(1, condition.indexOf("':"));
            Exception job = expectThrows(
                    Exception.class, () -> run("{" + condition.replace('\'', '"') + "}", Float.POSITIVE_INFINITY, 100));
            assertEquals(
                    "[" + option + "] must name mapped fields, but [tenant] is not mapped in [copies]",
                    job.getMessage());
            Exception search = expectThrows(Exception.class, () -> collapse(condition));
            assertEquals(
                    "[collapse_near_duplicates] [" + option
                            + "] must name fields that the user may see, but [tenant] of [copies] is hidden",
                    OpenSearchException.guessRootCauses(search)[0].getMessage());
            assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(search));
        }
        assertEquals(1, collapse("'max_distance':3").getHits().getHits().length);
    }

    private SearchResponse collapse(String options) {
        String pipeline = "{'request_processors':[{'collapse_near_duplicates':{" + options + "}}],"
                + "'response_processors':[{'collapse_near_duplicates':{}}]}";
        SearchSourceBuilder source = new SearchSourceBuilder();
        source.searchPipelineSource(
                XContentHelper.convertToMap(JsonXContent.jsonXContent, pipeline.replace('\'', '"'), true));
        return client().search(new SearchRequest(INDEX).source(source)).actionGet();
    }
}

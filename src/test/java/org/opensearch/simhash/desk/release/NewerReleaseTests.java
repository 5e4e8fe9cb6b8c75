/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.release;

import java.util.Collection;
import java.util.List;
import org.opensearch.Version;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.desk.DeskPart;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** A node of a newer release that has all that the plugin calls: the node looks at each class, and everything works. */
public class NewerReleaseTests extends OpenSearchSingleNodeTestCase {

    public static final class CheckedPlugin extends SimHashPlugin {
        public CheckedPlugin() {
            super(new DeskPart(new NodeRelease(
                    Version.fromString("3.42.0"), new MissingMembers(NewerReleaseTests.class.getClassLoader())::of)));
        }
    }

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(CheckedPlugin.class);
    }

    public void testEverythingWorks() {
        client().admin()
                .cluster()
                .preparePutPipeline(
                        "p",
                        new BytesArray(
                                "{\"processors\": [{\"simhash\": {\"field\": \"text\"}}, {\"near_duplicate\": {}}]}"),
                        MediaTypeRegistry.JSON)
                .get();
        String text = "the tram line opens on Monday and costs a lot of money";
        client().prepareIndex("docs")
                .setId("1")
                .setPipeline("p")
                .setSource("text", text)
                .get();
        client().admin().indices().prepareRefresh("docs").get();
        assertEquals(
                1,
                client().prepareSearch("docs")
                        .setQuery(QueryBuilders.wrapperQuery(
                                "{\"simhash\": {\"text\": \"" + text + "\", \"pipeline\": \"p\"}}"))
                        .get()
                        .getHits()
                        .getTotalHits()
                        .value());
        client().execute(CheckAction.INSTANCE, new CheckAction.Request(new String[] {"docs"}, "simhash", 1, 0))
                .actionGet();
    }
}

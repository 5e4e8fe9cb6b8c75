/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.jobs.job.JobServices;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.WritePace;
import org.opensearch.simhash.jobs.request.RequestOnIndices;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What a job asks before it runs: once for all of its indices, and on its own thread. */
public class RightsCheckTests extends OpenSearchSingleNodeTestCase {

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(SimHashPlugin.class, RequestHook.class);
    }

    @Override
    public void tearDown() throws Exception {
        RequestHook.clear();
        super.tearDown();
    }

    private static DeduplicateOptions options(String json) throws Exception {
        return DeduplicateOptions.named(JsonXContent.jsonXContent.createParser(
                        NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, json))
                .apply(null);
    }

    private RightsCheck check(String json, List<String> indices) throws Exception {
        return new RightsCheck(
                getInstanceFromNode(JobServices.class),
                new ActionFilters(Set.copyOf(new RequestHook().getActionFilters())),
                options(json),
                indices);
    }

    public void testEachRightIsAskedOnceForAllIndices() throws Exception {
        List<String> indices =
                IntStream.range(0, 40).mapToObj(index -> "docs-" + index).toList();
        indices.forEach(this::createIndex);
        List<Set<String>> asked = new ArrayList<>();
        RequestHook.set(request -> {
            if (request instanceof RequestOnIndices some) {
                asked.add(Set.of(some.indices()));
            }
            return null;
        });
        check("{\"action\":\"delete\",\"archive\":false}", indices).check();
        assertEquals(asked.toString(), 13, asked.size());
        assertEquals(Set.of(Set.copyOf(indices)), Set.copyOf(asked));
    }

    /** A filter may leave out what the caller may not see, in place of refusing the request. */
    public void testWhatAFilterLeavesOutIsRefused() throws Exception {
        createIndex("mine");
        createIndex("theirs");
        RequestHook.set(request -> {
            if (request instanceof RequestOnIndices some) {
                some.indices("mine");
            }
            return null;
        });
        RightsCheck check = check("{}", List.of("mine", "theirs"));
        OpenSearchSecurityException e = expectThrows(OpenSearchSecurityException.class, check::check);
        assertTrue(e.getMessage(), e.getMessage().endsWith("] on [theirs]"));
    }

    /** It parses the mapping of each index. */
    public void testTheObjectOfAJobIsLookedForOnItsOwnThread() throws Exception {
        createIndex("docs");
        DeduplicateOptions options = options("{}");
        List<String> threads = new ArrayList<>();
        DeduplicateAction.Request request = new DeduplicateAction.Request(
                new String[] {"docs"},
                print -> {
                    threads.add(Thread.currentThread().getName());
                    return options;
                },
                new WritePace(Float.POSITIVE_INFINITY, 100));
        threads.clear();
        expectThrows(
                IllegalArgumentException.class,
                () -> client().execute(DeduplicateAction.INSTANCE, request).actionGet());
        assertEquals(threads.toString(), 1, threads.size());
        assertTrue(threads.toString(), threads.getFirst().contains("simhash_job"));
    }
}

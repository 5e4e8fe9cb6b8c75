/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.index.query.TermsQueryBuilder;
import org.opensearch.simhash.jobs.HookedClusterTestCase;
import org.opensearch.simhash.jobs.RequestHook;

/** Whoever may not read all that is checked hears of it, and of the rest. */
public class CheckRightsClusterTests extends HookedClusterTestCase {

    private static final String TEXT =
            "The city council approved the new tram line on Monday. Construction starts in March and takes three years.";

    private void index(String name) {
        pipeline("checked", "{'processors': [{'simhash': {'field': 'content'}}]}");
        smallIndex(name, "index.default_pipeline", "checked");
        client().prepareIndex(name)
                .setSource(Map.of("content", TEXT))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
    }

    private static void refuse(String index) {
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && Arrays.asList(search.indices()).contains(index)) {
                throw new OpenSearchSecurityException(
                        "no permissions for [indices:data/read/search]", RestStatus.FORBIDDEN);
            }
            return null;
        });
    }

    private Map<String, Object> check(String... indices) {
        return client().execute(CheckAction.INSTANCE, new CheckAction.Request(indices, "simhash", 100, 100))
                .actionGet()
                .asMap();
    }

    public void testAnIndexThatMayNotBeReadIsAFindingBesideTheOthers() {
        index("open");
        index("secret");
        refuse("secret");
        Map<String, Object> answer = check("open", "secret");
        assertEquals(1, answer.get("documents"));
        assertEquals(1, answer.get("fingerprinted"));
        List<?> findings = (List<?>) answer.get("findings");
        assertEquals(findings.toString(), 1, findings.size());
        Map<?, ?> finding = (Map<?, ?>) findings.getFirst();
        assertEquals("not_searchable", finding.get("code"));
        assertEquals("secret", finding.get("index"));
        assertEquals(
                "the documents were not looked at: no permissions for [indices:data/read/search]",
                finding.get("message"));
    }

    /** What other steps find is said beside it. */
    public void testAStepThatFailsLeavesWhatTheOthersFind() {
        index("torn");
        client().prepareIndex("torn")
                .setPipeline("_none")
                .setSource(Map.of("content", TEXT))
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
                .get();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search
                    && search.source() != null
                    && search.source().query() instanceof TermsQueryBuilder) {
                throw new CircuitBreakingException("too large", CircuitBreaker.Durability.TRANSIENT);
            }
            return null;
        });
        Map<String, Object> answer = check("torn");
        assertEquals(2, answer.get("documents"));
        List<String> codes = ((List<?>) answer.get("findings"))
                .stream()
                        .map(finding -> (String) ((Map<?, ?>) finding).get("code"))
                        .sorted()
                        .toList();
        assertEquals(List.of("not_fingerprinted", "not_searchable"), codes);
    }

    public void testItEndsWhenItIsCancelled() {
        index("first");
        index("second");
        Set<String> searched = ConcurrentHashMap.newKeySet();
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search) {
                searched.addAll(Arrays.asList(search.indices()));
                client().admin()
                        .cluster()
                        .prepareCancelTasks()
                        .setActions(CheckAction.NAME)
                        .get();
            }
            return null;
        });
        Exception cancelled = expectThrows(TaskCancelledException.class, () -> check("first", "second"));
        assertTrue(cancelled.getMessage(), cancelled.getMessage().contains("cancelled"));
        assertEquals("the other one is not begun: " + searched, 1, searched.size());
    }

    /** An empty list would be all indices. */
    public void testWhereNoIndexIsLeftNoneIsChecked() {
        index("secret");
        RequestHook.set(request -> {
            if (request instanceof CheckAction.Request check) {
                check.indices(new String[0]);
            }
            return null;
        });
        Exception e = expectThrows(Exception.class, () -> check("secret"));
        assertEquals(RestStatus.NOT_FOUND, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)));
    }

    /** A search whose warnings cannot be found out for want of a right has its answer, without any. */
    public void testWarningsThatMayNotBeFoundOutAreNone() {
        index("open");
        RequestHook.set(request -> {
            if (request instanceof SearchRequest search && search.source().terminateAfter() == 1) {
                throw new OpenSearchSecurityException("no permissions", RestStatus.FORBIDDEN);
            }
            return null;
        });
        assertEquals(
                0,
                client().prepareSearch("open")
                        .setQuery(query("{\"simhash\":{\"text\":\"" + "Bake the bread at 230 degrees for ten minutes, "
                                + "then turn the oven down and wait for half an hour more." + "\"}}"))
                        .get()
                        .getHits()
                        .getHits()
                        .length);
    }
}

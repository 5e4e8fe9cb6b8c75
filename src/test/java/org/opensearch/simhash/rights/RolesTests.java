/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.http.HttpInfo;
import org.opensearch.index.reindex.ReindexModulePlugin;
import org.opensearch.ingest.common.IngestCommonModulePlugin;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.simhash.SimHashPlugin;
import org.opensearch.simhash.jobs.schedules.Scheduler;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.SampleIndex;
import org.opensearch.simhash.rights.RightsGuard.Asked;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.Netty4ModulePlugin;

/** The roles of {@code config/security/roles.yml} grant what is needed for what they are for, and nothing in vain. */
public class RolesTests extends OpenSearchSingleNodeTestCase {

    private static final String NEAR_ONE = "{\"query\":{\"simhash\":{\"text\":\"" + Scene.TRAM + "\"}}}";
    private static final Path PROJECT = Path.of(System.getProperty("project.basedir"));

    /** Nobody sees that they are lacking: something waits longer, or lives longer. */
    private static final Set<String> NOT_SEEN =
            Set.of("indices:admin/flush*", "indices:data/read/point_in_time/delete");

    /** What is done without them, though less, as the table says: warnings, conditions of {@code check}, duplicates that end. */
    private static final Set<String> NOT_REFUSED = Set.of(
            "simhash_reader indices:data/read/msearch",
            "simhash_ingester indices:data/read/mget",
            "simhash_ingester indices:data/read/mget*",
            "simhash_ingester indices:data/read/simhash/durable",
            "simhash_operator cluster:admin/ingest/pipeline/simulate");

    @Override
    protected Collection<Class<? extends Plugin>> getPlugins() {
        return List.of(
                SimHashPlugin.class,
                RightsGuard.class,
                CommonAnalysisModulePlugin.class,
                IngestCommonModulePlugin.class,
                PainlessModulePlugin.class,
                ReindexModulePlugin.class,
                Netty4ModulePlugin.class);
    }

    @Override
    protected boolean addMockHttpTransport() {
        return false;
    }

    @Override
    protected Settings nodeSettings() {
        return Settings.builder()
                .put(NetworkModule.HTTP_TYPE_KEY, Netty4ModulePlugin.NETTY_HTTP_TRANSPORT_NAME)
                .put(Scheduler.INTERVAL.getKey(), "1h")
                .build();
    }

    private URI address() {
        TransportAddress address = client().admin()
                .cluster()
                .prepareNodesInfo()
                .get()
                .getNodes()
                .getFirst()
                .getInfo(HttpInfo.class)
                .getAddress()
                .publishAddress();
        return URI.create("http://" + address.getAddress() + ":" + address.getPort());
    }

    public void testReader() throws Exception {
        replay("simhash_reader", ReaderFeatures::all);
    }

    public void testIngester() throws Exception {
        replay("simhash_ingester", IngesterFeatures::all);
    }

    public void testSetup() throws Exception {
        replay("simhash_setup", RolesTests::setup);
    }

    /** Without a right it ends before it changes anything that a write would be refused for. */
    static List<Feature> setup(Scene scene) {
        String index = "docs-setup";
        Runnable prepare = () -> {
            scene.must("PUT", "/_index_template/docs-setup", "{\"index_patterns\":[\"docs-setup\"],\"priority\":9}");
            scene.create(index, ",\"index.default_pipeline\":\"_none\"");
            scene.admin().send("DELETE", "/_ingest/pipeline/fingerprint-docs-setup", null);
            scene.fill(index);
        };
        Runnable use = () -> {
            Answer done = scene.as("POST", "/_plugins/_simhash/setup/" + index, "{\"apply\":true}");
            if (done.text().contains("\"failures\"")) {
                throw new Refused(done);
            }
            Scene.require("ok", done, "check.status");
        };
        Runnable settled = () -> scene.must("PUT", "/" + index + "/_doc/new", Scene.content(Scene.BREAD));
        return List.of(new Feature("setup", List.of("`setup`"), prepare, use, settled));
    }

    public void testOperator() throws Exception {
        Map<String, List<Asked>> asked = new HashMap<>();
        replay("simhash_operator", OperatorFeatures::all)
                .forEach((feature, rights) -> asked.put(feature.name(), rights));
        for (String job : List.of("report of what is new", "tag", "delete")) {
            Set<String> checked = places(asked.get("schedule: " + job));
            Set<String> lacking = places(asked.get(job));
            lacking.removeIf(
                    place -> checked.contains(place) || NOT_SEEN.stream().anyMatch(place::startsWith));
            assertEquals("a schedule is put without the rights of " + job, Set.of(), lacking);
        }
    }

    /** What is asked for, and where. */
    private static Set<String> places(List<Asked> rights) {
        return rights.stream()
                .map(right -> right.action() + " on " + right.index())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns which rights each feature asked for. */
    private Map<Feature, List<Asked>> replay(String name, Function<Scene, List<Feature>> all) throws Exception {
        Role role = Role.read(PROJECT.resolve("config/security/roles.yml")).get(name);
        try (Scene scene = new Scene(address(), name)) {
            new SampleIndex().configure(scene.admin());
            Map<Feature, List<Asked>> asked = new LinkedHashMap<>();
            for (Feature feature : all.apply(scene)) {
                asked.put(feature, use(feature, role));
            }
            assertAsDocumented(asked);
            List<String> wrong = new ArrayList<>();
            for (Role.Grant grant : role.grants()) {
                try {
                    assertNeeded(grant, role, asked);
                } catch (AssertionError e) {
                    wrong.add(e.getMessage());
                }
            }
            assertEquals(String.join("\n", wrong), List.of(), wrong);
            return asked;
        }
    }

    /** With the role as it is, nothing is refused. Returns which rights were asked for. */
    private static List<Asked> use(Feature feature, Role role) {
        End end = run(feature, role);
        assertEquals(feature + " is refused " + refused(), End.DONE, end);
        List<Asked> asked = RightsGuard.asked();
        for (Asked right : asked) {
            assertTrue(feature + " is refused " + right, right.isGranted());
        }
        assertEquals(feature + ": without the rights of the user", Set.of(), RightsGuard.byNode());
        return asked;
    }

    /** What came of it. */
    private enum End {
        DONE,
        OTHERWISE,
        REFUSED
    }

    /** Uses a feature, and looks at what is there afterwards. */
    private static End run(Feature feature, Role role) {
        RightsGuard.put(role);
        feature.prepare().run();
        RightsGuard.begin();
        End end = End.DONE;
        String failure = null;
        try {
            feature.use().run();
        } catch (Refused e) {
            end = End.REFUSED;
            failure = e.getMessage();
            assertTrue(failure, refused().stream().anyMatch(e::names));
        } catch (AssertionError e) {
            end = End.OTHERWISE;
            failure = e.getMessage();
        } finally {
            RightsGuard.beforeDelete(null);
        }
        try {
            feature.settled().run();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ", after " + failure, e);
        }
        return end;
    }

    /** The actions that were. */
    private static Set<String> refused() {
        return RightsGuard.asked().stream()
                .filter(right -> right.isGranted() == false)
                .map(Asked::action)
                .collect(Collectors.toSet());
    }

    /** Each right that a feature needs is in a row of the table, and none stands there in vain. */
    private static void assertAsDocumented(Map<Feature, List<Asked>> asked) throws IOException {
        RightsTable table = RightsTable.read(PROJECT.resolve("docs/operations.md"));
        Map<String, Set<Role.Grant>> unused = new TreeMap<>();
        asked.keySet()
                .forEach(feature -> feature.rows().forEach(row -> unused.put(row, new HashSet<>(table.row(row)))));
        asked.forEach((feature, rights) -> {
            for (Asked right : rights) {
                assertTrue(
                        feature + " needs what the table does not say: " + right,
                        feature.rows().stream()
                                .flatMap(row -> table.row(row).stream())
                                .anyMatch(right::isCoveredBy));
                feature.rows().forEach(row -> unused.get(row).removeIf(right::isCoveredBy));
            }
        });
        unused.values().removeIf(Set::isEmpty);
        assertEquals("nothing needs what the table says", Map.of(), unused);
    }

    /** Without it a feature is refused, or does less, as the table says. */
    private static void assertNeeded(Role.Grant grant, Role role, Map<Feature, List<Asked>> asked) {
        Role rest = role.without(grant);
        List<Feature> features = asked.keySet().stream()
                .filter(feature -> asked.get(feature).stream()
                        .anyMatch(right -> right.isCoveredBy(grant)
                                && rest.grants().stream().noneMatch(right::isCoveredBy)))
                .toList();
        assertFalse("nothing needs " + grant + " of " + role.name(), features.isEmpty());
        if (NOT_SEEN.contains(grant.action())) {
            return;
        }
        End expected = NOT_REFUSED.contains(role.name() + " " + grant.action()) ? End.OTHERWISE : End.REFUSED;
        Map<Feature, End> ends = new LinkedHashMap<>();
        for (Feature feature : features) {
            try {
                End end = run(feature, rest);
                ends.put(feature, end);
                assertTrue(
                        feature + " is not refused " + grant,
                        end == End.REFUSED || refused().isEmpty() == false);
                if (end == expected) {
                    return;
                }
            } catch (AssertionError e) {
                throw new AssertionError(feature + " without " + grant + ": " + e.getMessage(), e);
            }
        }
        fail(role.name() + " without " + grant + ": " + ends);
    }

    public void testOtherIndicesAreRefused() throws Exception {
        Map<String, Role> roles = Role.read(PROJECT.resolve("config/security/roles.yml"));
        roles.values().forEach(RightsGuard::put);
        URI address = address();
        requireOthersRefused(role -> new Scene(address, role));
    }

    /** Nothing is done with what the roles do not name, and nothing told of it. */
    static void requireOthersRefused(Function<String, Scene> scenes) {
        try (Scene scene = scenes.apply("simhash_reader")) {
            new SampleIndex().configure(scene.admin());
            scene.create("secret", ",\"index.default_pipeline\":\"fingerprint\"");
            scene.create("docs-open", "");
            scene.fill("secret");
            scene.fill("docs-open");
            assertRefused(scene, "indices:data/read/search", "POST", "/secret/_search", NEAR_ONE);
            assertRefused(scene, "indices:data/read/search", "POST", "/docs-open,secret/_search", NEAR_ONE);
            assertRefused(
                    scene,
                    "indices:data/read/mget",
                    "POST",
                    "/_plugins/_simhash/compare",
                    "{\"a\":{\"index\":\"secret\",\"id\":\"tram\"},\"b\":{\"text\":\"x\"}}");
            for (String all : List.of("secret", "*", "_all")) {
                assertRefused(
                        scene,
                        "indices:data/read/simhash/feature_weights",
                        "POST",
                        "/_plugins/_simhash/feature_weights/" + all,
                        "{}");
                assertRefused(scene, "indices:monitor/simhash/check", "GET", "/_plugins/_simhash/check/" + all, null);
            }
        }
        try (Scene scene = scenes.apply("simhash_ingester")) {
            assertRefused(scene, "indices:data/write/index", "PUT", "/secret/_doc/1", Scene.content(Scene.BREAD));
        }
        try (Scene scene = scenes.apply("simhash_operator")) {
            String job = "/_plugins/_simhash/deduplicate/";
            String deletes = "{\"max_distance\":16,\"action\":\"delete\",\"archive\":{\"index\":\"hidden\"}}";
            assertRefused(scene, "indices:data/write/simhash/deduplicate", "POST", job + "secret", deletes);
            assertRefused(scene, "indices:data/write/simhash/deduplicate", "POST", job + "docs-open,secret", deletes);
            assertRefused(scene, "indices:admin/create", "POST", job + "docs-open", deletes);
            String reports = "{\"max_distance\":16,\"dest\":{\"index\":\"secret-groups\"}}";
            assertRefused(scene, "indices:admin/create", "POST", job + "docs-open", reports);
            assertRefused(scene, "indices:data/write/simhash/untag", "POST", job + "secret/untag", null);
            assertEquals(Set.of("tram", "copy", "bread"), scene.ids("docs-open"));
            assertEquals(Set.of("tram", "copy", "bread"), scene.ids("secret"));
            for (String made : List.of("hidden", "secret-groups")) {
                assertEquals(404, scene.admin().send("HEAD", "/" + made, null).status());
            }
        }
    }

    private static void assertRefused(Scene scene, String action, String method, String path, String body) {
        Refused refused = expectThrows(Refused.class, () -> scene.as(method, path, body));
        assertTrue(refused.getMessage(), refused.names(action));
    }
}

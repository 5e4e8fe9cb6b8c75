/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.yaml.YamlXContent;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/** The roles on a node with a real security plugin; {@link RolesTests} tries each right of them. */
class RightsUnderSecurity {

    private static final Path ROLES = Path.of(System.getProperty("project.basedir"), "config", "security", "roles.yml");
    private static final String API = "/_plugins/_simhash/";

    /** They need a hook inside the node. */
    private static final Set<String> HOOKED =
            Set.of("delete what changes meanwhile", "delete what stays when its survivor changes meanwhile");

    private static final String HIDDEN_TEXT =
            "The ferry company bought the northern quay, and the heronry behind it is to"
                    + " become a harbour basin for the large ships of the Baltic line within four years.";

    private static SecuredNode node;
    private static Map<String, Map<String, Object>> roles;

    @BeforeAll
    static void start() throws IOException {
        node = SecuredNode.start();
        new SampleIndex().configure(node.admin());
        node.admin()
                .must(
                        "PUT",
                        "/_cluster/settings",
                        "{\"persistent\":{\"cluster.search.enabled_system_generated_factories\":[\"simhash_distinct\"]}}");
        roles = roles();
        roles.forEach(node::putRole);
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> roles() throws IOException {
        try (XContentParser yaml = YamlXContent.yamlXContent.createParser(
                NamedXContentRegistry.EMPTY,
                DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
                Files.newInputStream(ROLES))) {
            Map<String, Map<String, Object>> roles = new LinkedHashMap<>();
            yaml.mapOrdered().forEach((name, role) -> roles.put(name, (Map<String, Object>) role));
            roles.remove("_meta");
            return roles;
        }
    }

    @Test
    void testReaderDoesWhatItIsFor() {
        use("simhash_reader", ReaderFeatures::all);
    }

    @Test
    void testIngesterDoesWhatItIsFor() {
        use("simhash_ingester", IngesterFeatures::all);
    }

    @Test
    void testSetupDoesWhatItIsFor() {
        use("simhash_setup", RolesTests::setup);
    }

    @Test
    void testOperatorDoesWhatItIsFor() {
        use("simhash_operator", OperatorFeatures::all);
    }

    private static void use(String role, Function<Scene, List<Feature>> all) {
        try (Scene scene = node.scene(role)) {
            for (Feature feature : all.apply(scene)) {
                if (HOOKED.contains(feature.name()) == false) {
                    try {
                        feature.prepare().run();
                        feature.use().run();
                        feature.settled().run();
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(role + ": " + feature, e);
                    }
                }
            }
        }
    }

    @Test
    void testOtherIndicesAreRefused() {
        RolesTests.requireOthersRefused(node::scene);
    }

    /** Nothing but what the table says: each role sends each request. */
    @Test
    void testEachRouteIsForThoseWhoHaveItsRole() {
        RestClient admin = node.admin();
        admin.send("DELETE", "/docs-routes,groups-routes,removed-routes", null);
        admin.must("PUT", "/docs-routes", null);
        admin.must("PUT", "/docs-routes/_doc/1?refresh=true", Json.write(Map.of("content", Scene.TRAM)));
        admin.must(
                "POST",
                API + "deduplicate/docs-routes",
                "{\"dest\":{\"index\":\"groups-routes\"},\"query\":{\"match_all\":{}}}");
        String id =
                admin.must("GET", "/_cat/nodes?h=id&full_id=true", null).text().strip();
        String reader = "simhash_reader";
        String operator = "simhash_operator";
        String setup = "simhash_setup";
        String text = "{\"pipeline\":\"fingerprint\",\"text\":\"x\"}";
        String texts = "{\"pipeline\":\"fingerprint\",\"a\":{\"text\":\"x\"},\"b\":{\"text\":\"x\"}}";
        String some = "{\"run\":\"x\",\"archive\":{\"index\":\"removed-routes\"}}";
        String apply = "{\"run\":\"x\",\"dest\":{\"index\":\"groups-routes\"},\"action\":\"tag\"}";
        String schedule = "{\"every\":\"1d\",\"index\":\"docs-routes\",\"dest\":{\"index\":\"groups-routes\"}}";
        requireOnly(Set.of(reader, operator), "POST", "fingerprint", text);
        requireOnly(Set.of(reader, operator), "POST", "compare", texts);
        requireOnly(Set.of(reader), "POST", "feature_weights/docs-routes", "{}");
        requireOnly(Set.of(reader), "POST", "blocks/docs-routes", "{}");
        requireOnly(Set.of(setup), "POST", "setup/docs-routes", "{\"field\":\"content\"}");
        requireOnly(Set.of(reader, operator, setup), "GET", "check/docs-routes", null);
        requireOnly(Set.of(operator, setup), "POST", "check/docs-routes/mend", "{}");
        requireOnly(Set.of(operator), "POST", "calibrate/docs-routes", "{}");
        requireOnly(Set.of(operator), "POST", "deduplicate/docs-routes", "{}");
        requireOnly(Set.of(operator), "POST", "deduplicate/docs-routes/restore", some);
        requireOnly(Set.of(operator), "POST", "deduplicate/docs-routes/untag", "{}");
        requireOnly(Set.of(operator), "POST", "deduplicate/docs-routes/apply", apply);
        requireOnly(Set.of(operator), "GET", "deduplicate/runs?archive=removed-routes", null);
        requireOnly(Set.of(operator), "POST", "deduplicate/" + id + ":1/_rethrottle?requests_per_second=1", "{}");
        requireOnly(Set.of(operator), "PUT", "schedules/routes", schedule);
        requireOnly(Set.of(operator), "GET", "schedules", null);
        requireOnly(Set.of(operator), "DELETE", "schedules/routes", null);
        requireOnly(Set.of(reader, operator), "GET", "review/groups-routes/groups", null);
        requireOnly(
                Set.of(operator),
                "POST",
                "review/groups-routes/decide",
                "{\"index\":\"groups-routes\",\"group\":\"x\",\"if_seq_no\":1,\"if_primary_term\":1,\"decision\":\"accepted\"}");
        requireOnly(Set.of(reader, operator), "GET", "stats", null);
        requireOnly(Set.of(reader, operator), "GET", "metrics", null);
    }

    private static void requireOnly(Set<String> allowed, String method, String path, String body) {
        for (String role : roles.keySet()) {
            try (RestClient user = node.as(role)) {
                Answer answer = user.send(method, API + path, body);
                assertEquals(
                        allowed.contains(role),
                        answer.status() != 403,
                        () -> role + " " + method + " " + path + ": " + answer.text());
            }
        }
    }

    /** Of the roles, on documents of one tenant, or without their texts. */
    private static void putLimited(String suffix, String key, Object value) {
        for (String base : List.of("simhash_reader", "simhash_operator", "simhash_setup")) {
            Map<String, Object> role = new LinkedHashMap<>(roles.get(base));
            List<Object> indices = new ArrayList<>();
            for (Object permission : (List<?>) role.get("index_permissions")) {
                Map<String, Object> limited = new LinkedHashMap<>();
                ((Map<?, ?>) permission).forEach((name, content) -> limited.put((String) name, content));
                List<?> patterns = (List<?>) limited.get("index_patterns");
                if (patterns.contains("docs*")) {
                    limited.put("index_patterns", List.of("docs*"));
                    limited.put(key, value);
                    indices.add(limited);
                    List<Object> others = new ArrayList<>(patterns);
                    others.remove("docs*");
                    if (others.isEmpty() == false) {
                        Map<String, Object> rest = new LinkedHashMap<>(limited);
                        rest.remove(key);
                        rest.put("index_patterns", others);
                        indices.add(rest);
                    }
                } else {
                    indices.add(limited);
                }
            }
            role.put("index_permissions", indices);
            node.putRole(base + suffix, role);
        }
    }

    /** Two documents of tenant a that are near one of tenant b, and two of tenant b. */
    private static void fill(String index) {
        RestClient admin = node.admin();
        admin.send("DELETE", "/" + index + ",groups-" + index, null);
        admin.must("PUT", "/" + index, "{\"mappings\":{\"properties\":{\"tenant\":{\"type\":\"keyword\"}}}}");
        StringBuilder lines = new StringBuilder();
        Map.of(
                        "seen-1", List.of("a", Scene.TRAM),
                        "seen-2", List.of("a", Scene.COPY),
                        "hidden-1", List.of("b", Scene.TRAM.replace("October", "November")),
                        "hidden-2", List.of("b", HIDDEN_TEXT),
                        "hidden-3", List.of("b", HIDDEN_TEXT.replace("four", "five")))
                .forEach((id, document) -> lines.append("{\"index\":{\"_id\":\"" + id + "\"}}\n{\"tenant\":\""
                        + document.getFirst() + "\",\"content\":\"" + document.getLast() + "\"}\n"));
        admin.must("POST", "/" + index + "/_bulk?refresh=true", lines.toString());
    }

    @Test
    void testDocumentsThatAUserMayNotSee() {
        putLimited("_documents", "dls", "{\"term\":{\"tenant\":\"a\"}}");
        fill("docs-tenants");
        Answer hidden = node.admin().must("GET", "/docs-tenants/_doc/hidden-2", null);
        String hash = hidden.string("_source.simhash.hash");
        String near = "\"max_distance\":16";
        try (RestClient reader = node.as("simhash_reader_documents");
                RestClient operator = node.as("simhash_operator_documents")) {
            for (String source : List.of(
                    "\"text\":\"" + Scene.TRAM + "\"",
                    "\"text\":\"" + HIDDEN_TEXT + "\"",
                    "\"id\":\"seen-1\"",
                    "\"hash\":\"" + hash + "\"")) {
                String query = "{\"query\":{\"simhash\":{" + source + "," + near + "}}";
                for (String more : List.of("}", ",\"ext\":{\"simhash\":{\"evidence\":true,\"distinct\":{}}}}")) {
                    requireNothingHidden(reader.must("POST", "/docs-tenants/_search", query + more));
                }
                requireNothingHidden(
                        reader.must("POST", "/docs-tenants/_search?search_pipeline=distinct", query + "}"));
            }
            String byHiddenId = "{\"query\":{\"simhash\":{\"id\":\"hidden-2\"}}}";
            assertEquals(
                    404,
                    reader.send("POST", "/docs-tenants/_search", byHiddenId).status());
            String compared = "{\"a\":{\"index\":\"docs-tenants\",\"id\":\"seen-1\"},"
                    + "\"b\":{\"index\":\"docs-tenants\",\"id\":\"hidden-1\"}}";
            assertEquals(404, reader.send("POST", API + "compare", compared).status());
            requireNothingHidden(reader.must("POST", API + "feature_weights/docs-tenants", "{}"));
            Answer check = reader.must("GET", API + "check/docs-tenants", null);
            assertEquals(2, check.number("documents"));
            requireNothingHidden(check);
            Answer job = operator.must(
                    "POST",
                    API + "deduplicate/docs-tenants",
                    "{" + near + ",\"dest\":{\"index\":\"groups-docs-tenants\"}}");
            assertEquals(2, job.number("documents"));
            assertEquals(2, job.number("largest_group"));
            requireNothingHidden(job);
            requireNothingHidden(operator.must("POST", API + "calibrate/docs-tenants", "{}"));
            node.admin().must("POST", "/groups-docs-tenants/_refresh", null);
            requireNothingHidden(node.admin().must("GET", "/groups-docs-tenants/_search", null));
            requireNothingHidden(operator.must("GET", API + "review/groups-docs-tenants/groups", null));
            // The security plugin refuses updates.
            requireNothingHidden(operator.send(
                    "POST", API + "deduplicate/docs-tenants", "{" + near + ",\"action\":\"tag\",\"groups\":\"all\"}"));
            assertEquals(
                    null,
                    node.admin()
                            .must("GET", "/docs-tenants/_doc/hidden-1", null)
                            .at("_source.simhash.group"));
            requireNothingHidden(reader.must("GET", API + "metrics", null));

            // Groups that somebody else has found.
            node.admin()
                    .must(
                            "POST",
                            API + "deduplicate/docs-tenants",
                            "{" + near + ",\"dest\":{\"index\":\"groups-docs-tenants\"}}");
            node.admin().must("POST", "/groups-docs-tenants/_refresh", null);
            Answer page = reader.must("GET", API + "review/groups-docs-tenants/groups", null);
            assertFalse(page.text().contains("Baltic"), page.text());
            assertFalse(page.text().contains("November"), page.text());
        }
    }

    private static void requireNothingHidden(Answer answer) {
        for (String hidden : List.of("hidden-", "Baltic", "heronry", "November")) {
            assertFalse(answer.text().contains(hidden), answer::text);
        }
    }

    @Test
    void testTextsThatAUserMayNotSee() {
        putLimited("_fields", "fls", List.of("~content"));
        fill("docs-fields");
        try (RestClient reader = node.as("simhash_reader_fields");
                RestClient operator = node.as("simhash_operator_fields")) {
            String near = "{\"query\":{\"simhash\":{\"text\":\"" + Scene.TRAM + "\",\"max_distance\":16";
            Answer found = reader.must("POST", "/docs-fields/_search", near + "}}}");
            assertTrue(found.ids().contains("seen-1"), found.text());
            requireNoText(found);
            Answer verified =
                    reader.send("POST", "/docs-fields/_search", near + ",\"verify\":{\"field\":\"content\"}}}}");
            assertTrue(verified.ok() == false || verified.ids().isEmpty(), verified.text());
            requireNoText(reader.send(
                    "POST",
                    API + "compare",
                    "{\"a\":{\"index\":\"docs-fields\",\"id\":\"seen-1\"},"
                            + "\"b\":{\"index\":\"docs-fields\",\"id\":\"hidden-2\"}}"));
            requireNoText(reader.send("POST", API + "feature_weights/docs-fields", "{}"));
            requireNoText(reader.send("GET", API + "check/docs-fields", null));
            requireNoText(operator.send("POST", API + "calibrate/docs-fields", "{}"));
            Answer deletes = operator.send(
                    "POST",
                    API + "deduplicate/docs-fields",
                    "{\"action\":\"delete\",\"archive\":{\"index\":\"removed-fields\"}}");
            requireNoText(deletes);
            node.admin().must("POST", "/docs-fields/_refresh", null);
            assertEquals(
                    5, node.admin().must("GET", "/docs-fields/_count", null).number("count"));
        }
    }

    private static void requireNoText(Answer answer) {
        for (String word : List.of("council", "Baltic", "heronry", "ferry")) {
            assertFalse(answer.text().contains(word), answer::text);
        }
    }

    /** What is read through a filter would be written again with holes, or with masks. */
    @Test
    void testNothingIsWrittenAgainOfWhatAUserSeesInPart() {
        String refusal = "must be read by a user to whom security shows all fields, none of them masked";
        RestClient admin = node.admin();
        for (String filter : List.of("fls", "masked_fields")) {
            putLimited("_" + filter, filter, List.of(filter.equals("fls") ? "~tenant" : "tenant"));
            fill("docs-parts");
            admin.send("DELETE", "/docs-archive,removed-parts,docs-plain", null);
            String job = API + "deduplicate/docs-parts";
            String run = admin.must("POST", job, "{\"max_distance\":16,\"dest\":{\"index\":\"groups-docs-parts\"}}")
                    .string("run");
            admin.must("POST", "/groups-docs-parts/_refresh", null);
            String apply =
                    "{\"dest\":{\"index\":\"groups-docs-parts\"},\"run\":\"" + run + "\",\"only\":\"not_rejected\",";
            String whole = admin.must("GET", "/docs-parts/_search?sort=_id&_source=tenant,content&size=9", null)
                    .at("hits.hits")
                    .toString();
            String archive = ",\"archive\":{\"index\":\"removed-parts\"}}";
            String delete = "\"action\":\"delete\"";
            String merge = "\"action\":\"tag\",\"merge\":[\"tenant\"]";
            try (RestClient operator = node.as("simhash_operator_" + filter);
                    RestClient setup = node.as("simhash_setup_" + filter)) {
                for (String action : List.of(
                        delete + archive,
                        delete + ",\"archive\":false}",
                        merge + archive,
                        delete + ",\"merge\":[\"tenant\"]" + archive)) {
                    requireRefused(operator.send("POST", job, "{\"max_distance\":16," + action), refusal);
                    requireRefused(operator.send("POST", job + "/apply", apply + action), refusal);
                }
                requireRefused(operator.send("POST", API + "check/docs-parts/mend", "{}"), refusal);
                admin.must("PUT", "/docs-plain", "{\"settings\":{\"index.default_pipeline\":\"_none\"}}");
                admin.must(
                        "PUT",
                        "/docs-plain/_doc/1?refresh=true",
                        Json.write(Map.of("content", Scene.TRAM, "tenant", "a")));
                requireRefused(setup.send("POST", API + "setup/docs-plain", "{\"apply\":true}"), refusal);
                assertEquals(
                        whole,
                        admin.must("GET", "/docs-parts/_search?sort=_id&_source=tenant,content&size=9", null)
                                .at("hits.hits")
                                .toString());
                Answer copies = admin.send("GET", "/removed-parts/_count", null);
                assertTrue(copies.status() == 404 || copies.number("count") == 0, copies::text);

                Answer deleted = admin.must(
                        "POST", job, "{" + delete + ",\"archive\":{\"index\":\"docs-archive\"},\"max_distance\":16}");
                String restore = "{\"run\":\"" + deleted.string("run") + "\",\"archive\":{\"index\":\"docs-archive\"}}";
                requireRefused(operator.send("POST", job + "/restore", restore), refusal);
                admin.must("POST", job + "/restore", restore);
                admin.must("POST", "/docs-parts/_refresh", null);
                assertEquals(
                        whole,
                        admin.must("GET", "/docs-parts/_search?sort=_id&_source=tenant,content&size=9", null)
                                .at("hits.hits")
                                .toString());
            }
        }
    }

    private static void requireRefused(Answer answer, String refusal) {
        assertEquals(403, answer.status(), answer::text);
        assertTrue(answer.text().contains(refusal), answer::text);
    }

    /** It sees what its owner sees, and cannot be put by others. */
    @Test
    void testAScheduleHasTheRolesOfItsOwner() throws InterruptedException {
        putLimited("_schedules", "dls", "{\"term\":{\"tenant\":\"a\"}}");
        fill("docs-schedules");
        String body = "{\"every\":\"1h\",\"index\":\"docs-schedules\",\"max_distance\":16,"
                + "\"dest\":{\"index\":\"groups-docs-schedules\"}}";
        try (RestClient operator = node.as("simhash_operator_schedules")) {
            Answer put = operator.must("PUT", API + "schedules/tenant", body);
            assertEquals("simhash_operator_schedules", put.at("created_by"));
            Answer ended = ended(operator);
            assertEquals("completed", ended.at("last_run.result"), ended.text());
            node.admin().must("POST", "/groups-docs-schedules/_refresh", null);
            Answer groups = node.admin().must("GET", "/groups-docs-schedules/_search", null);
            assertTrue(groups.text().contains("seen-1"), groups.text());
            requireNothingHidden(groups);

            node.admin().send("PUT", "/closed", null);
            for (String other : List.of("closed", "missing")) {
                Answer refused =
                        operator.send("PUT", API + "schedules/other", body.replace("\"docs-schedules", "\"" + other));
                assertEquals(403, refused.status(), refused.text());
            }
            String elsewhere = body.replace("groups-docs-schedules", "docs-and-not-groups");
            requireRefused(operator, elsewhere, "indices:admin/create");
            // Under document-level security nobody updates.
            requireRefused(
                    operator, body.replace("\"dest\"", "\"action\":\"tag\",\"dest\""), "Update is not supported");
        } finally {
            node.admin().send("DELETE", API + "schedules/tenant", null);
        }
    }

    private static void requireRefused(RestClient user, String schedule, String reason) {
        Answer refused = user.send("PUT", API + "schedules/other", schedule);
        assertEquals(true, refused.status() >= 400, refused.text());
        assertTrue(refused.text().contains(reason), refused.text());
        assertEquals(404, user.send("GET", API + "schedules/other", null).status());
    }

    /** A schedule that could not run is refused: for what an operator without that right sends. */
    @Test
    void testAScheduleThatItsOwnerMayNotRunIsRefused() {
        Map<String, String> needed = Map.of(
                "indices:data/read/get", "\"new_since\":\"last\"",
                "indices:data/write/delete", "\"action\":\"delete\",\"archive\":{\"index\":\"removed-rights\"}",
                "indices:data/write/simhash/deduplicate", "\"action\":\"report\"",
                "indices:data/read/simhash/pairs", "\"action\":\"report\"",
                "indices:data/write/bulk*", "\"action\":\"report\"");
        fill("docs-rights");
        needed.forEach((right, options) -> {
            node.putRole("simhash_operator_rights", without(roles.get("simhash_operator"), right));
            try (RestClient operator = node.as("simhash_operator_rights");
                    RestClient whole = node.as("simhash_operator")) {
                String body = "{\"every\":\"1d\",\"index\":\"docs-rights\"," + options
                        + ",\"dest\":{\"index\":\"groups-rights\"}}";
                requireRefused(operator, body, right.replace("*", ""));
                whole.must("PUT", API + "schedules/rights", body);
                whole.must("DELETE", API + "schedules/rights", null);
            }
        });
    }

    private static Map<String, Object> without(Map<String, Object> role, String right) {
        Map<String, Object> less = new LinkedHashMap<>(role);
        less.put(
                "index_permissions",
                ((List<?>) role.get("index_permissions"))
                        .stream()
                                .map(permission -> {
                                    Map<Object, Object> some = new LinkedHashMap<>((Map<?, ?>) permission);
                                    List<Object> actions = new ArrayList<>((List<?>) some.get("allowed_actions"));
                                    actions.remove(right);
                                    some.put("allowed_actions", actions);
                                    return some;
                                })
                                .toList());
        return less;
    }

    /** The last run that started since the schedule was put. */
    private static Answer ended(RestClient client) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (true) {
            Answer schedule = client.must("GET", API + "schedules/tenant", null);
            Object started = schedule.at("last_run.started_at");
            boolean isNew = started != null
                    && Instant.parse((String) started).isAfter(Instant.parse(schedule.string("created_at")));
            if (isNew || System.nanoTime() > end) {
                return schedule;
            }
            Thread.sleep(100);
        }
    }
}

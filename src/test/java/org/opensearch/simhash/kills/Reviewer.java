/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/**
 * Stores some near texts that nobody else writes, lets a job report groups, rejects groups or members of them, accepts others, and
 * lets {@code apply} tag or delete what was accepted.
 */
final class Reviewer implements Runnable {

    private static final int PAUSE_MILLIS = 500;
    private static final int FAMILIES = 4;
    private static final int PAGES = 10;
    private static final int MOST_MEMBERS = 20;
    private static final int MOST_GROUPS = 6;
    private static final String OWN = "review-";

    private final Load load;
    private final String name;
    private final RandomGenerator random;

    private int next;

    /** @param name part of the ids */
    Reviewer(Load load, String name, RandomGenerator random) {
        this.load = load;
        this.name = name;
        this.random = random;
    }

    /** A group, and the texts of its documents by id: the survivor first. */
    private record Group(Map<?, ?> stored, Map<String, Text> texts) {}

    @Override
    public void run() {
        while (load.goesOn(random, PAUSE_MILLIS)) {
            try {
                review(load.corpus(random), load.client(random));
            } catch (UncheckedIOException | IllegalStateException killed) {
                Thread.onSpinWait();
            }
        }
    }

    private void review(Corpus corpus, RestClient client) {
        plant(corpus, client);
        client.must("POST", "/" + corpus.index() + "/_refresh", null);
        Map<String, Object> report = JobStarter.options(corpus, JobRun.Kind.TAG);
        report.put("action", "report");
        String run =
                client.must("POST", JobStarter.path(corpus), Json.write(report)).string("run");
        long seen = load.history().now();
        List<Group> groups = new ArrayList<>();
        for (Map<?, ?> stored : chosen(corpus, client, run)) {
            texts(corpus, client, stored).ifPresent(texts -> groups.add(new Group(stored, texts)));
        }
        if (groups.isEmpty()) {
            return;
        }
        decide(corpus, client, groups);
        for (Group group : groups) {
            load.history().see(corpus, group.texts, seen);
        }
        if (random.nextBoolean()) {
            JobRun.Kind kind = JobStarter.KINDS.get(random.nextInt(JobStarter.KINDS.size()));
            Map<String, Object> apply = JobStarter.effect(corpus, kind);
            apply.put("run", run);
            if (kind != JobRun.Kind.TAG) {
                apply.put("verify", corpus.rule().get("verify"));
            }
            JobStarter.send(client, load.history(), corpus, kind, JobStarter.path(corpus) + "/apply", apply);
        }
    }

    /** Some families of two to four near texts. */
    private void plant(Corpus corpus, RestClient client) {
        var bulk = new Bulk(corpus, random.nextBoolean() ? "none" : "tag");
        for (int family = 0; family < FAMILIES; family++) {
            var text = new Text(load.families().secret(false), random.nextInt(Text.TWINS), 0);
            int number = next++;
            for (int i = 1 + random.nextInt(3); i >= 0; i--) {
                bulk.put(OWN + name + "-" + number + "-" + i, Families.variant(text, random));
            }
        }
        bulk.send(client, load.history());
    }

    /** All groups of own documents that are not decided, and some others. */
    private List<Map<?, ?>> chosen(Corpus corpus, RestClient client, String run) {
        List<Map<?, ?>> own = new ArrayList<>();
        List<Map<?, ?>> others = new ArrayList<>();
        String path = "/_plugins/_simhash/review/" + corpus.groups() + "/groups?decision=open&size=100&run=" + run
                + "&max_size=" + MOST_MEMBERS;
        Object after = "";
        for (int page = 0; page < PAGES && after != null; page++) {
            Answer answer = client.must("GET", path + (page == 0 ? "" : "&after=" + after), null);
            for (Object group : (List<?>) answer.at("groups")) {
                boolean isOwn =
                        String.valueOf(Json.at(group, "_source.survivor.id")).startsWith(OWN);
                (isOwn ? own : others).add((Map<?, ?>) group);
            }
            after = answer.at("next");
        }
        while (own.size() < MOST_GROUPS && others.isEmpty() == false) {
            own.add(others.remove(random.nextInt(others.size())));
        }
        return own;
    }

    /** Of each document by id, if all are as the job saw them. */
    private static Optional<Map<String, Text>> texts(Corpus corpus, RestClient client, Map<?, ?> group) {
        Map<String, Map<?, ?>> documents = new LinkedHashMap<>();
        Map<?, ?> survivor = (Map<?, ?>) Json.at(group, "_source.survivor");
        documents.put((String) survivor.get("id"), survivor);
        for (Object member : (List<?>) Json.at(group, "_source.members")) {
            documents.put((String) Json.at(member, "id"), (Map<?, ?>) member);
        }
        String ids = Json.write(Map.of("ids", List.copyOf(documents.keySet())));
        Answer found = client.must("POST", "/" + corpus.index() + "/_mget?_source_includes=text", ids);
        Map<String, Text> texts = new LinkedHashMap<>();
        for (Object document : (List<?>) found.at("docs")) {
            String id = (String) Json.at(document, "_id");
            Map<?, ?> then = documents.get(id);
            boolean isThat = then.get("index").equals(Json.at(document, "_index"))
                    && then.get("seq_no").equals(Json.at(document, "_seq_no"))
                    && then.get("primary_term").equals(Json.at(document, "_primary_term"));
            if (isThat == false) {
                return Optional.empty();
            }
            texts.put(id, Text.parse((String) Json.at(document, "_source.text")));
        }
        return Optional.of(texts);
    }

    private void decide(Corpus corpus, RestClient client, List<Group> groups) {
        List<Map<String, Object>> decisions = new ArrayList<>();
        List<List<String>> rejected = new ArrayList<>();
        for (Group group : groups) {
            List<String> members = new ArrayList<>(group.texts.keySet());
            members.removeFirst();
            Map<String, Object> decision = new HashMap<>();
            decision.put("index", group.stored.get("_index"));
            decision.put("group", group.stored.get("_id"));
            decision.put("if_seq_no", group.stored.get("_seq_no"));
            decision.put("if_primary_term", group.stored.get("_primary_term"));
            int kind = random.nextInt(5);
            if (kind < 2) {
                decision.put("decision", "rejected");
            } else {
                decision.put("decision", "accepted");
                members.removeIf(member -> kind == 4 || random.nextBoolean());
                decision.put("rejected", members);
            }
            decisions.add(decision);
            rejected.add(members);
        }
        long sent = load.history().now();
        Answer answer = client.must(
                "POST",
                "/_plugins/_simhash/review/" + corpus.groups() + "/decide",
                Json.write(Map.of("decisions", decisions)));
        long answered = load.history().now();
        for (int i = 0; i < decisions.size(); i++) {
            if (answer.at("decisions." + i + ".error") == null) {
                note(corpus, groups.get(i).texts, rejected.get(i), sent, answered);
            }
        }
    }

    private void note(Corpus corpus, Map<String, Text> texts, List<String> rejected, long sent, long answered) {
        String path = corpus.index() + "/";
        String survivor = texts.keySet().iterator().next();
        for (String member : rejected) {
            load.history()
                    .add(new Decision(
                            path + member, texts.get(member), path + survivor, texts.get(survivor), sent, answered));
        }
    }
}

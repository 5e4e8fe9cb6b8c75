/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.opensearch.simhash.node.AllHits;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** When all is quiet: what was acknowledged is there, jobs find what comparing each with each finds, and nothing is left over. */
final class Aftermath {

    private static final int DISTANCE = 3;
    private static final int[] DISTANCES = {0, 1, 3, 4, 7, 10, 16, 32, 64};
    /** A job's point in time outlives a killed node, which would have closed it, for ten minutes. */
    private static final long PATIENCE_NANOS = 660_000_000_000L;

    private static final long PAUSE_NANOS = 100_000_000;

    private final RestClient client;
    private final Ledger ledger;
    private final Findings findings;

    Aftermath(RestClient client, Ledger ledger, Findings findings) {
        this.client = client;
        this.ledger = ledger;
        this.findings = findings;
    }

    void check() {
        List<Stored> documents = documents(Run.INDEX);
        checkAgainstLedger(documents);
        checkFingerprints(documents);
        checkSearches();
        checkReport(documents);
        checkTags();
        checkRemoval();
        checkNothingIsLeftOver();
    }

    private void checkAgainstLedger(List<Stored> documents) {
        Map<String, String> texts = new HashMap<>();
        documents.forEach(document -> texts.put(document.id(), document.text()));
        Map<String, Set<String>> archived = archived();
        ledger.stored().forEach((id, text) -> {
            boolean there = texts.containsKey(id)
                    ? text.equals(texts.get(id))
                    : archived.getOrDefault(id, Set.of()).contains(text);
            findings.check(there, "lost " + id + ": [" + text + "], there is [" + texts.get(id) + "]");
        });
        for (String id : texts.keySet()) {
            boolean known = ledger.stored().containsKey(id) || ledger.inDoubt().contains(id);
            findings.check(known, ledger.deleted().contains(id) ? "deleted, but there: " + id : "from nowhere: " + id);
        }
        findings.count("documents at the end", texts.size());
    }

    /** Texts by the id of the document that was deleted. */
    private Map<String, Set<String>> archived() {
        if (client.get("/" + Run.ARCHIVE).ok() == false) {
            return Map.of();
        }
        Map<String, Set<String>> archived = new HashMap<>();
        var search = Map.of("size", 5_000, "sort", List.of("_doc"));
        AllHits.forEach(
                client,
                Run.ARCHIVE,
                search,
                hit -> archived.computeIfAbsent(
                                (String) Json.at(hit, "_source.simhash_archive.id"), id -> new HashSet<>())
                        .add((String) Json.at(hit, "_source.content")));
        findings.count(
                "archived", archived.values().stream().mapToInt(Set::size).sum());
        return archived;
    }

    private void checkFingerprints(List<Stored> documents) {
        for (Stored document : documents) {
            Stored expected = Searcher.fingerprint(client, document.text());
            boolean same =
                    Objects.equals(document.digest(), expected.digest()) && Objects.equals(document.hash(), expected.hash());
            findings.check(same, "fingerprint of " + document + " should be " + expected);
        }
    }

    private void checkSearches() {
        try (Snapshot snapshot = Snapshot.open(client, Run.INDEX)) {
            for (Stored document : snapshot.documents().stream().limit(50).toList()) {
                for (int maxDistance : DISTANCES) {
                    var query = Map.<String, Object>of("id", document.id(), "index", Run.INDEX, "include_self", true);
                    snapshot.check(query, maxDistance, document::distance, findings);
                }
            }
        }
    }

    private void checkReport(List<Stored> documents) {
        Groups expected = Groups.of(documents, DISTANCE);
        Answer report = job(Map.of("linkage", "chain"));
        Groups found = new Groups(
                report.number("pairs"),
                report.number("groups"),
                report.number("duplicates"),
                report.number("largest_group"));
        findings.check(expected.equals(found), "expected " + expected + ", reported " + found);
        findings.count("pairs at the end", found.pairs());
    }

    /** A second run with tags changes nothing, and each tag names a document that is near. */
    private void checkTags() {
        Answer first = job(Map.of("action", "tag"));
        Answer second = job(Map.of("action", "tag"));
        boolean changed = second.number("tagged") + second.number("cleared") > 0;
        findings.check(changed == false, "tagged again: " + second.text());
        List<Stored> documents = documents(Run.INDEX);
        Map<String, Stored> byId = documents.stream().collect(Collectors.toMap(Stored::id, document -> document));
        long tags = 0;
        for (Stored document : documents) {
            if (document.duplicateOf() != null) {
                tags++;
                Stored survivor = byId.get(document.duplicateOf());
                boolean near = survivor != null && survivor.distance(document) <= DISTANCE;
                findings.check(near, document + " is tagged as a duplicate of " + survivor);
            }
        }
        findings.check(tags == first.number("duplicates"), tags + " tags after " + first.text());
    }

    /** What a clean-up takes away is in the archive; then there are no duplicates; then all is brought back. */
    private void checkRemoval() {
        Set<String> before = ids(documents(Run.INDEX));
        Map<String, Object> similar = Map.of("min_similarity", 0.5);
        Answer removal = job(Map.of(
                "action", "delete", "archive", Map.of("index", Run.ARCHIVE), "verify", similar, "max_own_words", -1));
        Set<String> after = ids(documents(Run.INDEX));
        findings.check(
                before.size() - after.size() == removal.number("deleted"), "not what it says: " + removal.text());
        findings.check(removal.number("duplicates") == removal.number("deleted"), "left some: " + removal.text());
        Answer report = job(Map.of("verify", similar));
        findings.check(report.number("duplicates") == 0, "duplicates left: " + report.text());
        String restore = Json.write(Map.of("run", removal.string("run"), "archive", Map.of("index", Run.ARCHIVE)));
        client.must("POST", JobStarter.PATH + "/restore", restore);
        findings.check(before.equals(ids(documents(Run.INDEX))), "not all restored");
    }

    private void checkNothingIsLeftOver() {
        findings.say("waiting until the last search ends: " + new NodeState(client));
        await("tasks are left", () -> {
            Answer tasks = client.get("/_tasks?actions=*simhash*");
            return tasks.ok() && Map.of().equals(tasks.at("nodes"));
        });
        await("searches are left open", () -> new NodeState(client).open() == 0);
        await("memory is left on the breaker of requests", () -> new NodeState(client).requestBytes() == 0);
        findings.say(new NodeState(client).toString());
    }

    private void await(String claim, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (condition.getAsBoolean() == false) {
            if (System.nanoTime() > deadline) {
                Answer points = client.get("/_search/point_in_time/_all");
                findings.wrong(claim + ": " + new NodeState(client) + " " + points.text());
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Answer job(Map<String, Object> more) {
        Map<String, Object> options = new HashMap<>(more);
        options.put("max_distance", DISTANCE);
        client.must("POST", "/" + Run.INDEX + "/_refresh", null);
        Answer answer = client.must("POST", JobStarter.PATH, Json.write(options));
        boolean clean = List.of().equals(answer.at("failures")) && answer.number("version_conflicts") == 0;
        findings.check(clean, "a job in peace: " + answer.text());
        return answer;
    }

    private List<Stored> documents(String index) {
        client.must("POST", "/" + index + "/_refresh", null);
        try (Snapshot snapshot = Snapshot.open(client, index)) {
            return new ArrayList<>(snapshot.documents());
        }
    }

    private static Set<String> ids(List<Stored> documents) {
        return documents.stream().map(Stored::id).collect(Collectors.toSet());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.rights;

import static org.opensearch.simhash.rights.Scene.BREAD;
import static org.opensearch.simhash.rights.Scene.require;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;

/** What {@code simhash_operator} is for. */
final class OperatorFeatures {

    private static final String INDEX = "docs-job";
    private static final String DEST = "groups-job";
    private static final String ARCHIVE = "removed-job";
    private static final String JOB = "/_plugins/_simhash/deduplicate/" + INDEX;
    private static final String NEAR = "\"max_distance\":16";
    private static final String INTO_DEST = ",\"dest\":{\"index\":\"" + DEST + "\"}";
    private static final String INTO_ARCHIVE = ",\"archive\":{\"index\":\"" + ARCHIVE + "\"}";
    private static final String DELETE = ",\"action\":\"delete\",\"verify\":{\"min_similarity\":0.5}";
    private static final String SIZE = ",\"size_field\":\"copies\"";
    private static final String NEW = ",\"new_since\":\"last\"";
    private static final String TAG = ",\"action\":\"tag\"";

    private final Scene scene;
    private String run;
    private boolean mayDelete;
    private boolean isRestored;

    private OperatorFeatures(Scene scene) {
        this.scene = scene;
    }

    static List<Feature> all(Scene scene) {
        OperatorFeatures f = new OperatorFeatures(scene);
        return List.of(
                f.feature("report", f::fill, f::report, "a job", "`dest` of a job"),
                f.feature("report into a dest of before", f::fillWithDest, f::report, "a job", "`dest` of a job"),
                f.feature(
                        "report of what is new",
                        f::fill,
                        f::reportNew,
                        "a job",
                        "`dest` of a job",
                        "`new_since: last` of a job"),
                f.feature("tag", f::fill, f::tag, "a job", "tags of a job"),
                f.feature("untag", f::fillTagged, f::untag, "untag"),
                f.feature("delete", f::fill, f::delete, "a job", "deletes of a job", "`archive` of a job"),
                f.feature(
                        "delete into an archive of before",
                        f::fillWithArchive,
                        f::delete,
                        "a job",
                        "deletes of a job",
                        "`archive` of a job"),
                f.feature(
                        "delete what changes meanwhile",
                        f::fill,
                        f::deleteChanged,
                        "a job",
                        "deletes of a job",
                        "`archive` of a job"),
                f.feature(
                        "delete what stays when its survivor changes meanwhile",
                        f::fill,
                        f::putBack,
                        "a job",
                        "deletes of a job",
                        "`archive` of a job"),
                f.feature(
                        "delete where writes are not synced",
                        f::fillAsync,
                        f::deleteAsync,
                        "a job",
                        "deletes of a job"),
                f.feature("candidates", f::fillCandidates, f::candidates, "a job", "`candidates` of a job"),
                f.feature("against", f::fillOld, f::against, "a job", "`against` of a job", "deletes of a job"),
                f.feature("runs", f::fillDeleted, f::runs, "runs"),
                f.feature("restore", f::fillDeleted, f::restore, "restore"),
                f.feature("decide", f::fillReported, f::decide, "review", "decisions of a review"),
                f.feature("apply tag", f::fillDecided, f::applyTag, "apply", "tags of a job"),
                f.feature(
                        "apply delete",
                        f::fillDecided,
                        f::applyDelete,
                        "apply",
                        "deletes of a job",
                        "`archive` of a job"),
                f.feature("check", f::fillConditional, f::check, "`check`", "conditions of processors in `check`"),
                f.feature("mend", f::fillRounded, f::mend, "`mend` of `check`"),
                f.feature("calibrate", f::fill, f::calibrate, "calibrate", "tasks"),
                f.feature(
                        "rethrottle",
                        f::fill,
                        f::rethrottle,
                        "a job",
                        "tags of a job",
                        "tasks",
                        "another speed of a job"),
                f.feature("cancel", f::fill, f::cancel, "a job", "tasks"),
                f.feature(
                        "schedule: report of what is new",
                        f::fill,
                        () -> f.schedule(NEW),
                        "schedules",
                        "a job",
                        "`dest` of a job",
                        "`new_since: last` of a job"),
                f.feature(
                        "schedule: tag",
                        f::fill,
                        () -> f.schedule(TAG + SIZE),
                        "schedules",
                        "a job",
                        "`dest` of a job",
                        "tags of a job"),
                f.feature(
                        "schedule: delete",
                        f::fill,
                        () -> f.schedule(DELETE + INTO_ARCHIVE),
                        "schedules",
                        "a job",
                        "`dest` of a job",
                        "deletes of a job",
                        "`archive` of a job"),
                f.feature("stats", () -> {}, f::stats, "counters"),
                f.feature("metrics", () -> {}, () -> scene.as("GET", "/_plugins/_simhash/metrics", null), "metrics"));
    }

    private void schedule(String options) {
        String schedule = "/_plugins/_simhash/schedules/job";
        scene.as("PUT", schedule, "{\"every\":\"1d\",\"index\":\"" + INDEX + "\"" + INTO_DEST + options + "}");
        require("1d", scene.as("GET", schedule, null), "every");
        scene.as("DELETE", schedule, null);
    }

    private Feature feature(String name, Runnable prepare, Runnable use, String... rows) {
        return new Feature(name, List.of(rows), prepare, use, this::requireNothingLost);
    }

    /** A job that was refused on its way may have done something, and nothing wrong: no text is gone for good. */
    private void requireNothingLost() {
        scene.must("POST", "/_refresh", null);
        Set<String> there = scene.ids(INDEX);
        Set<String> copies = new TreeSet<>();
        if (scene.admin().send("HEAD", "/" + ARCHIVE, null).ok()) {
            Answer found = scene.must("POST", "/" + ARCHIVE + "/_search", "{\"size\":100}");
            for (Object hit : (List<?>) found.at("hits.hits")) {
                String id = String.valueOf(Json.at(hit, "_source.simhash_archive.id"));
                copies.add(id);
            }
        }
        boolean isWhole = there.isEmpty() || there.containsAll(Set.of("copy", "bread"));
        boolean isKept = there.isEmpty() || mayDelete || there.contains("tram") || copies.contains("tram");
        boolean mayCopyStay = isRestored
                || RightsGuard.asked().stream().anyMatch(right -> right.isGranted() == false && isForTakingBack(right));
        boolean isTwice = there.contains("tram") && copies.contains("tram") && mayCopyStay == false;
        if (isWhole == false || isKept == false || isTwice) {
            throw new AssertionError("there are " + there + " and copies of " + copies);
        }
    }

    /** Without it nobody knows whether the document is there, or may delete its copy: an answer says so, and the next run replaces it. */
    private static boolean isForTakingBack(RightsGuard.Asked right) {
        return switch (right.action()) {
            case "indices:data/read/mget[shard]" -> INDEX.equals(right.index());
            case "indices:data/write/delete" -> ARCHIVE.equals(right.index());
            default -> false;
        };
    }

    private Answer job(String options) {
        return requireNoFailures(scene.as("POST", JOB, "{" + NEAR + options + "}"));
    }

    private static Answer requireNoFailures(Answer answer) {
        Object failures = answer.at("failures");
        if (failures instanceof List<?> list && list.isEmpty() == false) {
            if (answer.text().contains("no permissions for")) {
                throw new Refused(answer);
            }
            throw new AssertionError(answer.toString());
        }
        return answer;
    }

    private void fill() {
        fill("");
    }

    private void fill(String settings) {
        mayDelete = false;
        isRestored = false;
        scene.remove(DEST, ARCHIVE);
        scene.create(INDEX, settings);
        scene.fill(INDEX);
    }

    private void fillWithDest() {
        fillReported();
        scene.remove(DEST);
        scene.create(DEST, "");
    }

    private void fillWithArchive() {
        fill();
        scene.create(ARCHIVE, "");
    }

    /** As a JavaScript client writes it. */
    private void fillRounded() {
        fill();
        scene.must(
                "PUT",
                "/" + INDEX + "/_doc/rounded?pipeline=_none&refresh=true",
                "{\"simhash\":{\"hash\":\"859a49e6f4d31cf7\",\"bits\":-8819655663952913000,\"scheme\":\"v3-a\"}}");
    }

    private void fillTagged() {
        fill();
        scene.must("POST", JOB, "{" + NEAR + TAG + "}");
    }

    private void fillDeleted() {
        fill();
        run = (String) scene.must("POST", JOB, "{" + NEAR + DELETE + INTO_ARCHIVE + "}")
                .at("run");
    }

    /** Nothing but the flush of the job makes the writes durable. */
    private void fillAsync() {
        fill(",\"index.translog.durability\":\"async\",\"index.translog.sync_interval\":\"1h\"");
        mayDelete = true;
    }

    private void fillCandidates() {
        fill();
        scene.create("docs-log", "");
        scene.must("PUT", "/docs-log/_doc/1?refresh=true&pipeline=_none", "{\"near\":[\"tram\",\"copy\"]}");
    }

    private void fillOld() {
        fill();
        mayDelete = true;
        scene.create("docs-old", "");
        scene.must("PUT", "/docs-old/_doc/old?refresh=true", Scene.content(Scene.TRAM));
    }

    private void fillReported() {
        fill();
        run = (String) scene.must("POST", JOB, "{" + NEAR + INTO_DEST + "}").at("run");
    }

    private void fillDecided() {
        fillReported();
        decide("admin");
        scene.must("POST", "/" + DEST + "/_refresh", null);
    }

    private void fillConditional() {
        scene.must(
                "PUT",
                "/_ingest/pipeline/conditional",
                "{\"processors\":[{\"simhash\":{\"field\":\"content\",\"if\":\"ctx.draft == null\"}}]}");
        fill(",\"index.default_pipeline\":\"conditional\"");
        scene.must("PUT", "/" + INDEX + "/_doc/draft?refresh=true", "{\"draft\":true,\"content\":\"" + BREAD + "\"}");
    }

    private void report() {
        require(1, job(INTO_DEST), "groups");
        require(1, scene.must("GET", "/" + DEST + "/_count", null), "count");
    }

    private void reportNew() {
        require(1, job(INTO_DEST + NEW), "groups");
        require(0, job(INTO_DEST + NEW), "groups");
    }

    private void tag() {
        require(1, job(TAG + SIZE), "tagged"); // which no template maps
    }

    private void untag() {
        require(1, requireNoFailures(scene.as("POST", JOB + "/untag", null)), "cleared");
    }

    private void delete() {
        Answer done = job(DELETE + INTO_ARCHIVE);
        require(1, done, "deleted");
        require(1, done, "archived");
    }

    /** Its copy goes again. */
    private void deleteChanged() {
        RightsGuard.beforeDelete(() -> change("tram"));
        Answer done = job(DELETE + INTO_ARCHIVE);
        require(0, done, "deleted");
        require(1, done, "version_conflicts");
    }

    private void putBack() {
        RightsGuard.beforeDelete(() -> change("copy"));
        Answer done = job(DELETE + INTO_ARCHIVE);
        require(0, done, "deleted");
        require(1, done, "put_back");
    }

    private void change(String id) {
        scene.must("POST", "/" + INDEX + "/_update/" + id, "{\"doc\":{\"changed\":true}}");
    }

    private void deleteAsync() {
        require(1, job(DELETE + ",\"archive\":false"), "deleted");
    }

    private void candidates() {
        Answer done = scene.as(
                "POST",
                JOB,
                "{\"verify\":{\"field\":\"content\",\"min_similarity\":0.5},\"candidates\":{\"index\":\"docs-log\","
                        + "\"field\":\"near\"}}");
        require(1, done, "groups");
    }

    private void against() {
        String tram = ",\"query\":{\"ids\":{\"values\":[\"tram\"]}}";
        require(1, job(DELETE + ",\"archive\":false,\"against\":{\"index\":\"docs-old\"}" + tram), "deleted");
    }

    private void runs() {
        Answer listed = scene.as("GET", "/_plugins/_simhash/deduplicate/runs?archive=" + ARCHIVE, null);
        require(run, listed, "runs.0.run");
    }

    /** The copies stay. */
    private void restore() {
        isRestored = true;
        Answer restored =
                requireNoFailures(scene.as("POST", JOB + "/restore", "{\"run\":\"" + run + "\"" + INTO_ARCHIVE + "}"));
        require(1, restored, "restored");
        if (restored.text().contains("no permissions for")) {
            throw new Refused(restored);
        }
    }

    private void decide() {
        decide("user");
    }

    private void decide(String who) {
        boolean isUser = who.equals("user");
        String path = "/_plugins/_simhash/review/" + DEST + "/decide";
        if (isUser) {
            scene.as("POST", path, "{\"query\":\"none\",\"decision\":\"skipped\"}");
            scene.as("GET", "/_plugins/_simhash/review/" + DEST + "/groups", null);
        }
        Answer group = isUser ? scene.as("POST", path, "{\"batch\":1}") : scene.must("POST", path, "{\"batch\":1}");
        String decision = "{\"index\":\"" + DEST + "\",\"group\":\"" + group.at("groups.0._id") + "\",\"if_seq_no\":"
                + group.at("groups.0._seq_no") + ",\"if_primary_term\":" + group.at("groups.0._primary_term")
                + ",\"decision\":\"accepted\"}";
        Answer decided = isUser ? scene.as("POST", path, decision) : scene.must("POST", path, decision);
        require("accepted", decided, "decision");
        if (isUser) {
            scene.as("POST", "/_mget", "{\"docs\":[{\"_index\":\"" + INDEX + "\",\"_id\":\"tram\"}]}");
        }
    }

    private void applyTag() {
        require(1, apply("\"action\":\"tag\""), "tagged");
    }

    private void applyDelete() {
        require(1, apply("\"action\":\"delete\",\"verify\":{\"min_similarity\":0.5}" + INTO_ARCHIVE), "deleted");
    }

    private Answer apply(String options) {
        Answer applied = requireNoFailures(scene.as(
                "POST",
                JOB + "/apply",
                "{\"dest\":{\"index\":\"" + DEST + "\"},\"run\":\"" + run + "\"," + options + "}"));
        if (applied.text().contains("[dest] does not say")) {
            throw new Refused(applied);
        }
        return applied;
    }

    private void check() {
        Answer checked = scene.as("GET", "/_plugins/_simhash/check/" + INDEX, null);
        if (checked.text().contains("not_searchable")) {
            throw new Refused(checked);
        }
        if (checked.text().contains("not_fingerprinted")) {
            throw new AssertionError("what the condition leaves out is reported: " + checked);
        }
    }

    private void mend() {
        Answer mended = scene.as("POST", "/_plugins/_simhash/check/" + INDEX + "/mend", null);
        requireNoFailures(mended);
        require(4, mended, "total");
        require(1, mended, "updated");
    }

    private void calibrate() {
        String path = "/_plugins/_simhash/calibrate/" + INDEX;
        Answer started = scene.as("POST", path + "?wait_for_completion=false", "{\"sample_size\":10}");
        String task = (String) started.at("task");
        Answer ended = scene.as("GET", "/_tasks/" + task + "?wait_for_completion=true", null);
        if (ended.text().contains("no permissions for")) {
            throw new Refused(ended);
        }
        require(3, scene.as("GET", path + "?task=" + task, null), "documents");
    }

    /** A job that would take minutes. */
    private String slowJob() {
        Answer started =
                scene.as("POST", JOB + "?wait_for_completion=false&requests_per_second=0.01", "{" + NEAR + TAG + "}");
        return (String) started.at("task");
    }

    private void rethrottle() {
        String task = slowJob();
        try {
            Answer listed = scene.as("GET", "/_tasks?actions=*simhash/deduplicate&detailed=true&group_by=none", null);
            require(1, new Answer(200, "{\"tasks\":" + ((List<?>) listed.at("tasks")).size() + "}"), "tasks");
            scene.as("POST", "/_plugins/_simhash/deduplicate/" + task + "/_rethrottle?requests_per_second=-1", null);
            Answer ended = scene.as("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=30s", null);
            if (ended.text().contains("no permissions for")) {
                throw new Refused(ended);
            }
            require(1, ended, "response.tagged");
        } finally {
            scene.must("POST", "/_tasks/_cancel?actions=*simhash/deduplicate&wait_for_completion=true", null);
        }
    }

    private void cancel() {
        String task = slowJob();
        try {
            scene.as("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
        } finally {
            scene.must("POST", "/_tasks/_cancel?actions=*simhash/deduplicate&wait_for_completion=true", null);
        }
    }

    private void stats() {
        require(1, scene.as("GET", "/_plugins/_simhash/stats", null), "_nodes.successful");
    }
}

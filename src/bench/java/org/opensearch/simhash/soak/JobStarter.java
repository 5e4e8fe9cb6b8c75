/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.RestClient;

/** Runs jobs over the whole index while it changes: reports, tags, deletes into the archive, and cancels some. */
final class JobStarter implements Actor.Deed {

    static final String PATH = "/_plugins/_simhash/deduplicate/" + Run.INDEX;

    private static final int MOST = 8;
    private static final int SLOW = 20;
    private static final int CANCEL_MILLIS = 1_000;

    private final Run run;
    private final RandomGenerator random;

    JobStarter(Run run, RandomGenerator random) {
        this.run = run;
        this.random = random;
    }

    @Override
    public void act(RestClient client) throws InterruptedException {
        String body = Json.write(options());
        if (random.nextInt(4) == 0) {
            cancelled(client, body);
            return;
        }
        Answer answer = client.must("POST", PATH, body);
        run.findings().count("jobs", 1);
        run.findings().count("version conflicts", answer.number("version_conflicts"));
        run.findings().check(List.of().equals(answer.at("failures")), "a job failed: " + answer.text());
    }

    private Map<String, Object> options() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("max_distance", random.nextInt(MOST + 1));
        options.put("linkage", random.nextBoolean() ? "survivor" : "chain");
        if (random.nextInt(3) == 0) {
            options.put("verify", Map.of("field", "content", "min_similarity", 0.7));
        }
        switch (random.nextInt(4)) {
            case 0 -> options.put("action", "tag");
            case 1 -> {
                options.put("action", "delete");
                options.put("archive", Map.of("index", Run.ARCHIVE));
            }
            default -> options.put("dest", Map.of("index", Run.INDEX + "-groups"));
        }
        return options;
    }

    private void cancelled(RestClient client, String body) throws InterruptedException {
        String slow = "?wait_for_completion=false&requests_per_second=" + SLOW;
        String task = client.must("POST", PATH + slow, body).string("task");
        new CountDownLatch(1).await(random.nextInt(CANCEL_MILLIS), TimeUnit.MILLISECONDS);
        Answer cancelling = client.send("POST", "/_tasks/" + task + "/_cancel?wait_for_completion=true", null);
        // A job that has ended meanwhile is not found among those that run; what it did is kept.
        Answer status = client.must("GET", "/_tasks/" + task + "?wait_for_completion=true&timeout=30s", null);
        run.findings().count("jobs cancelled", 1);
        run.findings().check((boolean) status.at("completed"), "runs on: " + cancelling.text() + " " + status.text());
    }
}

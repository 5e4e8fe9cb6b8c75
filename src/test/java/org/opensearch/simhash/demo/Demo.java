/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.demo;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Answer;
import org.opensearch.simhash.node.Distribution;
import org.opensearch.simhash.node.Json;
import org.opensearch.simhash.node.NodeOptions;
import org.opensearch.simhash.node.RealCluster;
import org.opensearch.simhash.node.RestClient;
import org.opensearch.simhash.node.SampleIndex;

/**
 * What {@code ./demo} runs: a stock OpenSearch with the plugin, a corpus of real documents, near-duplicates by text, by id
 * and by hash. With {@code --keep} the node stays until Ctrl-C.
 */
public final class Demo {

    static final String EDITED = "en.guides.deploy.vercel.v9";
    static final String CHINESE = "zh.guides.deploy.codeberg.v4";
    /** With {@code verify}. */
    static final int DISTANCE = 11;

    /** More than copies: revisions, too. */
    private static final Map<String, ?> COLLAPSE = Map.of(
            "request_processors",
            List.of(Map.of(
                    "collapse_near_duplicates",
                    Map.of("max_distance", 16, "verify", Map.of("min_similarity", 0.5), "oversample", 10))),
            "response_processors",
            List.of(Map.of("collapse_near_duplicates", Map.of())));

    /** Without it. */
    static final int SEARCHED = 8;

    static final String GROUPS = "groups-docs";
    private static final String WORDS = "connect a content management system";
    private static final int PAGE = 5;

    private final RestClient client;
    private final Terminal terminal;
    private final SampleIndex sample = new SampleIndex();

    Demo(RestClient client, Terminal terminal) {
        this.client = client;
        this.terminal = terminal;
    }

    public static void main(String[] args) throws InterruptedException {
        var terminal = new Terminal(new PrintStream(System.out, false, StandardCharsets.UTF_8));
        var distribution = Distribution.ofTheBuild();
        terminal.progress("installing " + distribution.zip().getFileName() + " into "
                + distribution.stock().getFileName() + ", starting a node");
        try (var cluster = RealCluster.start(distribution, NodeOptions.production(1, "1g"))) {
            terminal.progress("the node listens at " + cluster.client().address());
            var demo = new Demo(cluster.client(), terminal);
            demo.index();
            demo.search();
            demo.calibrate();
            demo.deduplicate();
            if (List.of(args).contains("--keep")) {
                demo.invite();
                cluster.awaitEnd();
            } else {
                terminal.progress("done, stopping the node (./demo --keep leaves it running)");
            }
        } catch (RuntimeException e) {
            if (endsAlready() == false) {
                terminal.progress("failed: " + e.getMessage());
                System.exit(1);
            }
        }
    }

    void index() {
        sample.configure(client);
        terminal.progress("pipeline [" + SampleIndex.PIPELINE + "] and template for [docs*] are in place (config/)");
        int count = sample.documents().size();
        sample.fill(
                client,
                SampleIndex.NAME,
                indexed -> terminal.progress("indexed " + indexed + " of " + count + " documents"));
    }

    void search() {
        String edited = edit((String) sample.documents().get(EDITED).get("content"));
        terminal.line("");
        terminal.line("By text: a copy of " + EDITED + " with a few words changed");
        show("text", edited);

        terminal.line("By id: documents like " + CHINESE);
        show("id", CHINESE);

        String hash = client.must("GET", "/docs/_doc/" + EDITED, null).string("_source.simhash.hash");
        terminal.line("By hash: fingerprints near " + hash + " (of " + EDITED + ")");
        show("hash", hash);

        terminal.line("Full text: " + WORDS);
        showPage("without", Map.of());
        showPage("with", Map.of("search_pipeline", COLLAPSE));
        terminal.line("");
    }

    /** Which distance: what each finds, and how much of it is near. */
    void calibrate() {
        terminal.line("Which distance? Near are texts of a similarity of 0.8 or more");
        Answer answer = client.must("POST", "/_plugins/_simhash/calibrate/docs", "{\"examples\":0}");
        terminal.distances((List<?>) answer.at("distances"), DISTANCE + 1);
        terminal.line("  " + answer.number("sampled") + " of " + answer.number("fingerprinted")
                + " documents were looked around, " + answer.number("texts_compared") + " pairs of texts compared, "
                + answer.number("took") + " ms");
        terminal.line("  suggested: " + answer.at("suggestion.max_distance") + " bits, verify "
                + answer.at("suggestion.verify"));
        terminal.wrapped("  ", answer.string("suggestion.why"));
        terminal.line("");
    }

    /** The whole corpus: its groups, and what is left of it without duplicates. */
    void deduplicate() {
        terminal.line("The whole corpus: groups within " + DISTANCE + " bits, texts of a similarity of 0.8 or more");
        Answer report = job("report");
        terminal.groups((List<?>) report.at("examples"));
        terminal.line(
                "  " + report.number("groups") + " groups with " + report.number("duplicates") + " duplicates among "
                        + report.number("documents") + " documents, " + report.number("took") + " ms; the largest has "
                        + report.number("largest_group"));
        terminal.line("");
        terminal.line("Searches that leave tagged duplicates out");
        terminal.line("  before: " + distinct() + " documents");
        Answer tag = job("tag");
        terminal.line("  after:  " + distinct() + " documents, " + tag.number("tagged") + " were tagged in "
                + tag.number("took") + " ms; tagging again writes " + job("tag").number("tagged"));
        terminal.line("");
    }

    private Answer job(String action) {
        return job(Map.of("action", action));
    }

    private Answer job(Map<String, Object> what) {
        Map<String, Object> options = new LinkedHashMap<>(what);
        options.put("max_distance", DISTANCE);
        options.put("verify", Map.of("field", "content", "min_similarity", 0.8));
        return client.must("POST", "/_plugins/_simhash/deduplicate/docs", Json.write(options));
    }

    /** The page on which people decide about the groups, as the documents are by now. */
    String review() {
        client.must("POST", "/docs/_refresh", null);
        job(Map.of("dest", Map.of("index", GROUPS)));
        return client.address() + "/_plugins/_simhash/review/" + GROUPS;
    }

    private long distinct() {
        String query = "{\"query\":{\"bool\":{\"must_not\":{\"exists\":{\"field\":\"simhash.duplicate_of\"}}}}}";
        return client.must("POST", "/docs/_count", query).number("count");
    }

    private void showPage(String how, Map<String, ?> options) {
        Map<String, Object> search = new HashMap<>(options);
        search.put("query", Map.of("match", Map.of("content", WORDS)));
        search.put("size", PAGE);
        Answer answer = client.must("POST", "/docs/_search", Json.write(search));
        terminal.line("  " + how + " collapse_near_duplicates, " + answer.number("took") + " ms");
        terminal.page(answer.hits());
    }

    private void show(String source, String value) {
        Answer answer = client.must("POST", "/docs/_search", query(source, value));
        terminal.hits(answer.hits());
        terminal.line("  " + answer.number("hits.total.value") + " of "
                + sample.documents().size() + " documents within " + SEARCHED + " of 64 bits, " + answer.number("took")
                + " ms");
        terminal.line("");
    }

    private void invite() {
        terminal.line(
                "Try in another terminal: documents like one, fingerprints near one, the fingerprint of a text of yours");
        invitations().forEach(terminal::line);
        terminal.line("Review the groups in a browser: " + review());
        terminal.line("");
        terminal.line("The node runs at " + client.address() + ". Press Ctrl-C to stop it.");
    }

    List<String> invitations() {
        String hash = client.must("GET", "/docs/_doc/" + CHINESE, null).string("_source.simhash.hash");
        String simulate = "{\"docs\":[{\"_source\":{\"content\":\"Type a text of eight words or more here\"}}]}";
        return List.of(
                curl("/docs/_search", query("id", EDITED)),
                curl("/docs/_search", query("hash", hash)),
                curl("/_ingest/pipeline/" + SampleIndex.PIPELINE + "/_simulate", simulate));
    }

    private String curl(String path, String body) {
        return "curl -s --noproxy '*' -H 'content-type: application/json' '" + client.address() + path + "?pretty' -d '"
                + body + "'";
    }

    static String query(String source, String value) {
        Map<String, Object> simhash = new LinkedHashMap<>();
        simhash.put("field", "simhash");
        simhash.put(source, value);
        simhash.put("max_distance", SEARCHED);
        return Json.write(Map.of("query", Map.of("simhash", simhash)));
    }

    /** The title goes, some words are others, a sentence is new. */
    static String edit(String text) {
        String withoutTitle = text.substring(text.indexOf('\n') + 1);
        return withoutTitle.replace("automatically", "by itself").replace("website", "site") + "\nThat was all.";
    }

    /** Ctrl-C ends the node too: what fails then is no failure. */
    private static boolean endsAlready() {
        try {
            var probe = new Thread();
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException shuttingDown) {
            return true;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.util.List;
import java.util.Map;
import org.junit.function.ThrowingRunnable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.rest.RestStatus;

/** Options, settings, verification. */
public class DuplicateOptionsClusterTests extends NearDuplicateClusterTestCase {

    private static final String TEXT = "the quick brown fox jumps over the lazy dog and runs away from the angry farmer"
            + " who did not expect any animals at all so early in the cold grey morning";

    private void set(String key, Object value) {
        assertAcked(client().admin()
                .cluster()
                .prepareUpdateSettings()
                .setTransientSettings(
                        value == null
                                ? Settings.builder().putNull(key)
                                : Settings.builder().put(key, value.toString()))
                .get());
    }

    public void testWrongOptionsAreRefused() {
        assertRefused("'max_distance': 65", "[max_distance] must be between 0 and 64, got: 65");
        assertRefused("'max_distance': -1", "[max_distance] must be between 0 and 64, got: -1");
        assertRefused(
                "'sketch': 'minhash', 'max_distance': 3",
                "[max_distance] is only allowed with [sketch] simhash, got: 3");
        assertRefused(
                "'min_similarity': 0.7",
                "[min_similarity] is only allowed with [sketch] minhash, or in [verify] for texts, got: 0.7");
        assertRefused(
                "'sketch': 'minhash', 'min_similarity': 1.5", "[min_similarity] must be between 0 and 1, got: 1.5");
        assertRefused(
                "'sketch': 'minhash', 'min_similarity': 'near'",
                "[min_similarity] must be a number between 0 and 1, got: near");
        assertRefused("'sketch': 'md5'", "[sketch] must be one of [simhash, minhash, passages], got: md5");
        assertRefused(
                "'sketch': 'minhash', 'target_field': 'minhash.bands'",
                "[target_field] must be apart from the fingerprint in [minhash], got: minhash.bands");
        assertRefused("'action': 'tags'", "[action] must be one of [tag, drop, fail], got: tags");
        assertRefused("'action': 'reroute'", "[action] must be one of [tag, drop, fail], got: reroute");
        assertRefused("'reroute_to': 'x'", "[reroute_to]");
        assertRefused("'target_field': '_id'", "[target_field] must name a field of the document, got: _id");
        assertRefused("'field': ''", "[field] must name a field, got an empty name");
        assertRefused("'index': []", "[index] must be an index, an alias or a list of them, got: []");
        assertRefused("'index': 7", "[index] must be an index, an alias or a list of them, got: 7");
        assertRefused("'index': '" + "a,".repeat(100) + "a'", "[index] must have at most 100 names, got: 101");
        assertRefused("'index': 'far:docs'", "[index] must be of this cluster, got: far:docs");
        assertRefused(
                "'verify': {'field': 'content', 'min_similarity': 2}",
                "[min_similarity] must be between 0.0 and 1.0, got: 2.0");
        assertRefused(
                "'verify': {'field': 'content', 'shingle_size': 1.5}",
                "[shingle_size] must be a whole number, got: 1.5");
        assertRefused("'verify': 'yes'", "[verify] must be an object, true or false, got: yes");
        assertRefused("'verify': {'field': ''}", "[field] must name the text to verify, got: ");
        assertRefused("'short_texts': false", "[short_texts] is only allowed with [action] drop or fail, got: false");
        assertRefused("'max_own_words': 15", "[max_own_words] is only allowed with [action] drop or fail");
        assertRefused(
                "'action': 'drop', 'max_own_words': -2", "[max_own_words] must be between -1 and 1000000, got: -2");
        for (String target : List.of("simhash", "simhash.bits", "simhash.segment_3", "simhash.digest.near")) {
            assertRefused(
                    "'target_field': '" + target + "'",
                    "[target_field] must be apart from the fingerprint in [simhash], got: " + target);
        }
        assertRefused(
                "'field': 'a.b.c', 'target_field': 'a.b'",
                "[target_field] must be apart from the fingerprint in [a.b.c], got: a.b");
        assertRefused(
                "'target_field': '_source.simhash'",
                "[target_field] must be apart from the fingerprint in [simhash], got: simhash");
        for (String target : List.of("content", "content.near")) {
            assertRefused(
                    "'verify': {'field': 'content'}, 'target_field': '" + target + "'",
                    "[target_field] must be apart from the text in [content] that [verify] compares, got: " + target);
        }
        for (String target : List.of("tenant", "tenant.near")) {
            assertRefused(
                    "'same': ['tenant'], 'target_field': '" + target + "'",
                    "[target_field] must be apart from the field [tenant] of [same], got: " + target);
        }
        pipeline("'verify': {'field': 'content.text'}, 'target_field': 'content.near'");
        for (String target : List.of("simhash.near", "simhashes", "simhash.bitset")) {
            pipeline("'target_field': '" + target + "'");
        }
        assertRefused("'verify': 'content'", "[verify] must be an object, true or false, got: content");
        assertRefused("'groups': 'some'", "[groups] must be one of [none, all], got: some");
        assertRefused("'groups': true", "[groups] must be one of [none, all], got: true");
        assertRefused(
                "'target_field': 'simhash.group'",
                "[target_field] must be apart from the fingerprint in [simhash], got: simhash.group");
        assertRefused("'action': 3", "[action] must be one of [tag, drop, fail], got: 3");
        assertRefused("'max_distance': 'near'", "[max_distance] must be a whole number, got: near");
        assertRefused("'target_field': 'a..b'", "[target_field] must name a field without empty parts");
        for (String name : List.of("A B", "_a", "..", "-a", "a#b", "<a b{now/d}>")) {
            assertRefused("'index': '" + name + "'", "[index] ");
            assertRefused("'index': ['docs', '" + name + "']", "got: " + name);
        }
        for (String name : List.of("Alias", "<docs-{now/d}>", ".hidden", "_all", "*", "docs*,-docs-1,-docs-2*")) {
            pipeline("'index': '" + name + "'");
        }
        assertRefused("'verify': {'field': 'a', 'fuzzy': 1}", "unknown field [fuzzy]");
        assertRefused("'max_distence': 3", "unknown option [max_distence], did you mean [max_distance]?");
        assertRefused("'colour': 'red'", "unknown option [colour]");
        assertRefused("'sketch': 'minhash', 'containment': true", "unknown option [containment]");
    }

    public void testToDropTheIndexMustBeRefreshed() {
        index("kept", 1);
        client().admin()
                .indices()
                .prepareUpdateSettings("kept")
                .setSettings(Settings.builder().put("index.refresh_interval", "-1"))
                .get();
        assertRefused(
                "'action': 'drop', 'index': 'kept'",
                "[action] [drop] needs an [index] that is refreshed, but [kept] has [index.refresh_interval] -1");
        assertRefused(
                "'action': 'drop', 'index': 'ke*'",
                "[action] [drop] needs an [index] that is refreshed, but [kept] has [index.refresh_interval] -1");
        pipeline("'action': 'tag', 'index': 'kept'");
    }

    public void testAWrongFieldBeforeItIsRefusedInWords() {
        assertRefused(
                () -> processors("{'simhash': {'fields': [null]}}, {'near_duplicate': {}}"),
                "[fields] must be a list of field names, got: null");
    }

    private void assertRefused(String options, String message) {
        assertRefused(() -> pipeline(options), message);
    }

    private static void assertRefused(ThrowingRunnable put, String message) {
        Exception e = expectThrows(Exception.class, put);
        Throwable cause = ExceptionsHelper.unwrapCause(e);
        StringBuilder all = new StringBuilder();
        for (Throwable t = cause; t != null; t = t.getCause()) {
            all.append(t.getMessage()).append('\n');
        }
        assertTrue(all.toString(), all.toString().contains(message));
        assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(cause));
    }

    public void testDynamicDistanceCountsAtOnceForPipelinesWithoutTheirOwn() {
        String key = "plugins.simhash.near_duplicate.max_distance";
        index(DOCS, 1);
        pipeline("");
        send(DOCS, "0", print(0));
        send(DOCS, "4-by-default", print(0b1111L << 8));
        set(key, 4);
        try {
            send(DOCS, "4-by-setting", print(0b1111L << 16));
            pipeline("'max_distance': 3");
            send(DOCS, "4-of-its-own", print(0b1111L << 24));
        } finally {
            set(key, null);
        }
        pipeline("");
        send(DOCS, "4-again", print(0b1111L << 32));
        assertEquals(
                expected("0", null, "4-by-default", null, "4-by-setting", "0:4", "4-of-its-own", null, "4-again", null),
                tags(DOCS));
        for (Object value : List.of(65, -1)) {
            Exception e = expectThrows(Exception.class, () -> set(key, value));
            assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(ExceptionsHelper.unwrapCause(e)));
        }
    }

    private void verifying(String verify, String rest) {
        processors("{'simhash': {'field': 'content', 'min_features': 1}},"
                + "{'near_duplicate': {'max_distance': 40, 'verify': {'field': 'content'" + verify + "}" + rest + "}}");
    }

    private static Map<String, Object> changed(int words) {
        String[] all = TEXT.split(" ");
        for (int i = 0; i < words; i++) {
            all[3 + 7 * i] = "other" + i;
        }
        return text(String.join(" ", all));
    }

    private static Object similarity(Map<String, Object> source) {
        return XContentMapValues.extractValue("near_duplicate.similarity", source);
    }

    public void testTextsAreComparedInTheBulkInTheWindowAndInTheIndex() {
        verifying(", 'min_similarity': 0.7", "");
        index(DOCS, 1);
        assertIndexed(send(DOCS, ordered("1", changed(0), "2", changed(1), "3", changed(4))));
        assertIndexed(send(DOCS, "4", changed(1)));
        refresh(DOCS);
        assertIndexed(send(DOCS, "5", changed(1)));
        assertIndexed(
                send(DOCS, "6", text("nothing of all this is in any other text, whatever its fingerprint may be")));
        Map<String, Map<String, Object>> stored = stored(DOCS);
        assertNull(tag(stored.get("1")));
        assertTrue(tag(stored.get("2")).startsWith("1:"));
        assertEquals("3 words of 3-shingles changed of 29", 26 / 32.0, (double) similarity(stored.get("2")), 1e-9);
        assertNull(tag(stored.get("3")));
        assertEquals("2:0", tag(stored.get("4")));
        assertEquals(1.0, similarity(stored.get("4")));
        assertEquals("2:0", tag(stored.get("5")));
        assertEquals(1.0, similarity(stored.get("5")));
        assertNull(tag(stored.get("6")));
    }

    public void testDynamicSimilarityCountsForPipelinesWithoutTheirOwn() {
        String key = "plugins.simhash.near_duplicate.min_similarity";
        index(DOCS, 1);
        verifying("", "");
        send(DOCS, "1", changed(0));
        set(key, 0.95);
        try {
            send(DOCS, "2", changed(1));
            set(key, 0.5);
            send(DOCS, "3", changed(1));
        } finally {
            set(key, null);
        }
        Map<String, String> tags = tags(DOCS);
        assertNull(tags.get("2"));
        assertEquals("2:0", tags.get("3"));
        assertIndexed(send(DOCS, "4", changed(2)));
    }

    public void testAVerifiedOriginalMustBeStoredToDropAnother() {
        processors("{'simhash': {'field': 'content'}}, {'near_duplicate':"
                + " {'max_distance': 16, 'verify': {'field': 'content', 'min_similarity': 0.7}, 'action': 'drop'}}");
        index(DOCS, 1);
        assertIndexed(send(DOCS, ordered("1", changed(0), "2", changed(1))));
        assertIndexed(send(DOCS, ordered("3", changed(1), "4", changed(4))));
        if (randomBoolean()) {
            refresh(DOCS);
        }
        assertIndexed(send(DOCS, "5", changed(0)));
        assertEquals(List.of("1", "2", "4"), List.copyOf(stored(DOCS).keySet()));
    }

    public void testVerificationWithACondition() {
        processors("{'simhash': {'field': 'content'}},"
                + "{'near_duplicate': {'if': 'true', 'verify': {'field': 'content'}, 'max_distance': 40}}");
        index(DOCS, 1);
        BulkRequestBuilder bulk = node().prepareBulk();
        for (int i = 0; i < 20; i++) {
            bulk.add(new IndexRequest(DOCS).id("" + i).source(changed(i % 2)).setPipeline(PIPELINE));
        }
        assertIndexed(bulk.get());
        for (int i = 0; i < 20; i++) {
            String tag = tags(DOCS).get("" + i);
            assertEquals("document " + i + " " + tag, i > 0, tag != null);
        }
    }
}

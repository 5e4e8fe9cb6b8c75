/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.simhash.core.image.ImageHash;
import org.opensearch.simhash.core.image.PerceptualHash;

/** Each case of the rule of {@link Books}, on histories made up for it. */
class BooksTests {

    private static final Corpus PLAIN = new Corpus("plain", false);
    private static final Text TEXT = new Text(3, 0, 0);
    private static final Text NEAR = new Text(3, 0, 1);
    private static final Text TWIN = new Text(3, 1, 0);
    private static final Text OTHER = new Text(4, 0, 0);

    private final History history = new History();
    private final Map<String, Text> stored = new HashMap<>();
    private Set<Text> archived = Set.of();
    private long requests;

    /** The rule takes for granted which are near. */
    @Test
    void testPicturesOfAFamilyAreNearAndOthersAreNot() {
        var hash = new ImageHash(PerceptualHash.PHASH, Long.SIZE, ImageHash.DEFAULT_BYTES, ImageHash.DEFAULT_PIXELS);
        List<Long> seen = new ArrayList<>();
        for (int family = 0; family < 300; family++) {
            long first = 0;
            for (int variant = 0; variant < Text.VARIANTS; variant++) {
                var picture = new Text(family, variant % Text.TWINS, variant).pictured();
                long bits = hash.of((String) picture.get(Text.PICTURE), TimeValue.timeValueMinutes(1), bytes -> {})
                        .words()[0];
                first = variant == 0 ? bits : first;
                assertTrue(Long.bitCount(first ^ bits) <= 1, "family " + family);
            }
            for (long other : seen) {
                assertTrue(Long.bitCount(first ^ other) > Corpus.DISTANCE + 2, "family " + family);
            }
            seen.add(first);
        }
    }

    /** OpenSearch sends a write again whose node stood still. */
    @Test
    void testAnOldTextMayComeAgainIfANodeStoodStillDuringItsWrite() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("a", OTHER, 30, 40, Outcome.STORED);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN, Loss.Kind.LOST, Loss.Kind.CHANGED);
        history.add(Note.pause(1, 20, 50));
        assertLosses(PLAIN, Loss.Kind.LOST, Loss.Kind.CHANGED);
        history.add(Note.pause(1, 15, 50));
        assertLosses(PLAIN);
        stored.remove("plain/a");
        assertLosses(PLAIN, Loss.Kind.LOST, Loss.Kind.CHANGED);
    }

    @Test
    void testAStoredTextMustBeThere() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        assertLosses(PLAIN, Loss.Kind.LOST, Loss.Kind.CHANGED);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN);
    }

    @Test
    void testAnUnansweredWriteMayBeThereOrNot() {
        write("a", TEXT, 10, 20, Outcome.UNKNOWN);
        assertLosses(PLAIN);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN);
    }

    @Test
    void testALeftOutTextNeedsANearOne() {
        write("a", TEXT, 10, 20, Outcome.UNKNOWN);
        write("b", NEAR, 12, 15, Outcome.DROPPED);
        assertLosses(PLAIN, Loss.Kind.LOST);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN);
    }

    @Test
    void testATwinIsNearOnlyWhereTextsAreNotCompared() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", TWIN, 30, 40, Outcome.DROPPED);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN);
        assertLosses(new Corpus("plain", true), Loss.Kind.LOST);
    }

    @Test
    void testWhatAClientGaveUpIsNotOwed() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("a", null, 30, 40, Outcome.GONE);
        assertLosses(PLAIN);
        write("b", TEXT, 50, 60, Outcome.STORED);
        write("b", OTHER, 70, 80, Outcome.UNKNOWN);
        stored.put("plain/b", OTHER);
        assertLosses(PLAIN);
    }

    @Test
    void testAnOriginalThatIsGivenUpAfterwardsExcuses() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 30, 40, Outcome.DROPPED);
        write("a", null, 35, 45, Outcome.GONE);
        assertLosses(PLAIN);
    }

    @Test
    void testAnOriginalThatWasGivenUpBeforeDoesNotExcuse() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("a", null, 21, 25, Outcome.GONE);
        write("b", NEAR, 30, 40, Outcome.DROPPED);
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testADecisionDoesNotTrustAnOriginalOfLongAgo() {
        long late = 30 + 2 * history.lateness();
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 30, late, Outcome.REFUSED);
        write("a", null, 35, 45, Outcome.GONE);
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testAnOriginalDeletedInTheSameBulkDoesNotExcuse() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write(7, "plain", "b", NEAR, 30, 40, Outcome.DROPPED);
        write(7, "plain", "a", null, 30, 40, Outcome.GONE);
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testARefusalForAnOriginalOfTheSameBulkThatFailedPromisesNothing() {
        write(7, "plain", "a", TEXT, 10, 20, Outcome.UNKNOWN);
        write(7, "plain", "b", NEAR, 10, 20, Outcome.REFUSED);
        assertLosses(PLAIN);
    }

    @Test
    void testWhatAJobDeletedNeedsASurvivor() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        job(JobRun.Kind.DELETE, 30, 40);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN);
        stored.clear();
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testASurvivorThatIsGivenUpMeanwhileExcuses() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        job(JobRun.Kind.DELETE, 30, 50);
        write("a", OTHER, 35, 36, Outcome.STORED);
        stored.put("plain/a", OTHER);
        assertLosses(PLAIN);
        history.add(new Note(40, 41, "plain/b", NEAR, "seen"));
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testASurvivorThatWasGivenUpBeforeTheJobDoesNotExcuse() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        write("a", null, 21, 25, Outcome.GONE);
        job(JobRun.Kind.DELETE, 30, 40);
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testACopyInTheArchiveStandsForItsTextOnceTheSurvivorIsGivenUp() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        job(JobRun.Kind.ARCHIVE, 30, 40);
        archived = Set.of(NEAR);
        assertLosses(PLAIN, Loss.Kind.ONLY_ARCHIVED);
        write("a", null, 50, 60, Outcome.GONE);
        assertLosses(PLAIN);
        archived = Set.of();
        assertLosses(PLAIN, Loss.Kind.LOST);
    }

    @Test
    void testAStoredDocumentIsNotLeftOut() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", OTHER, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        stored.put("plain/b", OTHER);
        assertLosses(PLAIN);
        write("a", OTHER, 30, 40, Outcome.DROPPED);
        assertLosses(PLAIN, Loss.Kind.STALE);
    }

    @Test
    void testADocumentHasTheTextThatWasAcknowledged() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("a", NEAR, 30, 40, Outcome.STORED);
        stored.put("plain/a", TEXT);
        assertLosses(PLAIN, Loss.Kind.CHANGED);
        stored.put("plain/a", NEAR);
        stored.put("plain/z", OTHER);
        assertLosses(PLAIN, Loss.Kind.UNKNOWN_TEXT);
    }

    private void write(String id, Text text, long sent, long answered, Outcome outcome) {
        write(100 + requests++, "plain", id, text, sent, answered, outcome);
    }

    private void write(long request, String index, String id, Text text, long sent, long answered, Outcome outcome) {
        history.add(List.of(new Operation(request, index, id, text, sent, answered, outcome, false, "made up")));
    }

    private void job(JobRun.Kind kind, long sent, long answered) {
        history.add(new JobRun("plain", kind, sent, answered, "made up"), 0);
    }

    private void assertLosses(Corpus corpus, Loss.Kind... expected) {
        List<Loss> losses = Books.check(corpus, history, new Remains(stored, archived));
        assertEquals(List.of(expected), losses.stream().map(Loss::kind).toList(), losses.toString());
    }
}

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
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.RecipeBuilder;
import org.opensearch.simhash.core.image.ImageHash;
import org.opensearch.simhash.core.image.PerceptualHash;
import org.opensearch.simhash.core.text.SourceTexts;

/** Each case of the rule of {@link Books}, on histories made up for it. */
class BooksTests {

    private static final Corpus PLAIN = new Corpus("plain", false);
    private static final Text TEXT = new Text(3, 0, 0);
    private static final Text NEAR = new Text(3, 0, 1);
    private static final Text TWIN = new Text(3, 1, 0);
    private static final Text OTHER = new Text(4, 0, 0);

    private final History history = new History();
    private final Map<String, Text> stored = new HashMap<>();
    private final Map<String, Set<String>> values = new HashMap<>();
    private List<Remains.Copy> archived = List.of();
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

    /** The same of texts. */
    @Test
    void testTextsOfAKinAreNearAndOthersAreNot() {
        Fingerprinter fingerprinter = new RecipeBuilder().standard();
        List<Long> seen = new ArrayList<>();
        for (int family = 0; family < 100; family++) {
            for (int twin = 0; twin < Text.TWINS; twin++) {
                List<Long> near = new ArrayList<>();
                for (int variant = 0; variant < Text.VARIANTS; variant++) {
                    near.add(bits(fingerprinter, new Text(family, twin, variant)));
                }
                for (long one : near) {
                    assertTrue(near.stream().allMatch(other -> distance(one, other) < Corpus.TEXT_DISTANCE - 2));
                    assertTrue(seen.stream().allMatch(other -> distance(one, other) > Corpus.TEXT_DISTANCE));
                }
                seen.addAll(near);
            }
        }
    }

    private static int distance(long one, long other) {
        return Long.bitCount(one ^ other);
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
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "r"));
        assertLosses(PLAIN, Loss.Kind.ONLY_ARCHIVED);
        write("a", null, 50, 60, Outcome.GONE);
        assertLosses(PLAIN);
        archived = List.of();
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

    @Test
    void testWhatWasKeptApartDoesNotEndForTheOther() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        keepApart("b", NEAR, "a", TEXT);
        assertLosses(PLAIN, Loss.Kind.CHANGED);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "r"));
        job(JobRun.Kind.ARCHIVE, true, 50, 60, "{\"run\":\"r\"}");
        // It says so itself, and nothing else was near to it.
        assertLosses(PLAIN, Loss.Kind.KEPT_APART, Loss.Kind.KEPT_APART);
        write("0", TEXT, 25, 26, Outcome.STORED);
        stored.put("plain/0", TEXT);
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/0", "r"));
        assertLosses(PLAIN);
    }

    @Test
    void testWhatWasKeptApartIsNotDeletedWithoutAnArchive() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        write("c", NEAR, 10, 20, Outcome.STORED);
        write("d", OTHER, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        stored.put("plain/d", OTHER);
        keepApart("b", NEAR, "a", TEXT);
        job(JobRun.Kind.DELETE, true, 50, 60, "{\"run\":\"r\"}");
        // No document ends for one after it, so b did not end for c.
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        stored.put("plain/b", NEAR);
        assertLosses(PLAIN);
        stored.remove("plain/b");
        write("b", null, 55, 56, Outcome.GONE);
        assertLosses(PLAIN);
    }

    @Test
    void testADecisionBindsNoJobThatBeganBeforeItOrWasNotTold() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "r"));
        keepApart("b", NEAR, "a", TEXT);
        job(JobRun.Kind.ARCHIVE, true, 35, 60, "{\"run\":\"r\"}");
        assertLosses(PLAIN);
        job(JobRun.Kind.ARCHIVE, true, 50, 60, "{\"run\":\"s\"}");
        assertLosses(PLAIN);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "s"));
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "t"));
        job(JobRun.Kind.ARCHIVE, false, 50, 60, "{\"run\":\"t\"}");
        assertLosses(PLAIN);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "u"));
        job(JobRun.Kind.ARCHIVE, true, 50, 60, "no answer");
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        job(JobRun.Kind.ARCHIVE, true, 30, 60, "no answer");
        assertLosses(PLAIN);
    }

    /** Once a job has written it into both documents, for as long as they stay as they are. */
    @Test
    void testADecisionInTheDocumentsBindsJobsThatWereNotTold() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "r"));
        keepApart("b", NEAR, "a", TEXT);
        job(JobRun.Kind.ARCHIVE, false, 70, 80, "{\"run\":\"r\"}");
        assertLosses(PLAIN);
        job(JobRun.Kind.TAG, true, 50, 60, "/plain 200 {\"version_conflicts\":1,\"read_only\":0,\"failures\":[]}");
        job(
                JobRun.Kind.TAG,
                true,
                50,
                60,
                "/plain/apply 200 {\"version_conflicts\":0,\"read_only\":0,\"failures\":[]}");
        job(JobRun.Kind.TAG, true, 50, 75, "/plain 200 {\"version_conflicts\":0,\"read_only\":0,\"failures\":[]}");
        assertLosses(PLAIN);
        job(JobRun.Kind.TAG, true, 50, 60, "/plain 200 {\"version_conflicts\":0,\"read_only\":0,\"failures\":[]}");
        assertLosses(PLAIN, Loss.Kind.KEPT_APART, Loss.Kind.KEPT_APART);
        write("a", TEXT, 65, 66, Outcome.STORED);
        assertLosses(PLAIN);
    }

    @Test
    void testADecisionHoldsForTheTextsThatPeopleSaw() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 10, 20, Outcome.STORED);
        stored.put("plain/a", TEXT);
        keepApart("b", NEAR, "a", TEXT);
        job(JobRun.Kind.DELETE, 50, 60);
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        write("a", TEXT, 45, 46, Outcome.STORED);
        assertLosses(PLAIN, Loss.Kind.KEPT_APART);
        write("a", NEAR, 48, 49, Outcome.UNKNOWN);
        assertLosses(PLAIN);
    }

    @Test
    void testASurvivorGetsTheValuesOfWhatEndsForIt() {
        var merging = new Corpus("plain", true);
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("b", NEAR, 30, 40, Outcome.STORED);
        stored.put("plain/a", TEXT);
        values.put("plain/a", Set.of("a"));
        archived = List.of(new Remains.Copy("plain/b", NEAR, "plain/a", "r"));
        job(JobRun.Kind.ARCHIVE, true, 50, 60, "{\"run\":\"r\"}");
        assertLosses(merging, Loss.Kind.UNMERGED);
        assertLosses(PLAIN);
        values.put("plain/a", Set.of("a", "b"));
        assertLosses(merging);
        values.put("plain/a", Set.of("a"));
        job(JobRun.Kind.TAG, 55, 65);
        assertLosses(merging, Loss.Kind.UNMERGED);
        job(JobRun.Kind.RESTORE, 55, 65);
        assertLosses(merging);
    }

    @Test
    void testAJobThatTagsChangesNoText() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        job(JobRun.Kind.TAG, 30, 40);
        assertLosses(PLAIN, Loss.Kind.LOST, Loss.Kind.CHANGED);
    }

    @Test
    void testAJobBringsNoOldTextBackAndARestoreMay() {
        write("a", TEXT, 10, 20, Outcome.STORED);
        write("a", NEAR, 30, 40, Outcome.STORED);
        stored.put("plain/a", TEXT);
        job(JobRun.Kind.ARCHIVE, 50, 60);
        assertLosses(PLAIN, Loss.Kind.CHANGED);
        job(JobRun.Kind.RESTORE, 70, 80);
        assertLosses(PLAIN);
    }

    private static long bits(Fingerprinter fingerprinter, Text text) {
        SourceTexts content = SourceTexts.of((String) text.written().get("content"));
        return fingerprinter.fingerprint(content, bytes -> {}).bits().getAsLong();
    }

    private void keepApart(String id, Text text, String other, Text otherText) {
        history.add(new Decision("plain/" + id, text, "plain/" + other, otherText, 30, 40));
    }

    private void write(String id, Text text, long sent, long answered, Outcome outcome) {
        write(100 + requests++, "plain", id, text, sent, answered, outcome);
    }

    private void write(long request, String index, String id, Text text, long sent, long answered, Outcome outcome) {
        history.add(List.of(new Operation(request, index, id, text, sent, answered, outcome, false, "made up")));
    }

    private void job(JobRun.Kind kind, long sent, long answered) {
        job(kind, true, sent, answered, "made up");
    }

    private void job(JobRun.Kind kind, boolean isTold, long sent, long answered, String answer) {
        history.add(new JobRun("plain", kind, isTold, sent, answered, answer), 0);
    }

    private void assertLosses(Corpus corpus, Loss.Kind... expected) {
        List<Loss> losses = Books.check(corpus, history, new Remains(stored, values, archived));
        assertEquals(List.of(expected), losses.stream().map(Loss::kind).toList(), losses.toString());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.ending;

import java.util.Collection;
import java.util.TreeSet;
import org.opensearch.simhash.arrivals.arrival.Criteria;
import org.opensearch.simhash.core.fingerprint.Fingerprint.MaxDistance;
import org.opensearch.simhash.core.fingerprint.TypedNumber;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.Freshness;

/**
 * The rule of who may end. Its table is in docs/near-duplicate.md, and {@code EndRuleTests} goes through it.
 *
 * @param maxOwnWords a document with a longer run of words that its original lacks stays; {@link OwnWords#UNLIMITED}
 * @param shortTexts whether texts that are too short for a fingerprint may end
 * @param sameId whether a document may end for one with its own id in another index
 * @param isOfCandidates whether a document needs no fingerprint, because its text alone is compared
 */
public record EndRule(Criteria criteria, int maxOwnWords, boolean shortTexts, boolean sameId, boolean isOfCandidates) {

    /** The least similarity, of texts or of sketches, with which a document may end. */
    public static final double LEAST_SIMILARITY = 0.5;

    private static final int MOST_OWN_WORDS = 1_000_000;

    /** Most bits in which fingerprints may differ. Longer hashes may differ in the same share of their bits. */
    public static int mostBits(int length, boolean isVerified, boolean isOfText) {
        return isOfText && isVerified == false ? MaxDistance.DEFAULT : length / 4;
    }

    /**
     * Refuses a distance at which too different documents would end.
     *
     * @param length of the fingerprints in bits
     * @param from where it comes from, for the error; empty for the request
     */
    public static void requireBits(
            String action, Object distance, int length, boolean isVerified, boolean isOfText, String from) {
        int most = mostBits(length, isVerified, isOfText);
        if (isBeyond(distance, most)) {
            throw new IllegalArgumentException("[max_distance] must be between 0 and " + most + " with [action] "
                    + action + (isOfText && isVerified == false ? " and [verify] false" : "")
                    + (length == Long.SIZE ? "" : " for hashes of " + length + " bits") + ", got: " + distance + from);
        }
    }

    /** Refuses a similarity at which too different documents would end. */
    public static void requireSimilarity(String option, String action, Object similarity, String where) {
        if (isBeyond(LEAST_SIMILARITY, similarity)) {
            throw new IllegalArgumentException(option + " must be between " + LEAST_SIMILARITY
                    + " and 1.0 with [action] " + action + where + ", got: " + similarity);
        }
    }

    /**
     * Refuses similarities at which too different documents would end. Sketches only propose what texts decide.
     *
     * @param verify null if texts are not compared
     * @param minSimilarity of sketches; null if there are none, or it is not known
     */
    public static void requireSimilarity(String action, Verification verify, Double minSimilarity) {
        if (verify != null) {
            requireSimilarity("[min_similarity] of [verify]", action, verify.minSimilarity(), "");
        } else {
            requireSimilarity("[min_similarity]", action, minSimilarity, " and [verify] false");
        }
    }

    /** Something else than a number is refused elsewhere. */
    private static boolean isBeyond(Object value, Object bound) {
        try {
            return value != null
                    && bound != null
                    && Double.parseDouble(value.toString()) > Double.parseDouble(bound.toString());
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static int maxOwnWords(Integer typed) {
        int most = typed == null ? OwnWords.DEFAULT_MOST : typed;
        return TypedNumber.requireBetween("max_own_words", OwnWords.UNLIMITED, MOST_OWN_WORDS, most);
    }

    /**
     * Checks what the documents to end were compared by, before anything is written.
     *
     * @param schemes of the fingerprints that were found
     */
    public void requireFor(String action, Collection<String> schemes) {
        TreeSet<String> notOfText = new TreeSet<>(schemes);
        notOfText.removeIf(scheme -> Freshness.isNotOfText(scheme) == false);
        boolean isVerified = criteria.verification() != null;
        if (isVerified && notOfText.isEmpty() == false) {
            throw new IllegalArgumentException("[verify] must be false with [action] " + action
                    + " where fingerprints are not made of text, got: fingerprints of the schemes " + notOfText);
        }
        if (notOfText.size() < schemes.size()) {
            requireBits(action, criteria.maxDistance(), Long.SIZE, isVerified, true, "");
        }
    }

    /** What keeps a document from ending, and others from ending for it; null if nothing does. */
    public Obstacle ofDocument(Freshness.State state) {
        boolean mayEnd = switch (state) {
            case FRESH -> true;
            case SHORT_TEXT -> shortTexts;
            // Its hash is compared, or with candidates its text.
            case NOT_OF_TEXT -> criteria.verification() == null || isOfCandidates;
            case NONE -> isOfCandidates;
            case STALE, ROUNDED, NO_TEXT, SEVERAL, UNREADABLE -> false;
        };
        return mayEnd ? null : Obstacle.of(state);
    }

    /** Whether a document may be a duplicate at all: a short one is grouped and tagged like others. */
    public boolean mayLink(Freshness.State state) {
        return state == Freshness.State.SHORT_TEXT || ofDocument(state) == null;
    }
}

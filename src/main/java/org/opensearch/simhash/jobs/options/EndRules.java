/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import org.opensearch.common.CheckedFunction;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.simhash.core.fingerprint.MaxDistance;
import org.opensearch.simhash.core.verify.OwnWords;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.options.RequestOptions;
import org.opensearch.simhash.search.query.VerifyOptions;

/** How alike documents must be before one of them is deleted. */
public final class EndRules {

    private EndRules() {}

    /** The rule, or {@code false} for none, which gives an empty result. */
    public static CheckedFunction<XContentParser, Optional<Verification>, IOException> verifyOrFalse() {
        CheckedFunction<XContentParser, Verification, IOException> object = parser -> {
            if (parser.currentToken() != Token.START_OBJECT) {
                throw RequestOptions.wrong("[verify] must be an object, or false", parser);
            }
            return VerifyOptions.withOptionalField(parser);
        };
        return parser -> parser.currentToken() == Token.VALUE_BOOLEAN && parser.booleanValue() == false
                ? Optional.empty()
                : Optional.of(object.apply(parser));
    }

    /**
     * Checks the options of a job or an apply that deletes.
     *
     * @param verify null if texts are not compared
     * @param minSimilarity of sketches; null if there are none
     */
    public static void require(Verification verify, Double minSimilarity) {
        if (verify != null && verify.minSimilarity() < Verification.LEAST_TO_END) {
            throw new IllegalArgumentException("[min_similarity] of [verify] must be at least "
                    + Verification.LEAST_TO_END + " with [action] delete, got: " + verify.minSimilarity());
        }
        if (verify == null && minSimilarity != null && minSimilarity < Verification.LEAST_TO_END) {
            throw new IllegalArgumentException("[min_similarity] must be at least " + Verification.LEAST_TO_END
                    + " with [action] delete and [verify] false, got: " + minSimilarity);
        }
    }

    /**
     * Whether a document may be deleted, or others for it.
     *
     * @param state of its fingerprint
     */
    public static boolean mayEnd(Freshness.State state, DeduplicateOptions options) {
        return switch (state) {
            case FRESH -> true;
            // Its hash is compared, or with candidates its text.
            case NOT_OF_TEXT -> options.verify() == null || options.candidates() != null;
            case NONE -> options.candidates() != null;
            case STALE, ROUNDED, NO_TEXT, SEVERAL, UNREADABLE -> false;
        };
    }

    static void requireOwnWords(int maxOwnWords) {
        if (maxOwnWords < OwnWords.UNLIMITED) {
            throw new IllegalArgumentException(
                    "[max_own_words] must be 0 or more, or -1 for no limit, got: " + maxOwnWords);
        }
    }

    /**
     * Checks what the documents to delete were compared by, before anything is written.
     *
     * @param schemes of the fingerprints that were found
     */
    public static void requireFor(DeduplicateOptions options, Collection<String> schemes) {
        if (options.action() != DeduplicateOptions.Action.DELETE || options.comparesFingerprints() == false) {
            return;
        }
        TreeSet<String> ofText = new TreeSet<>(schemes);
        ofText.removeIf(Freshness::isNotOfText);
        TreeSet<String> others = new TreeSet<>(schemes);
        others.removeAll(ofText);
        if (options.verify() != null && others.isEmpty() == false) {
            throw new IllegalArgumentException(
                    "[verify] must be false with [action] delete where fingerprints are not made of text,"
                            + " got: fingerprints of the schemes " + others);
        }
        if (options.verify() == null && ofText.isEmpty() == false && options.maxDistance() > MaxDistance.DEFAULT) {
            throw new IllegalArgumentException("[max_distance] must be at most " + MaxDistance.DEFAULT
                    + " with [action] delete and [verify] false, got: " + options.maxDistance());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

/**
 * A word of a short text.
 *
 * @param written with folded case
 * @param stem without the endings of number and agreement; of a number its value
 * @param isCapital whether it begins with a capital that may be of a name: no noun after an article, no text of capitals
 * @param isFirst whether it begins a sentence, where a capital says nothing
 * @param isAfterPause whether a comma or an "and" stands before it
 * @param role the stem of the preposition that it follows; empty if it follows none
 */
public record Word(
        String written, String stem, Kind kind, boolean isCapital, boolean isFirst, boolean isAfterPause, String role) {

    /** What a word does. */
    public enum Kind {
        CONTENT,
        /** Digits, an operator, a unit such as a percent sign. */
        NUMBER,
        NEGATION,
        PRONOUN,
        /** A preposition that may stand for another weak one. */
        WEAK,
        /** Any other preposition. */
        DIRECTED,
        /** Of a language that writes nouns with capitals: what follows is no name. Dropped. */
        ARTICLE,
        /** Any other article, a copula of the present. */
        DROPPED,
        /** "And". */
        JOINING;

        public boolean isPreposition() {
            return this == WEAK || this == DIRECTED;
        }

        /** Whether a text without the word would say something else. */
        public boolean saysSomething() {
            return this == CONTENT || this == NUMBER || this == NEGATION;
        }
    }

    /** @param isName which keeps its endings */
    public Word with(String sharedStem, Kind sharedKind, boolean isName) {
        return new Word(written, isName ? written : sharedStem, sharedKind, isName, isFirst, isAfterPause, role);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.facts;

/**
 * A word of a short text.
 *
 * @param written in lower case
 * @param stem without the endings of number and agreement; of a number its value
 * @param isCapital whether it begins with a capital
 * @param isFirst whether it begins a sentence, where a capital says nothing
 * @param isAfterPause whether a comma or an "and" stands before it
 * @param role the stem of the preposition that it follows; empty if it follows none
 */
public record Word(
        String written, String stem, Kind kind, boolean isCapital, boolean isFirst, boolean isAfterPause, String role) {

    /** What a word does. */
    public enum Kind {
        /** Says something. */
        CONTENT,
        /** Digits, an operator, a unit such as a percent sign. */
        NUMBER,
        NEGATION,
        PRONOUN,
        /** A preposition that may stand for another weak one. */
        WEAK,
        /** Any other preposition. */
        DIRECTED,
        /** An article, a copula of the present. */
        DROPPED,
        /** "And". */
        JOINING
    }

    public Word withStem(String other) {
        return other.equals(stem) ? this : new Word(written, other, kind, isCapital, isFirst, isAfterPause, role);
    }

    public boolean isPreposition() {
        return kind == Kind.WEAK || kind == Kind.DIRECTED;
    }

    /** Whether a text without the word would say something else. */
    public boolean saysSomething() {
        return kind == Kind.CONTENT || kind == Kind.NUMBER || kind == Kind.NEGATION;
    }
}

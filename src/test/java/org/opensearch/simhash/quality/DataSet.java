/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Documents of one kind in one language, and what is known of pairs of them.
 *
 * @param name of the archive
 * @param language ISO 639-1 code, with or without a region
 * @param kind what claims are made of it
 * @param documents by number: pairs name them by their place here
 * @param pairs the pairs that the data set lists, by the people or the script that made them
 */
record DataSet(String name, String language, Kind kind, List<Document> documents, List<Pair> pairs) {

    /** What claims are made of a set. */
    enum Kind {
        /** Texts of many sentences: the bars hold here. */
        DOCUMENTS,
        /** Verses and questions of a line or two. */
        SHORT,
        /** No pairs are known; only unrelated documents are counted. */
        LOAD
    }

    /**
     * A text.
     *
     * @param group documents of equal groups are versions of one another; of different groups, unrelated unless a measure
     *     says that they are alike
     */
    record Document(String id, String group, String text) {}

    /**
     * A listed pair.
     *
     * @param a number of a document
     * @param b number of another
     * @param label whether both are the same document, or null when the set does not say
     * @param jaccard exact Jaccard similarity of the sets of word 3-shingles, of character 5-shingles where {@link
     *     #comparesCharacters(String)}
     */
    record Pair(int a, int b, Boolean label, double jaccard) {}

    /** Name and language, as it stands in tables. */
    String title() {
        return name + " " + language;
    }

    /** Whether similarity is that of characters: of Thai, Khmer, Lao and Burmese. */
    static boolean comparesCharacters(String language) {
        return Set.of("th", "km", "lo", "my").contains(language);
    }

    /** The same documents with other texts. */
    DataSet with(UnaryOperator<String> change) {
        List<Document> changed = documents.stream()
                .map(document -> new Document(document.id(), document.group(), change.apply(document.text())))
                .toList();
        return new DataSet(name, language, kind, changed, pairs);
    }

    /** Whether the set says how similar the texts of its pairs are. */
    boolean statesSimilarity() {
        return pairs.stream().anyMatch(pair -> Double.isNaN(pair.jaccard()) == false);
    }

    /** False for Chinese and Japanese. */
    boolean spacesBetweenWords() {
        return language.startsWith("zh") == false && language.startsWith("ja") == false;
    }

    /** Whether the set has labels, of one kind at least. */
    boolean labelled() {
        return pairs.stream().anyMatch(pair -> pair.label() != null);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opensearch.simhash.quality.DataSet.Document;
import org.opensearch.simhash.quality.DataSet.Pair;

/** Collects the documents and the pairs of a data set; a document of a known id is not taken twice. Not thread-safe. */
final class DataSetBuilder {

    private final String name;
    private final String language;
    private final DataSet.Kind kind;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<Document> documents = new ArrayList<>();
    private final List<Pair> pairs = new ArrayList<>();

    DataSetBuilder(String name, String language, DataSet.Kind kind) {
        this.name = name;
        this.language = language;
        this.kind = kind;
    }

    /** The number of the document, which is added when the id is new. */
    int document(String id, String group, String text) {
        return numbers.computeIfAbsent(id, unused -> {
            documents.add(new Document(id, group, text));
            return documents.size() - 1;
        });
    }

    /** The group of a document, when it has been added. */
    Optional<String> group(String id) {
        return Optional.ofNullable(numbers.get(id))
                .map(number -> documents.get(number).group());
    }

    /** A pair of documents that have been added. */
    void pair(String a, String b, Boolean label, double jaccard) {
        pair(numbers.get(a), numbers.get(b), label, jaccard);
    }

    void pair(int a, int b, Boolean label, double jaccard) {
        pairs.add(new Pair(a, b, label, jaccard));
    }

    DataSet build() {
        return new DataSet(name, language, kind, List.copyOf(documents), List.copyOf(pairs));
    }
}

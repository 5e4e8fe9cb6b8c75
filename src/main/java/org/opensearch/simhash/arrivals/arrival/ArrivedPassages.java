/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.arrival;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.passages.Winnowing;
import org.opensearch.simhash.search.match.Print.PassageTarget;

/**
 * The terms of a document's passages. They only propose originals, by the number of terms in common; the texts decide.
 *
 * @param terms as numbers, ascending; at least one
 */
@SuppressWarnings("ArrayRecordComponent") // Those of one version are one array.
public record ArrivedPassages(String field, long[] terms, String scheme) implements ArrivedPrint {

    /** A distance without terms in common: the window's ranks have as many bits. */
    private static final int FARTHEST = (1 << 11) - 1;

    /** Of a score without words in common. */
    private static final int MOST_WORDS = 1 << 22;

    static ArrivedPassages read(WrittenPrint written) {
        Object typed = written.fields().get(FingerprintFields.TERMS);
        List<?> all = typed instanceof List<?> list ? list : typed == null ? List.of() : List.of(typed);
        long[] terms = new long[all.size()];
        for (int i = 0; i < terms.length; i++) {
            terms[i] = all.get(i) instanceof String term ? Winnowing.number(new BytesRef(term)) : -1;
            if (terms[i] < 0) {
                throw written.wrong(
                        FingerprintFields.TERMS, "must be what the [passages] processor writes", all.get(i));
            }
        }
        Arrays.sort(terms);
        return terms.length == 0 ? null : new ArrivedPassages(written.field(), terms, written.scheme());
    }

    @Override
    public ArrivedDigest digest() {
        return null;
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    @Override
    public PassageTarget target() {
        throw new UnsupportedOperationException("terms are no source of passages");
    }

    @Override
    public int distance(ArrivedPrint other) {
        return other instanceof ArrivedPassages passages && suits(other.scheme())
                ? distance(passages.terms)
                : INCOMPARABLE;
    }

    /** Less for more terms in common. */
    private int distance(long[] others) {
        int common = 0;
        for (int i = 0, j = 0; i < terms.length && j < others.length; ) {
            int order = Long.compare(terms[i], others[j]);
            common += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return common == 0 ? INCOMPARABLE : Math.max(0, FARTHEST - common);
    }

    @Override
    public int maxDistance(Criteria criteria) {
        return MOST_WORDS;
    }

    /** The words in common. */
    @Override
    public float score(int distance) {
        return MOST_WORDS - distance;
    }

    @Override
    public int distance(float score) {
        return MOST_WORDS - (int) score;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ArrivedPassages passages
                && field.equals(passages.field)
                && Objects.equals(scheme, passages.scheme)
                && Arrays.equals(terms, passages.terms);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(terms);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.search.SearchHit;

/** The searches that find a sample. */
class RandomSampleTests {

    @Test
    void testTheLeastScoreIsThatOfTheLastDocumentOfTheSample() {
        RandomSample sample = sample(5, 2);
        assertTrue(sample.addScores(hits(0.9f, 0.7f)));
        assertTrue(sample.addScores(hits(0.7f, 0.5f)));
        assertFalse(sample.addScores(hits(0.4f, 0.3f)));
        assertEquals(0.4f, minScore(sample));
    }

    @Test
    void testAllBelongWhereThereAreNoMoreThanWanted() {
        RandomSample sample = sample(5, 2);
        assertTrue(sample.addScores(hits(0.9f, 0.7f)));
        assertFalse(sample.addScores(hits(0.2f)), "a page that is not full is the last");
        assertNull(minScore(sample));
    }

    /** With scores OpenSearch looks for the greatest of all, page by page. */
    @Test
    void testDocumentsAreReadWithoutScores() {
        assertFalse(sample(5, 2).documents(new String[0]).source().trackScores());
    }

    private static RandomSample sample(int size, int mostHits) {
        return new RandomSample(
                new FeatureWeightsAction.Request(new String[] {"docs"}, new RecipeChoice("p", null), size, 0.2),
                TimeValue.timeValueMinutes(1),
                mostHits);
    }

    private static Float minScore(RandomSample sample) {
        return ((FunctionScoreQueryBuilder)
                        sample.documents(new String[] {"body"}).source().query())
                .getMinScore();
    }

    private static SearchHit[] hits(float... scores) {
        SearchHit[] hits = new SearchHit[scores.length];
        for (int i = 0; i < scores.length; i++) {
            hits[i] = new SearchHit(i);
            hits[i].score(scores[i]);
        }
        return hits;
    }
}

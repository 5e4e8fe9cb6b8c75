/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.scan;

import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortBuilders;

/** All hits of a query in a point in time, page by page. Not thread-safe. */
public final class HitPages {

    private final PointInTime pointInTime;
    private final SearchSourceBuilder source;
    private int asked;
    private boolean isEnd;

    /** @param source the search; this class changes it */
    public HitPages(PointInTime pointInTime, SearchSourceBuilder source) {
        this.pointInTime = pointInTime;
        this.source = source.trackTotalHits(false).sort(SortBuilders.shardDocSort());
    }

    /** Whether all hits have been passed. */
    public boolean isEnd() {
        return isEnd;
    }

    /** The next hits, at most {@code most}. They come again until they are passed. */
    SearchHit[] read(int most) {
        asked = Math.min(most, pointInTime.mostHits());
        return pointInTime.search(source.size(asked)).getHits().getHits();
    }

    /** @param hits the last hits read */
    void pass(SearchHit[] hits) {
        isEnd = hits.length < asked;
        if (isEnd == false) {
            source.searchAfter(hits[hits.length - 1].getSortValues());
        }
    }
}

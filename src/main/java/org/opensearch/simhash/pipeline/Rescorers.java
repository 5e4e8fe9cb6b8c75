/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.List;
import java.util.function.IntSupplier;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.QueryRescoreMode;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * Widens rescorers for a search that looks at more hits than its page. OpenSearch mixes hits that a rescorer has not
 * seen with those it has. If a rescorer can lower a score, the best hits would fall behind the window, so it must see
 * all hits.
 *
 * <p>A rescorer that only raises scores stays: its fixed window keeps pages consistent. Rescorers of plugins stay,
 * since they cannot be copied.
 */
final class Rescorers {

    private Rescorers() {}

    /** Replaces rescorers of {@code source} by copies: the originals belong to the caller. */
    @SuppressWarnings("rawtypes") // as in OpenSearch
    static void widen(SearchSourceBuilder source, int window, IntSupplier most) {
        List<RescorerBuilder> rescorers = source.rescores();
        if (rescorers == null || rescorers.stream().noneMatch(Rescorers::mayLower)) {
            return;
        }
        int wanted = Math.min(window, most.getAsInt());
        source.clearRescorers();
        for (RescorerBuilder<?> rescorer : rescorers) {
            source.addRescorer(
                    mayLower(rescorer) && windowOf(rescorer) < wanted
                            ? copy((QueryRescorerBuilder) rescorer).windowSize(wanted)
                            : rescorer);
        }
    }

    private static boolean mayLower(RescorerBuilder<?> rescorer) {
        if (rescorer.getClass() != QueryRescorerBuilder.class) {
            return false;
        }
        QueryRescorerBuilder query = (QueryRescorerBuilder) rescorer;
        boolean raises = query.getScoreMode() == QueryRescoreMode.Total || query.getScoreMode() == QueryRescoreMode.Max;
        return raises == false || query.getQueryWeight() < 0 || query.getRescoreQueryWeight() < 0;
    }

    private static int windowOf(RescorerBuilder<?> rescorer) {
        return rescorer.windowSize() == null ? RescorerBuilder.DEFAULT_WINDOW_SIZE : rescorer.windowSize();
    }

    private static QueryRescorerBuilder copy(QueryRescorerBuilder rescorer) {
        return new QueryRescorerBuilder(rescorer.getRescoreQuery())
                .setScoreMode(rescorer.getScoreMode())
                .setQueryWeight(rescorer.getQueryWeight())
                .setRescoreQueryWeight(rescorer.getRescoreQueryWeight());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.pipeline;

import java.util.List;
import java.util.function.IntSupplier;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.QueryRescoreMode;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * The rescorers of a search that looks at more hits than its page has. OpenSearch sorts the hits that a rescorer has not seen
 * between those it has. One that can lower a score would so put the best hits of the query behind all that were asked for beyond
 * its own window: it has to see them, too.
 *
 * <p>One that only raises scores is left alone: what it has seen stays in front, and its window, the same on every page, is what
 * keeps pages from repeating and skipping hits. Rescorers of plugins are left alone because they cannot be copied.
 */
final class Rescorers {

    private Rescorers() {}

    /** Replaces in {@code source} what has to see more, by copies: the objects are the caller's. */
    @SuppressWarnings("rawtypes") // as OpenSearch has them
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

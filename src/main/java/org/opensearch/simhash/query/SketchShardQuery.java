/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.simhash.match.MinHashQuery;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.SketchedFields;
import org.opensearch.simhash.query.QuerySource.Sketched;
import org.opensearch.simhash.query.SimHashQueryBuilder.Services;
import org.opensearch.simhash.verify.Verification;

/**
 * Turns a {@code minhash} query into a Lucene query, with the mapping of the shard.
 *
 * @param verify the rule for texts, or null
 */
record SketchShardQuery(
        String field,
        double minSimilarity,
        boolean containment,
        Verification verify,
        Services services,
        QueryShardContext shard) {

    /** Documents similar to any sketch, with verified texts, without the source document. */
    Query similar(Sketched source) {
        ShardMatches matches = new ShardMatches(field, verify, services, services.sketchRecipes(), shard);
        matches.requireText();
        Optional<SketchedFields> fields = new SketchMapping(shard, field).fields();
        if (fields.isEmpty()) {
            return new MatchNoDocsQuery("[" + field + "] is not mapped");
        }
        matches.requirePlace();
        LongPredicate keeping = source.targets().size() == 1 ? bytes -> false : matches.keeping();
        List<ShardMatches.Near> similar = new ArrayList<>();
        for (SketchTarget target : source.targets()) {
            PlanRecord record = new PlanRecord();
            record.pays(keeping);
            services.counts().made(shard, record);
            similar.add(new ShardMatches.Near(
                    new MinHashQuery(fields.get(), target, minSimilarity, containment, record), target.scheme()));
        }
        return matches.of(similar, source.text(), source.pipeline(), source.self(), keeping);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregation;
import org.opensearch.search.aggregations.bucket.composite.CompositeAggregationBuilder;
import org.opensearch.search.aggregations.bucket.composite.TermsValuesSourceBuilder;
import org.opensearch.search.aggregations.bucket.filter.Filter;
import org.opensearch.search.aggregations.metrics.Max;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.options.DeduplicateOptions;
import org.opensearch.simhash.deduplicate.scan.JobQuery;
import org.opensearch.simhash.deduplicate.scan.WholeStrings;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.query.IndexMapping;

/**
 * The groups that a document has left, or was deleted from, as far as counts tell: those without a survivor, those of one document
 * that is to be in none, and those of another size than their survivor says. Shards count the documents of each group, at about a
 * microsecond each. Blocks its one thread.
 */
record StaleGroups(JobRun run) {

    private static final int PAGE = 10_000;
    private static final String GROUPS = "groups";
    private static final String SURVIVORS = "survivors";
    private static final String SIZE = "size";

    /** None if the mappings do not count groups. */
    List<String> read() {
        DeduplicateOptions options = run.options();
        Set<String> names = new HashSet<>();
        Metadata metadata = run.services().cluster().state().metadata();
        for (String index : run.pointInTime().indices()) {
            IndexMetadata found = metadata.index(index);
            if (found != null) {
                String name = counted(new IndexMapping(found), options.field() + "." + TagFields.GROUP);
                boolean isRefused = "".equals(name) && IndexSettings.ALLOW_UNMAPPED.get(found.getSettings()) == false;
                names.add(isRefused ? null : name);
            }
        }
        names.remove("");
        if (names.size() != 1 || names.contains(null)) {
            return List.of();
        }
        var survivors = AggregationBuilders.filter(
                SURVIVORS,
                new BoolQueryBuilder().mustNot(JobQuery.exists(options.field() + "." + TagFields.DUPLICATE_OF)));
        if (options.sizeField() != null) {
            survivors.subAggregation(AggregationBuilders.max(SIZE).field(options.sizeField()));
        }
        CompositeAggregationBuilder groups = new CompositeAggregationBuilder(
                        GROUPS,
                        List.of(new TermsValuesSourceBuilder(TagFields.GROUP)
                                .field(names.iterator().next())))
                .size(PAGE)
                .subAggregation(survivors);
        List<String> stale = new ArrayList<>();
        for (Map<String, Object> after = Map.of(); after != null; ) {
            run.task().ensureNotCancelled();
            if (after.isEmpty() == false) {
                groups.aggregateAfter(after);
            }
            CompositeAggregation page = run.pointInTime()
                    .search(new SearchSourceBuilder()
                            .query(run.queries().documents())
                            .size(0)
                            .trackTotalHits(false)
                            .aggregation(groups))
                    .getAggregations()
                    .get(GROUPS);
            for (CompositeAggregation.Bucket bucket : page.getBuckets()) {
                if (isStale(bucket)) {
                    stale.add((String) bucket.getKey().get(TagFields.GROUP));
                }
            }
            after = page.afterKey();
        }
        return stale;
    }

    private boolean isStale(CompositeAggregation.Bucket group) {
        boolean isAlone = group.getDocCount() == 1;
        Filter survivors = group.getAggregations().get(SURVIVORS);
        if (survivors.getDocCount() == 0 || (isAlone && run.options().groups() != DeduplicateOptions.Groups.ALL)) {
            return true;
        }
        if (run.options().sizeField() == null) {
            return false;
        }
        Max size = survivors.getAggregations().get(SIZE);
        return isAlone ? size.getValue() > Double.NEGATIVE_INFINITY : size.getValue() != group.getDocCount();
    }

    /** The keyword; an empty name if nothing is mapped; null for what has no values to count. */
    private static String counted(IndexMapping mapping, String path) {
        Map<?, ?> mapped = mapping.definition(path);
        if (mapped == null) {
            return "";
        }
        Map<?, ?> found = WholeStrings.in(mapped);
        boolean hasValues = found != null
                && "keyword".equals(found.get("type"))
                && "false".equals(String.valueOf(found.get("doc_values"))) == false;
        return hasValues ? (WholeStrings.isText(mapped) ? path + ".keyword" : path) : null;
    }
}

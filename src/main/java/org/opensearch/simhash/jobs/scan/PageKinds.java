/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.List;
import java.util.stream.Stream;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;

/** All pages that jobs read, for the server. */
public final class PageKinds {

    private PageKinds() {}

    public static List<AggregationSpec> specs() {
        return Stream.of(
                        FingerprintPages.ColumnsReader.KIND,
                        GroupCounts.GroupsReader.KIND,
                        IdScan.IdsReader.KIND,
                        PairScan.PairsReader.KIND,
                        SharedTerms.KIND,
                        SourceScan.SourcesReader.KIND)
                .map(PageKind::spec)
                .toList();
    }
}

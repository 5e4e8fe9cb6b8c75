/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.links;

import java.util.List;
import org.opensearch.simhash.deduplicate.job.JobRun;
import org.opensearch.simhash.deduplicate.join.NearJoin;
import org.opensearch.simhash.deduplicate.join.SketchJoin;
import org.opensearch.simhash.deduplicate.scan.SketchScan;
import org.opensearch.simhash.memory.Account;

/**
 * Finds the links of sketches: reads all sketches to this node, page by page, and joins them. Texts too short for a
 * sketch link by equal digests. Blocks its one thread.
 */
final class SketchLinks {

    private final JobRun run;
    private final SketchJoin join;
    private final SketchScan scan;
    private long sketched;

    /** @param memory pays for the links */
    SketchLinks(JobRun run, Account memory) {
        this.run = run;
        this.join = new SketchJoin(run.options().minSimilarity(), memory, run.task()::compared);
        this.scan = new SketchScan(
                run.pointInTime(), run.options().field(), run.fields().same());
    }

    NearJoin.Found find() {
        scan.readSketches(run.queries().documents(), join::add, documents -> {
            sketched += documents;
            run.task().step(documents);
        });
        scan.readDigests(
                run.queries().documents(),
                (address, digest, stratum) -> join.addText(address, List.of(digest, stratum)),
                run.task()::step);
        run.times().end("scan");
        NearJoin.Found found = join.join();
        run.times().end("join");
        return found;
    }

    PassCounts counts(long documents) {
        return new PassCounts(documents, sketched, join.compared(), scan.schemes(), 0, 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs;

import java.util.function.Function;
import org.opensearch.simhash.jobs.options.DeduplicateOptions;
import org.opensearch.simhash.jobs.options.WritePace;

/** Jobs for tests of other packages. */
public final class JobRequests {

    private JobRequests() {}

    public static DeduplicateAction.Request of(String index, Function<String, DeduplicateOptions> options) {
        return new DeduplicateAction.Request(new String[] {index}, options, new WritePace(Float.POSITIVE_INFINITY, 50));
    }
}

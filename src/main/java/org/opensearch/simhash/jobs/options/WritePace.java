/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.options;

import org.opensearch.common.unit.TimeValue;

/**
 * How fast a job writes.
 *
 * @param requestsPerSecond the most documents a second, greater than 0; infinite means no limit
 * @param most documents per request, if the pace allows them
 * @param patience how long it tries again what the cluster has no room for, roughly
 */
public record WritePace(float requestsPerSecond, int most, TimeValue patience) {

    private static final int MOST = 1_000;

    private static final int REQUESTS_PER_SECOND = 8;

    private static final TimeValue PATIENCE = TimeValue.timeValueMinutes(1);

    /** Nanoseconds of a century, which {@link System#nanoTime()} can add. */
    private static final double FOREVER = 100 * 365.25 * 24 * 3600 * 1e9;

    public WritePace {
        if ((requestsPerSecond > 0) == false) {
            throw new IllegalArgumentException(
                    "[requests_per_second] must be greater than 0, or -1 for no limit, got: " + requestsPerSecond);
        }
    }

    public WritePace(float requestsPerSecond, int most) {
        this(requestsPerSecond, most, PATIENCE);
    }

    /** @param requestsPerSecond -1 means no limit */
    public static WritePace of(float requestsPerSecond) {
        return new WritePace(requestsPerSecond == -1 ? Float.POSITIVE_INFINITY : requestsPerSecond, MOST);
    }

    /** @param other -1 means no limit */
    public WritePace withRequestsPerSecond(float other) {
        return new WritePace(of(other).requestsPerSecond, most, patience);
    }

    /** Documents per request: at most what {@value #REQUESTS_PER_SECOND} requests a second need. */
    public int pageSize() {
        return (int) Math.max(1, Math.min(most, Math.ceil(requestsPerSecond / REQUESTS_PER_SECOND)));
    }

    /** -1 means no limit. */
    public float typedRequestsPerSecond() {
        return requestsPerSecond == Float.POSITIVE_INFINITY ? -1 : requestsPerSecond;
    }

    /** The least time for that many documents, in nanoseconds; at most a century. */
    public long nanos(long documents) {
        return (long) Math.min(FOREVER, documents / (double) requestsPerSecond * 1e9);
    }
}

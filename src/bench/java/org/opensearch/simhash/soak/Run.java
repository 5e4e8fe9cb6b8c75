/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.concurrent.CountDownLatch;

/**
 * What all who take part in a run share.
 *
 * @param end at zero, nobody begins anything
 */
record Run(Outages outages, Findings findings, CountDownLatch end) {

    /** The index that everything happens to. */
    static final String INDEX = "soak";

    /** Where jobs put what they delete. */
    static final String ARCHIVE = "soak-removed";

    /** The ingest pipeline of {@link #INDEX}. */
    static final String PIPELINE = "soak";
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.simhash.arrivals.request.BulkFilter;
import org.opensearch.test.OpenSearchTestCase;

/** What counts as a warning that has to do with us. */
public class NodeWarningsTests extends OpenSearchTestCase {

    private static final Logger LOGGER = LogManager.getLogger("org.opensearch.gateway.Elsewhere");

    public void testOurMessagesAndStackTracesCount() {
        try (NodeWarnings warnings = new NodeWarnings()) {
            LOGGER.warn("a node left");
            LOGGER.warn("a node left", thrownIn(LogManager.class));
            assertTrue(warnings.all().isEmpty());
            LOGGER.warn("the simhash query failed");
            LOGGER.warn("a search failed", thrownIn(PrintQueryBuilder.class));
            LOGGER.warn("a search failed", new IllegalStateException(thrownIn(PrintQueryBuilder.class)));
            LOGGER.warn("Potentially blocked execution\n"
                    + thrownIn(PrintQueryBuilder.class).getStackTrace()[0]);
            assertEquals(warnings.all().toString(), 4, warnings.all().size());
        }
    }

    /** The stack trace of any action goes through our filters. */
    public void testWhatOnlyPassedOurFiltersDoesNotCount() {
        try (NodeWarnings warnings = new NodeWarnings()) {
            LOGGER.warn("a node left", thrownIn(BulkFilter.class));
            LOGGER.warn("Potentially blocked execution\n"
                    + thrownIn(BulkFilter.class).getStackTrace()[0]);
            assertTrue(warnings.all().toString(), warnings.all().isEmpty());
        }
    }

    private static Exception thrownIn(Class<?> place) {
        Exception thrown = new IllegalStateException("not connected");
        thrown.setStackTrace(
                new StackTraceElement[] {new StackTraceElement(place.getName(), "apply", place.getSimpleName(), 1)});
        return thrown;
    }
}

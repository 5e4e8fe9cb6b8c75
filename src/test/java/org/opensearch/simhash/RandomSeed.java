/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import com.carrotsearch.randomizedtesting.SeedUtils;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The seed of a random test that is no {@code OpenSearchTestCase}, as a field with {@code @RegisterExtension}: what {@code
 * -Dtests.seed=} says, else another one each time. Printed when the test fails.
 */
public final class RandomSeed implements AfterEachCallback {

    private static final String PROPERTY = "tests.seed";

    private final long value = given(System.getProperty(PROPERTY, ""));

    public long value() {
        return value;
    }

    /** Of several, as the other tests print them, the first is that of all tests. */
    private static long given(String seeds) {
        return seeds.isEmpty() ? System.nanoTime() : SeedUtils.parseSeedChain(seeds)[0];
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            System.out.println(context.getRequiredTestClass().getSimpleName() + "." + context.getDisplayName()
                    + " failed, again with -D" + PROPERTY + "=" + SeedUtils.formatSeed(value));
        }
    }
}

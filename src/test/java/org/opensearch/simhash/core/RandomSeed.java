/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core;

import com.carrotsearch.randomizedtesting.SeedUtils;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opensearch.simhash.TestLines;

/**
 * The seed of a random test that is no {@code OpenSearchTestCase}, as a field with {@code @RegisterExtension}: what {@code
 * -Dtests.seed=} says, as it does in each build, else another one each time. A failure carries it, for {@link TestLines}.
 */
public final class RandomSeed implements AfterEachCallback {

    /** The class of a made-up frame that holds a seed in place of a file's name. */
    public static final String FRAME = "__randomizedtesting.SeedInfo";

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
            note(context.getExecutionException().get());
        }
    }

    /** As the randomized runner does. */
    public void note(Throwable failure) {
        var frames = new ArrayList<>(List.of(failure.getStackTrace()));
        frames.addFirst(new StackTraceElement(FRAME, "seed", "[" + SeedUtils.formatSeed(value) + "]", 0));
        failure.setStackTrace(frames.toArray(StackTraceElement[]::new));
    }
}

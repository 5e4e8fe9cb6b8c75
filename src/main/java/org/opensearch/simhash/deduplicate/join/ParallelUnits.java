/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.deduplicate.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Units of work that runners take one by one. The first failure ends all of them. */
final class ParallelUnits {

    /** Does one unit with what its thread owns. */
    interface Work<T> {
        void run(T own, int unit);
    }

    private final int units;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Runnable> runners = new ArrayList<>();

    ParallelUnits(int units) {
        this.units = units;
    }

    /** @param own made on the runner's thread */
    <T> void addRunner(Supplier<T> own, Work<T> work) {
        runners.add(() -> {
            T owned = own.get();
            for (int unit = next.getAndIncrement();
                    unit < units && failure.get() == null;
                    unit = next.getAndIncrement()) {
                work.run(owned, unit);
            }
        });
    }

    /** Runs all, and returns when they have ended. */
    void await(Executor executor) {
        CountDownLatch latch = new CountDownLatch(runners.size());
        for (Runnable runner : runners) {
            Runnable counted = () -> {
                try {
                    runner.run();
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                } finally {
                    latch.countDown();
                }
            };
            try {
                executor.execute(counted);
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
                latch.countDown();
            }
        }
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, e);
        }
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Units of work that runners take one by one. The first failure ends all runners. */
public final class ParallelUnits {

    private static final long CHECK_MILLIS = 100;

    private final int units;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Runnable> runners = new ArrayList<>();

    public ParallelUnits(int units) {
        this.units = units;
    }

    /** @param work does one unit after the other */
    public void addRunner(IntConsumer work) {
        runners.add(() -> {
            for (int unit = next.getAndIncrement();
                    unit < units && failure.get() == null;
                    unit = next.getAndIncrement()) {
                work.accept(unit);
            }
        });
    }

    /**
     * Runs all units, and returns or throws when all runners have ended. An exception of the check, on the caller's thread, ends them, and
     * so does an interruption.
     */
    public void await(Executor executor, Runnable check) {
        CountDownLatch latch = new CountDownLatch(runners.size());
        List<Started> started = new ArrayList<>();
        for (Runnable runner : runners) {
            Started one = new Started(runner, latch);
            started.add(one);
            try {
                executor.execute(one);
            } catch (RuntimeException e) {
                failure.compareAndSet(null, e);
                one.withdraw();
            }
        }
        boolean isInterrupted = false;
        for (boolean haveEnded = false; haveEnded == false; ) {
            try {
                haveEnded = latch.await(CHECK_MILLIS, TimeUnit.MILLISECONDS);
                check.run();
            } catch (InterruptedException | RuntimeException e) {
                isInterrupted |= e instanceof InterruptedException;
                failure.compareAndSet(null, e);
            }
            if (failure.get() != null) {
                started.forEach(Started::withdraw);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** A runner that waits or runs in the executor. It keeps no reference once it is withdrawn. */
    private final class Started implements Runnable {

        private final AtomicReference<Runnable> runner;
        private final CountDownLatch latch;

        Started(Runnable runner, CountDownLatch latch) {
            this.runner = new AtomicReference<>(runner);
            this.latch = latch;
        }

        @Override
        public void run() {
            Runnable mine = runner.getAndSet(null);
            if (mine == null) {
                return;
            }
            try {
                mine.run();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            } finally {
                latch.countDown();
            }
        }

        /** Does nothing if it runs already. */
        void withdraw() {
            if (runner.getAndSet(null) != null) {
                latch.countDown();
            }
        }
    }
}

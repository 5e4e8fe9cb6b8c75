/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.counts;

import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.SpanContext;
import org.opensearch.telemetry.tracing.SpanCreationContext;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.telemetry.tracing.noop.NoopSpan;
import org.opensearch.telemetry.tracing.noop.NoopTracer;

/**
 * Spans of OpenSearch's telemetry, of work that goes from thread to thread. It is never the current span
 * of a thread, and any thread may end it.
 * Without a tracer that records, a span costs a volatile read and does nothing. Thread-safe.
 */
public final class Spans {

    private volatile Tracer tracer = NoopTracer.INSTANCE;

    /** From now on spans are this tracer's. */
    public void startWith(Tracer ofNode) {
        tracer = ofNode;
    }

    /** A child of the current span of the thread. Whoever starts it ends it. */
    public Span start(String name) {
        return tracer.isRecording()
                ? tracer.startSpan(SpanCreationContext.internal().name(name))
                : NoopSpan.INSTANCE;
    }

    /** A child of another span; does nothing if that one does nothing. */
    public Span start(String name, Span parent) {
        return parent instanceof NoopSpan
                ? parent
                : tracer.startSpan(SpanCreationContext.internal().name(name).parent(new SpanContext(parent)));
    }
}

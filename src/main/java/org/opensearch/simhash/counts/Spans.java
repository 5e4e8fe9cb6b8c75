/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.counts;

import org.opensearch.telemetry.tracing.Span;
import org.opensearch.telemetry.tracing.SpanContext;
import org.opensearch.telemetry.tracing.SpanCreationContext;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.telemetry.tracing.noop.NoopSpan;
import org.opensearch.telemetry.tracing.noop.NoopTracer;

/**
 * Spans of OpenSearch's telemetry, of work that goes from thread to thread: never the current span of a thread, and ended on any.
 * Without a tracer that records, a span costs a volatile read and does nothing. Thread-safe.
 */
public final class Spans {

    private volatile Tracer tracer = NoopTracer.INSTANCE;

    /** From now on spans are this tracer's. */
    public void startWith(Tracer ofNode) {
        tracer = ofNode;
    }

    /** A span below the current one of the thread. Whoever starts it ends it. */
    public Span start(String name) {
        return tracer.isRecording()
                ? tracer.startSpan(SpanCreationContext.internal().name(name))
                : NoopSpan.INSTANCE;
    }

    /** A span below another; none if that is none. */
    public Span start(String name, Span parent) {
        return parent instanceof NoopSpan
                ? parent
                : tracer.startSpan(SpanCreationContext.internal().name(name).parent(new SpanContext(parent)));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Marks a test class that starts nodes for itself, or takes those that are {@link RealNodes#disturbed}. Runs beside the other
 * classes, one such class at a time: most of the time is spent waiting for nodes to come up.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("nodes of its own")
public @interface OwnNodes {}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Gives a test class a {@link RealCluster} of {@link #value} nodes as a parameter of its constructor, which no other class uses
 * meanwhile. Classes that want the same share clusters, one class after the other, so that each uses names of its own. Most classes
 * want one undisturbed node: there are as many as classes want at once, and those whose names begin with A to D have others than the
 * rest. Who kills a node starts it again.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RealNodes.Sharing.class)
@ResourceLock(providers = RealNodes.Turns.class)
public @interface RealNodes {

    int value();

    /** Whether the cluster is one for tests that set limits which cannot be taken back. */
    boolean disturbed() default false;

    /** Clusters that can stand in for one another. */
    record Kind(RealNodes nodes, boolean isFirstHalf) {

        static Kind of(Class<?> test) {
            RealNodes nodes = test.getAnnotation(RealNodes.class);
            return new Kind(nodes, isOne(nodes) && test.getSimpleName().compareTo("E") < 0);
        }

        /** Whether there may be several at once. */
        private static boolean isOne(RealNodes nodes) {
            return nodes.value() == 1 && nodes.disturbed() == false;
        }

        boolean isOne() {
            return isOne(nodes);
        }
    }

    /** One class at a time on clusters of which there is one. */
    final class Turns implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> test) {
            Kind kind = Kind.of(test);
            return kind.isOne() ? Set.of() : Set.of(new Lock(kind.toString()));
        }
    }

    /** All clusters of a run; JUnit closes them after the last test. */
    final class Clusters implements AutoCloseable {

        private final Map<Kind, Deque<RealCluster>> idle = new ConcurrentHashMap<>();
        private final Queue<RealCluster> all = new ConcurrentLinkedQueue<>();

        /** One that is idle, else a new one. */
        Lease lease(Kind kind) {
            Deque<RealCluster> clusters = idle.computeIfAbsent(kind, first -> new ConcurrentLinkedDeque<>());
            RealCluster cluster = clusters.pollFirst();
            if (cluster == null) {
                cluster = RealCluster.start(
                        Distribution.ofTheBuild(),
                        NodeOptions.quick(kind.nodes().value()));
                all.add(cluster);
            }
            return new Lease(cluster, clusters);
        }

        @Override
        public void close() {
            all.forEach(RealCluster::close);
        }
    }

    /** Of a class; JUnit closes it after the last test of the class. */
    record Lease(RealCluster cluster, Deque<RealCluster> idle) implements AutoCloseable {

        @Override
        public void close() {
            idle.addFirst(cluster);
        }
    }

    final class Sharing implements ParameterResolver {

        private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(RealNodes.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RealCluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            if (context.getTestMethod().isPresent()) {
                return resolveParameter(parameter, context.getParent().orElseThrow());
            }
            Clusters clusters = context.getRoot()
                    .getStore(NAMESPACE)
                    .computeIfAbsent(Clusters.class, first -> new Clusters(), Clusters.class);
            return context.getStore(NAMESPACE)
                    .computeIfAbsent(Kind.of(context.getRequiredTestClass()), clusters::lease, Lease.class)
                    .cluster();
        }
    }

    /**
     * Classes that may have to wait for a cluster first, as those of one undisturbed node fill the gaps, and of these the ones that
     * say {@link Order}, as they take long. JUnit's first thread looks at each class once, and then waits for the first one that
     * is left: if it is not near the end by then, its cluster stands idle.
     */
    final class MostToDoFirst implements ClassOrderer {

        @Override
        public void orderClasses(ClassOrdererContext context) {
            context.getClassDescriptors()
                    .sort(Comparator.comparing(MostToDoFirst::neverWaits).thenComparing(MostToDoFirst::order));
        }

        private static boolean neverWaits(ClassDescriptor test) {
            return test.isAnnotated(RealNodes.class)
                    && Kind.of(test.getTestClass()).isOne();
        }

        private static int order(ClassDescriptor test) {
            return test.findAnnotation(Order.class).map(Order::value).orElse(Order.DEFAULT);
        }
    }
}

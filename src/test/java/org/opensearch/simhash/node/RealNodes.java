/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Comparator;
import java.util.Set;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Gives a test class a {@link RealCluster} of {@link #value} nodes as a parameter of its constructor. Classes that want the
 * same share a cluster, one class after the other, so that each uses names of its own; beside them run those of another cluster.
 * Most classes want one undisturbed node, of which there are two: one for classes whose names begin with A to D.
 * Who kills a node starts it again.
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

    /** A cluster. */
    record Shared(RealNodes nodes, int number) {

        static Shared of(Class<?> test) {
            RealNodes nodes = test.getAnnotation(RealNodes.class);
            boolean isOfTwo = nodes.value() == 1 && nodes.disturbed() == false;
            return new Shared(nodes, isOfTwo && test.getSimpleName().compareTo("E") > 0 ? 1 : 0);
        }
    }

    /** One class at a time on each cluster. */
    final class Turns implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> test) {
            return Set.of(new Lock(Shared.of(test).toString()));
        }
    }

    /** Starts a cluster when the first test class asks for it; JUnit closes it after the last test of the run. */
    final class Sharing implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RealCluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(RealNodes.class))
                    .computeIfAbsent(
                            Shared.of(context.getRequiredTestClass()),
                            wanted -> RealCluster.start(
                                    Distribution.ofTheBuild(),
                                    NodeOptions.quick(wanted.nodes().value())),
                            RealCluster.class);
        }
    }

    /**
     * Classes of the second undisturbed node first: it has the most to do, a third of all. If it stands idle at times, the last
     * classes run on it alone.
     */
    final class MostToDoFirst implements ClassOrderer {

        @Override
        public void orderClasses(ClassOrdererContext context) {
            context.getClassDescriptors().sort(Comparator.comparing(MostToDoFirst::mayWait));
        }

        private static boolean mayWait(ClassDescriptor test) {
            return test.isAnnotated(RealNodes.class) == false
                    || Shared.of(test.getTestClass()).number() == 0;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.release;

import java.io.IOException;
import java.io.InputStream;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.TransportAction;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.ingest.ConfigurationUtils;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/**
 * The OpenSearch that runs the plugin. On a release that is newer than the tested ones, what does not fit is logged, and refuses each
 * use with a sentence or, if it is no use of its own, is left out. The node starts, and the rest works. Thread-safe.
 *
 * @param missing what a class and those that it leads to lack on this node
 */
public record NodeRelease(Version version, Function<Class<?>, ? extends SortedSet<String>> missing) {

    private static final Logger logger = LogManager.getLogger(NodeRelease.class);

    /** The newest minor release that the suite has run on, with whatever corrects it. */
    private static final Version TESTED = Version.fromString("3.9.99");

    /** On a release that is not tested, it looks at each class of the plugin: about half a second. */
    public static NodeRelease ofThisNode() {
        return new NodeRelease(
                Version.CURRENT,
                Version.CURRENT.onOrBefore(TESTED)
                        ? entry -> Collections.emptySortedSet()
                        : new MissingMembers(NodeRelease.class.getClassLoader())::of);
    }

    private Optional<String> refusal(String feature, Class<?> entry) {
        SortedSet<String> lacking;
        try {
            lacking = missing.apply(entry);
        } catch (IllegalArgumentException e) {
            // Its classes are for a Java that came after the library that reads them.
            logger.warn("whether [{}] fits OpenSearch {} is not known: {}", feature, version, e.getMessage());
            return Optional.empty();
        }
        if (lacking.isEmpty()) {
            return Optional.empty();
        }
        String more = lacking.size() == 1 ? "" : " and " + (lacking.size() - 1) + " more";
        String refusal = "[" + feature + "] is off, as this version of opensearch-simhash does not fit OpenSearch "
                + version + ": " + lacking.first() + " is missing" + more;
        logger.error("{}; all that is missing: {}", refusal, lacking);
        return Optional.of(refusal);
    }

    /** Those that do not fit refuse to be configured. */
    public Map<String, Processor.Factory> processors(Map<String, Processor.Factory> factories) {
        Map<String, Processor.Factory> all = new HashMap<>(factories);
        all.replaceAll((type, factory) -> refusal(type, factory.getClass())
                .<Processor.Factory>map(refusal -> (others, tag, description, config) -> {
                    throw ConfigurationUtils.newConfigurationException(type, tag, null, refusal);
                })
                .orElse(factory));
        return all;
    }

    /** Those that do not fit refuse to be configured. */
    public <P extends org.opensearch.search.pipeline.Processor>
            Map<String, org.opensearch.search.pipeline.Processor.Factory<P>> searchProcessors(
                    Map<String, org.opensearch.search.pipeline.Processor.Factory<P>> factories) {
        Map<String, org.opensearch.search.pipeline.Processor.Factory<P>> all = new HashMap<>(factories);
        all.replaceAll((type, factory) -> refusal(type, factory.getClass())
                .<org.opensearch.search.pipeline.Processor.Factory<P>>map(
                        refusal -> (others, tag, description, ignoreFailure, config, context) -> {
                            throw ConfigurationUtils.newConfigurationException(type, tag, null, refusal);
                        })
                .orElse(factory));
        return all;
    }

    public <Q extends QueryBuilder> QuerySpec<Q> query(QuerySpec<Q> spec, Class<Q> type) {
        String name = spec.getName().getPreferredName();
        return refusal(name, type)
                .map(refusal -> new QuerySpec<Q>(name, in -> spec.getReader().read(in), parser -> {
                    throw new ParsingException(parser.getTokenLocation(), refusal);
                }))
                .orElse(spec);
    }

    /** Those that do not fit refuse each request with HTTP 501. They are not even made, which might keep the node from starting. */
    public List<ActionHandler<?, ?>> actions(List<ActionHandler<?, ?>> actions) {
        return actions.stream()
                .<ActionHandler<?, ?>>map(action -> refusal(action.getAction().name(), action.getTransportAction())
                        .<ActionHandler<?, ?>>map(refusal -> refusing(action.getAction(), refusal))
                        .orElse(action))
                .toList();
    }

    /** Parts that meet each request of the node, such as filters. Those that do not fit are left out. */
    public <P> List<P> fitting(List<P> parts) {
        return parts.stream().filter(part -> fits(part.getClass())).toList();
    }

    /** Whether a class and those that it leads to fit; the log tells what does not. */
    public boolean fits(Class<?> part) {
        return refusal(part.getSimpleName(), part).isEmpty();
    }

    /** OpenSearch makes each action by a class of its own: a copy of one that knows its name and its refusal. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ActionHandler<?, ?> refusing(ActionType<?> type, String refusal) {
        try (InputStream file = Refused.class.getResourceAsStream("NodeRelease$Refused.class")) {
            return new ActionHandler(
                    type,
                    MethodHandles.lookup()
                            .defineHiddenClassWithClassData(file.readAllBytes(), List.of(type.name(), refusal), true)
                            .lookupClass());
        } catch (IOException | IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    public static final class Refused extends TransportAction<ActionRequest, ActionResponse> {

        @Inject
        public Refused(ActionFilters filters, TransportService transport) {
            super(said(0), filters, transport.getTaskManager());
        }

        private static String said(int part) {
            try {
                return MethodHandles.classDataAt(
                        MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, String.class, part);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        protected void doExecute(Task task, ActionRequest request, ActionListener<ActionResponse> listener) {
            listener.onFailure(new OpenSearchStatusException(said(1), RestStatus.NOT_IMPLEMENTED));
        }
    }
}

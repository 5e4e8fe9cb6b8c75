/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.release;

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
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
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

/**
 * The OpenSearch that runs the plugin. On a release that is newer than the tested ones, what does not fit is logged and replaced
 * by something that refuses each use with a sentence. The node starts, and the rest works. Thread-safe.
 */
public final class NodeRelease {

    private static final Logger logger = LogManager.getLogger(NodeRelease.class);

    /** The newest minor release that the suite has run on, with whatever corrects it. */
    private static final Version TESTED = Version.fromString("3.9.99");

    private final Version version;
    private final Function<Class<?>, ? extends SortedSet<String>> missing;

    /** @param missing what a class and those that it leads to lack on this node */
    public NodeRelease(Version version, Function<Class<?>, ? extends SortedSet<String>> missing) {
        this.version = version;
        this.missing = missing;
    }

    /** On a release that is not tested, it looks at each class of the plugin: about half a second. */
    public static NodeRelease ofThisNode() {
        return new NodeRelease(
                Version.CURRENT,
                Version.CURRENT.onOrBefore(TESTED)
                        ? entry -> Collections.emptySortedSet()
                        : new MissingMembers(NodeRelease.class.getClassLoader())::of);
    }

    /** @return why the feature is refused, if it is */
    private Optional<String> refusal(String feature, Class<?> entry) {
        SortedSet<String> lacking = missing.apply(entry);
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

    /** If it does not fit, it refuses to be parsed. */
    public <Q extends QueryBuilder> QuerySpec<Q> query(QuerySpec<Q> spec, Class<Q> type) {
        String name = spec.getName().getPreferredName();
        return refusal(name, type)
                .map(refusal -> new QuerySpec<Q>(name, in -> spec.getReader().read(in), parser -> {
                    throw new ParsingException(parser.getTokenLocation(), refusal);
                }))
                .orElse(spec);
    }

    /** Refuses actions that do not fit with HTTP 501, before they run. None if all fit: it would meet each action of the node. */
    public List<ActionFilter> filters(List<? extends ActionHandler<?, ?>> actions) {
        Map<String, String> refused = new HashMap<>();
        for (ActionHandler<?, ?> action : actions) {
            String name = action.getAction().name();
            refusal(name, action.getTransportAction()).ifPresent(refusal -> refused.put(name, refusal));
        }
        return refused.isEmpty() ? List.of() : List.of(new Filter(Map.copyOf(refused)));
    }

    /** @param refusals by the name of the action */
    private record Filter(Map<String, String> refusals) implements ActionFilter {

        @Override
        public int order() {
            return Integer.MIN_VALUE;
        }

        @Override
        public <A extends ActionRequest, R extends ActionResponse> void apply(
                Task task,
                String action,
                A request,
                ActionRequestMetadata<A, R> metadata,
                ActionListener<R> listener,
                ActionFilterChain<A, R> chain) {
            String refusal = refusals.get(action);
            if (refusal == null) {
                chain.proceed(task, action, request, listener);
            } else {
                listener.onFailure(new OpenSearchStatusException(refusal, RestStatus.NOT_IMPLEMENTED));
            }
        }
    }
}

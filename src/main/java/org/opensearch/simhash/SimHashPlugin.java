/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.lifecycle.LifecycleComponent;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.CircuitBreakerPlugin;
import org.opensearch.plugins.IngestPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.ScriptPlugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.plugins.SearchPlugin.AggregationSpec;
import org.opensearch.plugins.SearchPlugin.QuerySpec;
import org.opensearch.plugins.SystemIndexPlugin;
import org.opensearch.plugins.TelemetryAwarePlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptService;
import org.opensearch.search.deciders.ConcurrentSearchRequestDecider;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.pipeline.SystemGeneratedProcessor.SystemGeneratedFactory;
import org.opensearch.simhash.arrivals.ArrivalsPart;
import org.opensearch.simhash.desk.DeskPart;
import org.opensearch.simhash.jobs.JobsPart;
import org.opensearch.simhash.search.SearchPart;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/** The plugin: registers with the node all that finds near-duplicates. */
public class SimHashPlugin extends Plugin
        implements IngestPlugin,
                SearchPlugin,
                SearchPipelinePlugin,
                ActionPlugin,
                ScriptPlugin,
                CircuitBreakerPlugin,
                SystemIndexPlugin,
                TelemetryAwarePlugin {

    private final SearchPart search = new SearchPart(JobsPart::caller);
    private final ArrivalsPart arrivals = new ArrivalsPart(search);
    private final JobsPart jobs = new JobsPart(search);
    private final DeskPart desk;

    /** As the node calls it. */
    public SimHashPlugin() {
        this(DeskPart.ofThisNode());
    }

    /** @param desk with another release of OpenSearch than the node's, for tests */
    protected SimHashPlugin(DeskPart desk) {
        this.desk = desk;
    }

    @Override
    public Map<String, Processor.Factory> getProcessors(Processor.Parameters node) {
        Map<String, Processor.Factory> all = new HashMap<>(search.processors(node));
        all.putAll(arrivals.processors());
        return desk.release().processors(all);
    }

    @Override
    public List<QuerySpec<?>> getQueries() {
        List<QuerySpec<?>> all = new ArrayList<>(jobs.queries());
        search.querySpecs().forEach(spec -> all.add(desk.release().query(spec, SearchPart.QUERY)));
        return all;
    }

    @Override
    public List<AggregationSpec> getAggregations() {
        return joined(jobs.aggregations(), desk.aggregations());
    }

    @Override
    public List<NamedWriteableRegistry.Entry> getNamedWriteables() {
        return jobs.namedWriteables();
    }

    @Override
    public List<ExecutorBuilder<?>> getExecutorBuilders(Settings settings) {
        return joined(search.pools(settings), jobs.pools(settings), desk.pools(settings));
    }

    @Override
    public List<SearchExtSpec<?>> getSearchExts() {
        return search.searchExts();
    }

    @Override
    public Optional<ConcurrentSearchRequestDecider.Factory> getConcurrentSearchRequestDeciderFactory() {
        return Optional.of(search.deciders()).filter(deciders -> desk.release().fits(deciders.getClass()));
    }

    @Override
    public List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext context) {
        return desk.release().fitting(search.fetchSubPhases());
    }

    @Override
    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchRequestProcessor>> getRequestProcessors(
            SearchPipelinePlugin.Parameters node) {
        return desk.release().searchProcessors(search.requestProcessors());
    }

    @Override
    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchResponseProcessor>> getResponseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return desk.release().searchProcessors(search.responseProcessors(node));
    }

    @Override
    public Map<String, SystemGeneratedFactory<SearchRequestProcessor>> getSystemGeneratedRequestProcessors(
            SearchPipelinePlugin.Parameters node) {
        return desk.release().fits(SearchPart.DISTINCT) ? search.generatedRequestProcessors(node) : Map.of();
    }

    @Override
    public Map<String, SystemGeneratedFactory<SearchResponseProcessor>> getSystemGeneratedResponseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return desk.release().fits(SearchPart.DISTINCT) ? search.generatedResponseProcessors(node) : Map.of();
    }

    @Override
    public List<ActionHandler<?, ?>> getActions() {
        return desk.release().actions(joined(arrivals.actions(), jobs.actions(), desk.actions()));
    }

    @Override
    public Collection<Class<? extends LifecycleComponent>> getGuiceServiceClasses() {
        return joined(arrivals.services(), jobs.services()).stream()
                .filter(desk.release()::fits)
                .toList();
    }

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        return jobs.scripts();
    }

    @Override
    public void onIndexModule(IndexModule index) {
        desk.release().fitting(search.searchListeners()).forEach(index::addSearchOperationListener);
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        return desk.release().fitting(joined(arrivals.filters(), search.filters(), desk.filters(search)));
    }

    @Override
    public List<RestHandler> getRestHandlers(
            Settings settings,
            RestController restController,
            ClusterSettings clusterSettings,
            IndexScopedSettings indexScopedSettings,
            SettingsFilter settingsFilter,
            IndexNameExpressionResolver indexNameExpressionResolver,
            Supplier<DiscoveryNodes> nodesInCluster) {
        return desk.restHandlers(nodesInCluster);
    }

    @Override
    public List<Setting<?>> getSettings() {
        return joined(search.settings(), arrivals.settings(), jobs.settings(), desk.settings());
    }

    @Override
    public Collection<SystemIndexDescriptor> getSystemIndexDescriptors(Settings settings) {
        return jobs.systemIndices();
    }

    @Override
    public BreakerSettings getCircuitBreaker(Settings settings) {
        return FingerprintMemory.breaker(settings);
    }

    @Override
    public void setCircuitBreaker(CircuitBreaker breaker) {
        search.memory().accountOn(breaker);
    }

    @Override
    public Collection<Object> createComponents(
            Client client,
            ClusterService clusterService,
            ThreadPool threadPool,
            ResourceWatcherService resourceWatcherService,
            ScriptService scriptService,
            NamedXContentRegistry xContentRegistry,
            Environment environment,
            NodeEnvironment nodeEnvironment,
            NamedWriteableRegistry namedWriteableRegistry,
            IndexNameExpressionResolver indexNameExpressionResolver,
            Supplier<RepositoriesService> repositoriesServiceSupplier,
            Tracer tracer,
            MetricsRegistry registry) {
        Collection<Object> components = joined(
                search.start(
                        client,
                        clusterService,
                        threadPool,
                        xContentRegistry,
                        namedWriteableRegistry,
                        indexNameExpressionResolver),
                arrivals.start(client, clusterService),
                jobs.start(client, clusterService),
                desk.start(client, search, arrivals, jobs));
        search.spans().startWith(tracer);
        desk.register(registry);
        return components;
    }

    @Override
    public void close() throws IOException {
        desk.close();
    }

    @SafeVarargs
    private static <T> List<T> joined(List<? extends T>... parts) {
        List<T> all = new ArrayList<>();
        for (List<? extends T> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}

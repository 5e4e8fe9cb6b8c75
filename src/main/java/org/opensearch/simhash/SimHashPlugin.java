/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.util.SetOnce;
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
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.io.IOUtils;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.BaseQueryRewriteContext;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.ingest.IngestService;
import org.opensearch.ingest.Processor;
import org.opensearch.node.Node;
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
import org.opensearch.search.sort.SortBuilder;
import org.opensearch.simhash.arrivals.NearDuplicateFactory;
import org.opensearch.simhash.arrivals.NearDuplicateProcessor;
import org.opensearch.simhash.arrivals.NearDuplicateSettings;
import org.opensearch.simhash.arrivals.NearDuplicates;
import org.opensearch.simhash.arrivals.WindowService;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.core.fingerprint.FingerprintBuffers;
import org.opensearch.simhash.core.fingerprint.Folding;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.desk.calibrate.CalibrateAction;
import org.opensearch.simhash.desk.check.CheckAction;
import org.opensearch.simhash.desk.check.CheckAction.LastChecks;
import org.opensearch.simhash.desk.check.PipelineWarnings;
import org.opensearch.simhash.desk.inspect.BlocksAction;
import org.opensearch.simhash.desk.inspect.CompareAction;
import org.opensearch.simhash.desk.inspect.CompareTextsAction;
import org.opensearch.simhash.desk.inspect.FeatureWeightsAction;
import org.opensearch.simhash.desk.inspect.FingerprintAction;
import org.opensearch.simhash.desk.inspect.HelperWork.InspectThreads;
import org.opensearch.simhash.desk.metrics.MetricsAction;
import org.opensearch.simhash.desk.metrics.NodeMetrics;
import org.opensearch.simhash.desk.metrics.RegisteredMetrics;
import org.opensearch.simhash.desk.metrics.RequestCounts;
import org.opensearch.simhash.desk.release.NodeRelease;
import org.opensearch.simhash.desk.review.DecideAction;
import org.opensearch.simhash.desk.review.GroupsAction;
import org.opensearch.simhash.desk.review.ReportAction;
import org.opensearch.simhash.desk.setup.SetupAction;
import org.opensearch.simhash.desk.stats.NodeCounts;
import org.opensearch.simhash.desk.stats.StatsAction;
import org.opensearch.simhash.jobs.DeduplicateAction;
import org.opensearch.simhash.jobs.apply.ApplyAction;
import org.opensearch.simhash.jobs.job.DeduplicateMemory;
import org.opensearch.simhash.jobs.job.DeduplicateMemory.DeduplicateDisk;
import org.opensearch.simhash.jobs.job.DeduplicateThreads;
import org.opensearch.simhash.jobs.job.JobRunner;
import org.opensearch.simhash.jobs.job.JobStatus;
import org.opensearch.simhash.jobs.job.RethrottleAction;
import org.opensearch.simhash.jobs.links.PairsAction;
import org.opensearch.simhash.jobs.links.PairsAction.PassTask;
import org.opensearch.simhash.jobs.request.Caller;
import org.opensearch.simhash.jobs.restore.RestoreAction;
import org.opensearch.simhash.jobs.runs.RunsAction;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.scan.PageAggregationBuilder.PageKind;
import org.opensearch.simhash.jobs.scan.SurvivorSortBuilder;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.DeleteScheduleAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.GetSchedulesAction;
import org.opensearch.simhash.jobs.schedules.ScheduleActions.PutScheduleAction;
import org.opensearch.simhash.jobs.schedules.Scheduler;
import org.opensearch.simhash.jobs.schedules.Schedules;
import org.opensearch.simhash.jobs.script.DocumentScript.DocumentScripts;
import org.opensearch.simhash.jobs.untag.UntagAction;
import org.opensearch.simhash.search.counts.Counters;
import org.opensearch.simhash.search.counts.Spans;
import org.opensearch.simhash.search.ingest.FingerprintCounts;
import org.opensearch.simhash.search.ingest.FingerprintCounts.TallyFilter;
import org.opensearch.simhash.search.ingest.ImageHashProcessor;
import org.opensearch.simhash.search.ingest.MinHashProcessor;
import org.opensearch.simhash.search.ingest.NodeAnalyzers;
import org.opensearch.simhash.search.ingest.PassagesProcessor;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.SimHashProcessor;
import org.opensearch.simhash.search.memory.FingerprintMemory;
import org.opensearch.simhash.search.pipeline.CollapseCounts.CollapseCount;
import org.opensearch.simhash.search.pipeline.CollapseRequestProcessor;
import org.opensearch.simhash.search.pipeline.CollapseResponseProcessor;
import org.opensearch.simhash.search.pipeline.DistinctSearch;
import org.opensearch.simhash.search.pipeline.SearchSurroundings;
import org.opensearch.simhash.search.pipeline.SimHashExt;
import org.opensearch.simhash.search.pipeline.VerifiedHits;
import org.opensearch.simhash.search.query.EvidencePhase;
import org.opensearch.simhash.search.query.FetchWatch;
import org.opensearch.simhash.search.query.FingerprintPresence;
import org.opensearch.simhash.search.query.PrintPhase;
import org.opensearch.simhash.search.query.PrintQueryBuilder;
import org.opensearch.simhash.search.query.SearchWarnings;
import org.opensearch.simhash.search.query.SearchedIndices;
import org.opensearch.simhash.search.query.SimHashQueries;
import org.opensearch.simhash.search.query.SlicedQueries;
import org.opensearch.simhash.search.warnings.WarningFilter;
import org.opensearch.tasks.Task;
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

    private final NodeRelease release;
    private final SetOnce<IngestService> ingestService = new SetOnce<>();
    private final SetOnce<SearchedIndices.Cluster> cluster = new SetOnce<>();
    private final SetOnce<SimHashProcessor.Factory> factory = new SetOnce<>();
    private final SetOnce<MinHashProcessor.Factory> sketchFactory = new SetOnce<>();
    private final SetOnce<PassagesProcessor.Factory> passagesFactory = new SetOnce<>();
    private final FingerprintMemory memory = new FingerprintMemory();
    private final SetOnce<ThreadContext> threadContext = new SetOnce<>();
    private final FingerprintCounts fingerprints = new FingerprintCounts(threadContext::get);
    private final RequestCounts requests = new RequestCounts();
    private final SetOnce<NodeMetrics> metrics = new SetOnce<>();
    private final SetOnce<RegisteredMetrics> registered = new SetOnce<>();
    private final Counters<CollapseCount> collapse = new Counters<>(CollapseCount.class);
    private final Spans spans = new Spans();
    private final JobRunner jobs = new JobRunner(spans);
    private final LastChecks checks = new LastChecks();
    private final PipelineRecipes recipes = PipelineRecipes.ofSimHash(ingestService::get, factory::get);
    private final PipelineRecipes sketchRecipes = PipelineRecipes.ofMinHash(ingestService::get, sketchFactory::get);
    private final PipelineRecipes passageRecipes = PipelineRecipes.ofPassages(ingestService::get, passagesFactory::get);
    private final Map<SketchKind, PipelineRecipes> recipesByKind =
            Map.of(SketchKind.SIMHASH, recipes, SketchKind.MINHASH, sketchRecipes, SketchKind.PASSAGES, passageRecipes);
    private final SimHashQueries queries = new SimHashQueries(recipesByKind, cluster::get, memory, spans);
    private final FetchWatch fetches = new FetchWatch();
    private final SetOnce<QueryRewriteContext> rewriting = new SetOnce<>();
    private final SetOnce<Client> client = new SetOnce<>();
    private final FingerprintPresence presence = new FingerprintPresence(cluster::get, client::get);
    private final NearDuplicates nearDuplicates = new NearDuplicates(queries, cluster::get, memory, presence, spans);

    /** As the node calls it. */
    public SimHashPlugin() {
        this(NodeRelease.ofThisNode());
    }

    /** @param release another one than the node's, for tests */
    protected SimHashPlugin(NodeRelease release) {
        this.release = release;
    }

    @Override
    public Map<String, Processor.Factory> getProcessors(Processor.Parameters node) {
        ingestService.set(node.ingestService);
        threadContext.set(node.threadContext);
        NodeAnalyzers analyzers =
                new NodeAnalyzers(node.analysisRegistry, Node.NODE_NAME_SETTING.get(node.env.settings()));
        FingerprintBuffers buffers = new FingerprintBuffers();
        factory.set(new SimHashProcessor.Factory(analyzers, buffers, memory, fingerprints));
        sketchFactory.set(new MinHashProcessor.Factory(analyzers, buffers, memory, fingerprints));
        passagesFactory.set(new PassagesProcessor.Factory(analyzers, buffers, memory, fingerprints));
        return release.processors(Map.of(
                SimHashProcessor.TYPE,
                factory.get(),
                MinHashProcessor.TYPE,
                sketchFactory.get(),
                PassagesProcessor.TYPE,
                passagesFactory.get(),
                ImageHashProcessor.TYPE,
                new ImageHashProcessor.Factory(
                        new ImageHashProcessor.Decoders(
                                command -> client.get()
                                        .threadPool()
                                        .executor(ImageHashProcessor.THREADS)
                                        .execute(command),
                                threadContext::get,
                                context -> Caller.of(context).name(),
                                index -> cluster.get().pulls(index),
                                setting -> cluster.get()
                                        .service()
                                        .getClusterSettings()
                                        .get(setting),
                                memory),
                        fingerprints),
                NearDuplicateProcessor.TYPE,
                new NearDuplicateFactory(nearDuplicates)));
    }

    @Override
    public List<QuerySpec<?>> getQueries() {
        List<QuerySpec<?>> all = new ArrayList<>();
        queries.specs().forEach(spec -> all.add(release.query(spec, PrintQueryBuilder.class)));
        all.add(JobQuery.spec());
        return all;
    }

    @Override
    public List<AggregationSpec> getAggregations() {
        return PageKind.specs();
    }

    @Override
    public List<NamedWriteableRegistry.Entry> getNamedWriteables() {
        return List.of(
                new NamedWriteableRegistry.Entry(SortBuilder.class, SurvivorSortBuilder.NAME, SurvivorSortBuilder::new),
                new NamedWriteableRegistry.Entry(Task.Status.class, JobStatus.NAME, JobStatus::new),
                new NamedWriteableRegistry.Entry(Task.Status.class, PassTask.Status.NAME, PassTask.Status::new));
    }

    @Override
    public List<ExecutorBuilder<?>> getExecutorBuilders(Settings settings) {
        List<ExecutorBuilder<?>> pools = new ArrayList<>(DeduplicateThreads.builders(settings));
        pools.add(InspectThreads.builder(settings));
        pools.add(SimHashQueries.threads(settings));
        pools.add(ImageHashProcessor.threads(settings));
        return pools;
    }

    @Override
    public List<SearchExtSpec<?>> getSearchExts() {
        return List.of(new SearchExtSpec<>(SimHashExt.NAME, SimHashExt::read, SimHashExt::fromXContent));
    }

    @Override
    public Optional<ConcurrentSearchRequestDecider.Factory> getConcurrentSearchRequestDeciderFactory() {
        return Optional.of(queries.deciders()).filter(deciders -> release.fits(deciders.getClass()));
    }

    @Override
    public Optional<ProfileMetricsProvider> getQueryProfileMetricsProvider() {
        return Optional.of((context, query) -> SimHashQueries.profileMetrics(query));
    }

    @Override
    public List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext context) {
        return release.fitting(List.of(new EvidencePhase(fetches), new PrintPhase()));
    }

    @Override
    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchRequestProcessor>> getRequestProcessors(
            SearchPipelinePlugin.Parameters node) {
        return release.searchProcessors(Map.of(
                CollapseRequestProcessor.TYPE, CollapseRequestProcessor.factory(new SearchSurroundings(cluster::get))));
    }

    @Override
    public Map<String, org.opensearch.search.pipeline.Processor.Factory<SearchResponseProcessor>> getResponseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return release.searchProcessors(
                Map.of(CollapseResponseProcessor.TYPE, CollapseResponseProcessor.factory(collapse, services(node))));
    }

    private VerifiedHits.Services services(SearchPipelinePlugin.Parameters node) {
        return new VerifiedHits.Services(
                node.client, recipesByKind::get, memory, queries.counts().comparisons(), node.genericExecutor::accept);
    }

    private DistinctSearch distinct(SearchPipelinePlugin.Parameters node) {
        return new DistinctSearch(new SearchSurroundings(cluster::get), collapse, services(node));
    }

    @Override
    public Map<String, SystemGeneratedFactory<SearchRequestProcessor>> getSystemGeneratedRequestProcessors(
            SearchPipelinePlugin.Parameters node) {
        return release.fits(DistinctSearch.class)
                ? Map.of(DistinctSearch.FACTORY, distinct(node).requestSide())
                : Map.of();
    }

    @Override
    public Map<String, SystemGeneratedFactory<SearchResponseProcessor>> getSystemGeneratedResponseProcessors(
            SearchPipelinePlugin.Parameters node) {
        return release.fits(DistinctSearch.class)
                ? Map.of(DistinctSearch.FACTORY, distinct(node).responseSide())
                : Map.of();
    }

    @Override
    public List<ActionHandler<?, ?>> getActions() {
        return release.actions(List.of(
                new ActionHandler<>(FingerprintAction.INSTANCE, FingerprintAction.class),
                new ActionHandler<>(CompareAction.INSTANCE, CompareAction.class),
                new ActionHandler<>(CompareTextsAction.INSTANCE, CompareTextsAction.class),
                new ActionHandler<>(FeatureWeightsAction.INSTANCE, FeatureWeightsAction.class),
                new ActionHandler<>(BlocksAction.INSTANCE, BlocksAction.class),
                new ActionHandler<>(CalibrateAction.INSTANCE, CalibrateAction.class),
                new ActionHandler<>(CheckAction.INSTANCE, CheckAction.class),
                new ActionHandler<>(SetupAction.INSTANCE, SetupAction.class),
                new ActionHandler<>(PairsAction.INSTANCE, PairsAction.class),
                new ActionHandler<>(DurabilityAction.INSTANCE, DurabilityAction.class),
                new ActionHandler<>(DeduplicateAction.INSTANCE, DeduplicateAction.class),
                new ActionHandler<>(RestoreAction.INSTANCE, RestoreAction.class),
                new ActionHandler<>(UntagAction.INSTANCE, UntagAction.class),
                new ActionHandler<>(ApplyAction.INSTANCE, ApplyAction.class),
                new ActionHandler<>(RunsAction.INSTANCE, RunsAction.class),
                new ActionHandler<>(PutScheduleAction.INSTANCE, PutScheduleAction.class),
                new ActionHandler<>(GetSchedulesAction.INSTANCE, GetSchedulesAction.class),
                new ActionHandler<>(DeleteScheduleAction.INSTANCE, DeleteScheduleAction.class),
                new ActionHandler<>(GroupsAction.INSTANCE, GroupsAction.class),
                new ActionHandler<>(DecideAction.INSTANCE, DecideAction.class),
                new ActionHandler<>(ReportAction.INSTANCE, ReportAction.class),
                new ActionHandler<>(RethrottleAction.INSTANCE, RethrottleAction.class),
                new ActionHandler<>(StatsAction.INSTANCE, StatsAction.class),
                new ActionHandler<>(MetricsAction.INSTANCE, MetricsAction.class)));
    }

    @Override
    public Collection<Class<? extends LifecycleComponent>> getGuiceServiceClasses() {
        return Stream.<Class<? extends LifecycleComponent>>of(WindowService.class, Scheduler.class)
                .filter(release::fits)
                .toList();
    }

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        return new DocumentScripts();
    }

    @Override
    public void onIndexModule(IndexModule index) {
        release.fitting(List.<SearchOperationListener>of(queries.counts(), queries.memories(), fetches))
                .forEach(index::addSearchOperationListener);
    }

    @Override
    public List<ActionFilter> getActionFilters() {
        List<ActionFilter> filters = new ArrayList<>(nearDuplicates.filters());
        filters.add(new TallyFilter(fingerprints, memory));
        filters.add(new PipelineWarnings(cluster::get));
        filters.add(new SlicedQueries(rewriting::get));
        filters.add(new WarningFilter(() -> cluster.get().threads()));
        filters.add(DistinctSearch.filter(cluster::get));
        filters.add(new SearchWarnings(() -> cluster.get().threads(), presence));
        return release.fitting(filters);
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
        return requests.counted(Endpoints.all(nodesInCluster));
    }

    @Override
    public List<Setting<?>> getSettings() {
        List<Setting<?>> settings = new ArrayList<>(NearDuplicateSettings.all());
        settings.add(DeduplicateMemory.ALLOWANCE);
        settings.add(DeduplicateDisk.MOST);
        settings.add(InspectThreads.MAX_TIME);
        settings.add(ImageHashProcessor.MAX_TIME);
        settings.add(ImageHashProcessor.MAX_BULK_TIME);
        settings.add(Scheduler.INTERVAL);
        return settings;
    }

    @Override
    public Collection<SystemIndexDescriptor> getSystemIndexDescriptors(Settings settings) {
        return List.of(Schedules.descriptor());
    }

    @Override
    public BreakerSettings getCircuitBreaker(Settings settings) {
        return FingerprintMemory.breaker(settings);
    }

    @Override
    public void setCircuitBreaker(CircuitBreaker breaker) {
        memory.accountOn(breaker);
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
            Supplier<RepositoriesService> repositoriesServiceSupplier) {
        // Loaded here, because the thread that takes the first pipeline is a network thread.
        Folding.load();
        this.client.set(client);
        cluster.set(new SearchedIndices.Cluster(
                clusterService, indexNameExpressionResolver, namedWriteableRegistry, threadPool.getThreadContext()));
        rewriting.set(new BaseQueryRewriteContext(
                xContentRegistry, namedWriteableRegistry, client, System::currentTimeMillis));
        nearDuplicates.start(client, clusterService);
        NodeCounts counts =
                new NodeCounts(fingerprints, queries.counts(), nearDuplicates.counts(), collapse, jobs.counts());
        Schedules schedules = new Schedules(client, clusterService);
        metrics.set(new NodeMetrics(counts, jobs, checks, schedules, nearDuplicates, memory, requests));
        return List.of(
                recipes,
                new PipelineRecipes.SketchRecipes(sketchRecipes),
                new PipelineRecipes.PassageRecipes(passageRecipes),
                memory,
                nearDuplicates,
                jobs,
                checks,
                schedules,
                queries.counts(),
                counts,
                metrics.get(),
                presence);
    }

    /** OpenSearch calls it after the overload without telemetry. */
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
        spans.startWith(tracer);
        registered.set(new RegisteredMetrics(metrics.get(), registry));
        return List.of(registered.get());
    }

    @Override
    public void close() throws IOException {
        IOUtils.close(registered.get());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.env.Environment;
import org.opensearch.env.TestEnvironment;
import org.opensearch.index.analysis.AnalysisRegistry;
import org.opensearch.indices.analysis.AnalysisModule;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.AnalysisPlugin;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.SketchKind;

/** The analyzers of a node, really built: with the module that every OpenSearch has, and plugins if asked. */
public final class AnalysisModules {

    static final String NODE = "node_t0";

    private AnalysisModules() {}

    /** Ours, on a node that has these plugins installed. */
    static NodeAnalyzers nodeAnalyzers(AnalysisPlugin... installed) {
        return new NodeAnalyzers(registry(installed), NODE);
    }

    static AnalysisRegistry registry(AnalysisPlugin... installed) {
        Settings settings = Settings.builder()
                .put(Environment.PATH_HOME_SETTING.getKey(), LuceneTestCase.createTempDir())
                .build();
        List<AnalysisPlugin> plugins = new ArrayList<>(List.of(installed));
        plugins.add(new CommonAnalysisModulePlugin());
        try {
            return new AnalysisModule(TestEnvironment.newEnvironment(settings), plugins).getAnalysisRegistry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the plugin gives the node's ingest service. */
    public static Map<String, Processor.Factory> processors(AnalysisPlugin... installed) {
        ThreadContext context = new ThreadContext(Settings.EMPTY);
        FingerprintCounts counts = new FingerprintCounts(() -> context);
        Buffers buffers = new Buffers();
        NodeAnalyzers analyzers = nodeAnalyzers(installed);
        return Map.of(
                SketchKind.SIMHASH.toString(),
                new TextProcessor.Factory(SketchKind.SIMHASH, analyzers, buffers, bytes -> {}, counts),
                "minhash",
                new TextProcessor.Factory(SketchKind.MINHASH, analyzers, buffers, bytes -> {}, counts),
                "passages",
                new TextProcessor.Factory(SketchKind.PASSAGES, analyzers, buffers, bytes -> {}, counts),
                ImageHashProcessor.TYPE,
                new ImageHashProcessor.Factory(
                        new ImageHashProcessor.Decoders(
                                Runnable::run,
                                () -> context,
                                any -> null,
                                index -> false,
                                setting -> TimeValue.timeValueMinutes(1),
                                bytes -> {}),
                        counts));
    }
}

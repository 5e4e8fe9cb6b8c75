/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.env.Environment;
import org.opensearch.index.analysis.AnalysisRegistry;
import org.opensearch.indices.analysis.AnalysisModule;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.Buffers;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.search.ingest.FingerprintCounts;
import org.opensearch.simhash.search.ingest.NodeAnalyzers;
import org.opensearch.simhash.search.ingest.TextProcessor;

/** Makes {@code simhash} processors from their options with the analyzers that a node has, by the factory that a node uses. */
public final class NodeProcessors implements Closeable {

    /** Where the harness puts texts and languages into documents. */
    static final String TEXT = "text";

    static final String LANGUAGE = "language";

    private final AnalysisRegistry registry;
    private final TextProcessor.Factory factory;

    /** @param home of the node, which need not exist */
    public NodeProcessors(Path home) throws IOException {
        Settings settings = Settings.builder()
                .put(Environment.PATH_HOME_SETTING.getKey(), home.toString())
                .build();
        Environment environment = new Environment(settings, home.resolve("config"));
        registry = new AnalysisModule(environment, List.of(new CommonAnalysisModulePlugin())).getAnalysisRegistry();
        ThreadContext context = new ThreadContext(settings);
        factory = new TextProcessor.Factory(
                SketchKind.SIMHASH,
                new NodeAnalyzers(registry, "quality"),
                new Buffers(),
                bytes -> {},
                new FingerprintCounts(() -> context));
    }

    /** A processor of {@link #TEXT} with these options, otherwise by default. */
    public TextProcessor create(Map<String, ?> options) {
        Map<String, Object> all = new HashMap<>(options);
        all.put("field", TEXT);
        TextProcessor processor = (TextProcessor) factory.create(Map.of(), null, null, all);
        if (all.isEmpty() == false) {
            throw new IllegalArgumentException("the processor [simhash] does not know " + all.keySet());
        }
        return processor;
    }

    @Override
    public void close() throws IOException {
        registry.close();
    }
}

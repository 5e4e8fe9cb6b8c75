/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.ScriptPlugin;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;

/**
 * Painless for all nodes of this JVM. To read what its scripts may call takes longer than all else that a node does at its start;
 * an engine keeps nothing of a script.
 */
public final class SharedPainless extends Plugin implements ScriptPlugin {

    private static final PainlessModulePlugin PAINLESS = new PainlessModulePlugin();
    private static final Map<Set<ScriptContext<?>>, ScriptEngine> ENGINES = new ConcurrentHashMap<>();

    @Override
    public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
        return ENGINES.computeIfAbsent(
                Set.copyOf(contexts), these -> new PainlessModulePlugin().getScriptEngine(settings, these));
    }

    @Override
    public List<ScriptContext<?>> getContexts() {
        return PAINLESS.getContexts();
    }

    @Override
    public List<Setting<?>> getSettings() {
        return PAINLESS.getSettings();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.script;

import java.util.Map;
import java.util.Set;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.UpdateScript;

/**
 * The script language {@code simhash}: each {@link DocumentScript} by name, for updates. Update by query runs them with
 * its tasks, throttling and sequence numbers. An unchanged document is not written.
 */
public final class DocumentScripts implements ScriptEngine {

    static final String LANGUAGE = "simhash";

    @Override
    public String getType() {
        return LANGUAGE;
    }

    @Override
    public Set<ScriptContext<?>> getSupportedContexts() {
        return Set.of(UpdateScript.CONTEXT);
    }

    /** @throws IllegalArgumentException for an unknown name, or a context other than updates */
    @Override
    public <T> T compile(String name, String code, ScriptContext<T> context, Map<String, String> parameters) {
        DocumentScript script = DocumentScript.named(code);
        if (context.equals(UpdateScript.CONTEXT) == false || script == null) {
            throw new IllegalArgumentException("[source] must be one of " + DocumentScript.names()
                    + " in the language [" + LANGUAGE + "], for updates, got: " + code + " for " + context.name);
        }
        UpdateScript.Factory factory = (params, ctx) -> new UpdateScript(params, ctx) {
            @Override
            @SuppressWarnings("unchecked") // from JSON
            public void execute() {
                Object source = getCtx().get("_source");
                boolean isChanged = source instanceof Map<?, ?> document
                        && script.change((Map<String, Object>) document, getParams());
                if (isChanged == false) {
                    getCtx().put("op", "noop");
                }
            }
        };
        return context.factoryClazz.cast(factory);
    }
}

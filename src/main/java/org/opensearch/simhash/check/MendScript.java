/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.Map;
import java.util.Set;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.UpdateScript;
import org.opensearch.simhash.ingest.StoredFingerprint;

/**
 * The script language {@code simhash} with one script, {@code mend}: {@code bits} and segments of a document's fingerprint become
 * those of its {@code hash}. A document whose fingerprint is right, or has no hash, is left as it is. It takes the parameter
 * {@code field}, the object of the fingerprint. OpenSearch's {@code _update_by_query} runs it, with all that it has of tasks and
 * throttling.
 */
public final class MendScript implements ScriptEngine {

    static final String LANGUAGE = "simhash";
    static final String SOURCE = "mend";
    static final String FIELD = "field";

    @Override
    public String getType() {
        return LANGUAGE;
    }

    @Override
    public Set<ScriptContext<?>> getSupportedContexts() {
        return Set.of(UpdateScript.CONTEXT);
    }

    @Override
    public <T> T compile(String name, String code, ScriptContext<T> context, Map<String, String> parameters) {
        if (context.equals(UpdateScript.CONTEXT) == false || SOURCE.equals(code) == false) {
            throw new IllegalArgumentException("[source] must be [" + SOURCE + "] in the language [" + LANGUAGE
                    + "], for updates, got: " + code + " for " + context.name);
        }
        UpdateScript.Factory factory = (params, ctx) -> new UpdateScript(params, ctx) {
            @Override
            public void execute() {
                Object source = getCtx().get("_source");
                boolean isChanged = source instanceof Map<?, ?> document
                        && mend(document, String.valueOf(getParams().get(FIELD)));
                if (isChanged == false) {
                    getCtx().put("op", "noop");
                }
            }
        };
        return context.factoryClazz.cast(factory);
    }

    /** Whether anything was wrong. */
    @SuppressWarnings("unchecked")
    static boolean mend(Map<?, ?> document, String field) {
        return StoredFingerprint.mendAll(field, (Map<String, Object>) document);
    }
}

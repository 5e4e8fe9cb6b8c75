/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.script;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptService;
import org.opensearch.script.ScriptType;
import org.opensearch.script.UpdateScript;
import org.opensearch.simhash.search.ingest.StoredFingerprint;

/** Changes to stored documents that a partial update cannot express. */
public enum DocumentScript {

    /** Rewrites {@code bits} and segments from {@code hash}. Leaves a correct fingerprint, or one without hash. */
    MEND,

    /** Sets fields by their paths, and removes those without a value; a partial update can only make them null. */
    SET;

    private static final String FIELD = "field";
    private static final String VALUES = "values";

    public static Script mend(String field) {
        return MEND.with(Map.of(FIELD, field));
    }

    /** @param values by path, null for none; each path leads through objects */
    public static Script set(Map<String, Object> values) {
        return SET.with(Map.of(VALUES, values));
    }

    /** @param script null for none */
    public static boolean isMend(Script script) {
        return script != null
                && DocumentScripts.LANGUAGE.equals(script.getLang())
                && MEND.scriptName().equals(script.getIdOrCode());
    }

    private Script with(Map<String, Object> parameters) {
        return new Script(ScriptType.INLINE, DocumentScripts.LANGUAGE, scriptName(), parameters);
    }

    /** Whether the settings {@code script.allowed_types} and {@code script.allowed_contexts} allow update scripts. */
    public static boolean mayRun(ScriptService scripts) {
        return scripts.isTypeEnabled(ScriptType.INLINE) && scripts.isContextEnabled(UpdateScript.CONTEXT);
    }

    /** @return whether anything was changed */
    boolean change(Map<String, Object> document, Map<String, Object> parameters) {
        return switch (this) {
            case MEND -> StoredFingerprint.mendAll(String.valueOf(parameters.get(FIELD)), document);
            case SET -> setAll(document, parameters.get(VALUES));
        };
    }

    /** @return null for an unknown name */
    static DocumentScript named(String name) {
        return Arrays.stream(values())
                .filter(script -> script.scriptName().equals(name))
                .findFirst()
                .orElse(null);
    }

    static List<String> names() {
        return Arrays.stream(values()).map(DocumentScript::scriptName).toList();
    }

    private String scriptName() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static boolean setAll(Map<String, Object> document, Object values) {
        boolean isChanged = false;
        for (Map.Entry<?, ?> value : values instanceof Map<?, ?> byPath
                ? byPath.entrySet()
                : Map.of().entrySet()) {
            isChanged |= set(document, String.valueOf(value.getKey()), value.getValue());
        }
        return isChanged;
    }

    @SuppressWarnings("unchecked") // from JSON
    private static boolean set(Map<String, Object> document, String path, Object value) {
        String[] steps = path.split("\\.", -1);
        Map<String, Object> object = document;
        for (int i = 0; i < steps.length - 1; i++) {
            Object below = object.get(steps[i]);
            if (below == null && value != null) {
                below = new HashMap<>();
                object.put(steps[i], below);
            }
            if (below instanceof Map<?, ?> == false) {
                return false;
            }
            object = (Map<String, Object>) below;
        }
        String name = steps[steps.length - 1];
        if (value == null) {
            boolean isThere = object.containsKey(name);
            object.remove(name);
            return isThere;
        }
        return value.equals(object.put(name, value)) == false;
    }

    /**
     * The script language {@code simhash}: each {@link DocumentScript} by name, for updates. Update by query runs them with
     * its tasks, throttling and sequence numbers. An unchanged document is not written.
     */
    public static final class DocumentScripts implements ScriptEngine {

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
}

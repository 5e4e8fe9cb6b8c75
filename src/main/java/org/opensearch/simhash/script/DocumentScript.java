/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.script;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.script.Script;
import org.opensearch.script.ScriptService;
import org.opensearch.script.ScriptType;
import org.opensearch.script.UpdateScript;
import org.opensearch.simhash.fingerprint.TagFields;
import org.opensearch.simhash.ingest.StoredFingerprint;

/** Changes to stored documents that a partial update cannot express. */
public enum DocumentScript {

    /** Rewrites {@code bits} and segments from {@code hash}. Leaves a correct fingerprint, or one without hash. */
    MEND,

    /** Removes the two fields of a tag; a partial update can only make them null. */
    UNTAG;

    static final String FIELD = "field";

    /** @param field the fingerprint object */
    public Script in(String field) {
        return new Script(ScriptType.INLINE, DocumentScripts.LANGUAGE, scriptName(), Map.of(FIELD, field));
    }

    /** Whether the settings {@code script.allowed_types} and {@code script.allowed_contexts} allow update scripts. */
    public static boolean mayRun(ScriptService scripts) {
        return scripts.isTypeEnabled(ScriptType.INLINE) && scripts.isContextEnabled(UpdateScript.CONTEXT);
    }

    /** @return whether anything was changed */
    boolean change(Map<String, Object> document, String field) {
        return switch (this) {
            case MEND -> StoredFingerprint.mendAll(field, document);
            case UNTAG -> untag(document, field);
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

    private static boolean untag(Map<String, Object> document, String field) {
        Object object = document;
        for (String step : field.split("\\.", -1)) {
            object = object instanceof Map<?, ?> parts ? parts.get(step) : null;
        }
        return object instanceof Map<?, ?> parts && parts.keySet().removeAll(TagFields.ALL);
    }
}

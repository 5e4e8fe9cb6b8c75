/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.UpdateScript;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.SegmentLayout;

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
        Object value = XContentMapValues.extractValue(field, (Map<String, Object>) document);
        boolean isChanged = false;
        for (Object object :
                value instanceof Iterable<?> several ? several : value == null ? Set.of() : Set.of(value)) {
            if (object instanceof Map<?, ?> parts) {
                isChanged |= mend((Map<String, Object>) parts);
            }
        }
        return isChanged;
    }

    private static boolean mend(Map<String, Object> parts) {
        if (parts.get(FingerprintFields.HASH) instanceof String hash && Fingerprint.isHex(hash, 16)) {
            long bits = Fingerprint.fromHex(hash);
            boolean isChanged = StoredBits.areOf(parts.get(FingerprintFields.BITS), bits) == false;
            parts.put(FingerprintFields.BITS, bits);
            int segments = 0;
            while (segments < SegmentLayout.MAX && parts.containsKey(FingerprintFields.segment(segments))) {
                segments++;
            }
            String[] terms = new SegmentLayout(segments < SegmentLayout.MIN ? 4 : segments).terms(bits);
            for (int i = 0; i < terms.length; i++) {
                isChanged |= terms[i].equals(parts.put(FingerprintFields.segment(i), terms[i])) == false;
            }
            return isChanged;
        }
        return false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.util.Objects;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.fingerprint.SourceTexts;

/**
 * The texts whose passages are looked for in documents.
 *
 * @param texts as they stand in the source
 * @param scheme of the recipe that cuts them into words
 */
public record PassageTarget(SourceTexts texts, String scheme) implements Print {

    public PassageTarget {
        Objects.requireNonNull(texts, "texts");
        Objects.requireNonNull(scheme, "scheme");
    }

    @Override
    public SketchKind kind() {
        return SketchKind.PASSAGES;
    }

    @Override
    public boolean isWhole() {
        return true;
    }

    @Override
    public String digest() {
        return null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.query;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.opensearch.action.get.GetResponse;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.SourceTexts;
import org.opensearch.simhash.match.SketchTarget;
import org.opensearch.simhash.match.Target;

/**
 * Makes the targets of a kind of query from texts and from stored documents.
 *
 * @param <T> a target that documents are compared with
 * @param <R> the resolved source
 */
interface TargetKind<T, R extends QuerySource> {

    TargetKind<Target, QuerySource.Resolved> SIMHASH = new TargetKind<>() {
        @Override
        public Target of(Fingerprinter recipe, SourceTexts texts, LongConsumer memory) {
            Fingerprint fingerprint = recipe.fingerprint(texts, memory);
            return new Target(fingerprint.bits(), fingerprint.digest(), fingerprint.scheme());
        }

        @Override
        public List<Target> stored(GetResponse document, String field, Supplier<IndexMapping> mapping) {
            return StoredTargets.of(document, field, mapping);
        }

        @Override
        public String scheme(Target target) {
            return target.scheme();
        }

        @Override
        public QuerySource.Resolved resolved(List<Target> targets, StoredDocument self, String text, String pipeline) {
            return new QuerySource.Resolved(targets, self, text, pipeline);
        }
    };

    TargetKind<SketchTarget, QuerySource.Sketched> MINHASH = new TargetKind<>() {
        @Override
        public SketchTarget of(Fingerprinter recipe, SourceTexts texts, LongConsumer memory) {
            var text = recipe.sketch(texts, memory);
            return new SketchTarget(
                    text.sketch().orElse(null), recipe.recipe().bandLayout(), text.digest(), text.scheme());
        }

        @Override
        public List<SketchTarget> stored(GetResponse document, String field, Supplier<IndexMapping> mapping) {
            return StoredSketches.of(document, field, mapping);
        }

        @Override
        public String scheme(SketchTarget target) {
            return target.scheme();
        }

        @Override
        public QuerySource.Sketched resolved(
                List<SketchTarget> targets, StoredDocument self, String text, String pipeline) {
            return new QuerySource.Sketched(targets, self, text, pipeline);
        }
    };

    /** The target of a document's texts. */
    T of(Fingerprinter recipe, SourceTexts texts, LongConsumer memory);

    /**
     * The targets of a stored document; empty if the field is not mapped.
     *
     * @param mapping of the document's index; asked if the document has no target
     * @throws IllegalArgumentException if the field is mapped and the document has no target
     */
    List<T> stored(GetResponse document, String field, Supplier<IndexMapping> mapping);

    /** Scheme of a target, or null. */
    String scheme(T target);

    /**
     * The resolved source.
     *
     * @param self the document that must not match, or null
     * @param text the text to verify with, or null
     * @param pipeline whose recipe prepares texts for verification, or null
     */
    R resolved(List<T> targets, StoredDocument self, String text, String pipeline);
}

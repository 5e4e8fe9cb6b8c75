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
 * What a kind of query compares documents with, and how that is made of texts and of stored documents.
 *
 * @param <T> what a document is compared with
 * @param <R> the source that is resolved to these
 */
interface TargetKind<T, R extends QuerySource> {

    /** Fingerprints. */
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

    /** Sketches. */
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

    /** Of a document's texts. */
    T of(Fingerprinter recipe, SourceTexts texts, LongConsumer memory);

    /**
     * What a stored document is compared as; none where the field is not mapped, as no document has anything there.
     *
     * @param mapping of the document's index; asked where the document has nothing
     * @throws IllegalArgumentException when it has nothing in a mapped field
     */
    List<T> stored(GetResponse document, String field, Supplier<IndexMapping> mapping);

    /** The recipe that made it, or null. */
    String scheme(T target);

    /**
     * What a query goes on with.
     *
     * @param self the document that must not match, or null
     * @param text the text to verify with, or null
     * @param pipeline whose recipe prepares texts for verification, or null
     */
    R resolved(List<T> targets, StoredDocument self, String text, String pipeline);
}

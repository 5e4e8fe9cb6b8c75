/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.fingerprint.Fingerprinter;
import org.opensearch.simhash.fingerprint.Recipe;

/**
 * The recipes that prepare texts of an index for verification: of a fingerprint the one that made it, so that what was read as
 * HTML is compared without its tags. A document may have been put through any pipeline, so that all are asked where those of the
 * index do not know its scheme. One thread; lives no longer than a search of a shard, or a job.
 */
public final class PreparingRecipes {

    private final List<Fingerprinter> own;
    private final Supplier<List<Fingerprinter>> ofAll;
    private List<Fingerprinter> others;

    /**
     * @param own of the index, at least one
     * @param ofAll those of all pipelines, of which there may be many: asked when the others do not suffice
     */
    PreparingRecipes(List<Fingerprinter> own, Supplier<List<Fingerprinter>> ofAll) {
        this.own = own;
        this.ofAll = ofAll;
    }

    /**
     * The recipe that made a fingerprint; none when it is of no pipeline any more.
     *
     * @param scheme of the fingerprint; null where nobody knows it, and the index's first recipe counts
     */
    public Optional<Fingerprinter> maker(String scheme) {
        return scheme == null ? Optional.of(own.getFirst()) : of(scheme, own).or(() -> of(scheme, others()));
    }

    /** The recipe for texts that are near a fingerprint: its maker's, else the index's first. */
    public Fingerprinter preparing(String scheme) {
        return maker(scheme).orElse(own.getFirst());
    }

    /** Where documents that any of them made keep their language. */
    public Set<String> languageFields() {
        return Stream.concat(own.stream(), others().stream())
                .map(Fingerprinter::recipe)
                .map(Recipe::languageField)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private List<Fingerprinter> others() {
        if (others == null) {
            others = ofAll.get();
        }
        return others;
    }

    private static Optional<Fingerprinter> of(String scheme, List<Fingerprinter> recipes) {
        return recipes.stream().filter(recipe -> recipe.scheme().equals(scheme)).findFirst();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.HashSet;
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
 * The recipes that prepare an index's texts for verification. A text is prepared by the recipe of its fingerprint, so
 * that HTML is compared without tags. If the index's recipes do not have the scheme, all pipelines are asked, since a
 * document may have gone through any. One thread; for one search of a shard, or one job.
 */
public final class PreparingRecipes {

    private final List<Fingerprinter> own;
    private final Supplier<List<Fingerprinter>> ofAll;
    private List<Fingerprinter> others;

    /**
     * @param own of the index, at least one
     * @param ofAll of all pipelines, perhaps many; asked on demand
     */
    PreparingRecipes(List<Fingerprinter> own, Supplier<List<Fingerprinter>> ofAll) {
        this.own = own;
        this.ofAll = ofAll;
    }

    /**
     * The recipe of a fingerprint; empty if no pipeline has it any more.
     *
     * @param scheme of the fingerprint; null if unknown, then the index's first recipe counts
     */
    public Optional<Fingerprinter> maker(String scheme) {
        return scheme == null ? Optional.of(own.getFirst()) : of(scheme, own).or(() -> of(scheme, others()));
    }

    /**
     * All recipes of a scheme, those of the index first: they may read different fields. Each once, however many pipelines
     * have it.
     */
    public List<Fingerprinter> makers(String scheme) {
        Set<Recipe> known = new HashSet<>();
        return Stream.concat(own.stream(), others().stream())
                .filter(maker -> maker.scheme().equals(scheme) && known.add(maker.recipe()))
                .toList();
    }

    /** The recipe for texts near a fingerprint: its maker, else the index's first. */
    public Fingerprinter preparing(String scheme) {
        return maker(scheme).orElse(own.getFirst());
    }

    /** All fields that a fingerprint may be made of, and those with the language of a document. */
    public Set<String> textFields() {
        return Stream.concat(own.stream(), others().stream())
                .flatMap(maker -> DocumentTexts.paths(maker.recipe()).stream())
                .collect(Collectors.toSet());
    }

    /** All fields with the language of a document. */
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

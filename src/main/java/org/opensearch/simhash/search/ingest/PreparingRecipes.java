/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Recipe;

/**
 * The recipes that prepare an index's texts for verification. A text is prepared by the recipe of its fingerprint, so
 * that HTML is compared without tags. If the index's recipes do not have the scheme, all pipelines are asked, since a
 * document may have gone through any. One thread; for one search of a shard, or one job.
 */
public final class PreparingRecipes {

    private final List<Fingerprinter> own;
    private final Supplier<List<List<Fingerprinter>>> ofAll;
    private List<List<Fingerprinter>> byNearness;
    private Set<String> textFields;

    /** @param ofAll of all pipelines, perhaps many, in groups, the nearest first; asked on demand */
    public PreparingRecipes(List<Fingerprinter> own, Supplier<List<List<Fingerprinter>>> ofAll) {
        this.own = own;
        this.ofAll = ofAll;
    }

    /**
     * The recipe of a fingerprint; empty if no pipeline has it any more.
     *
     * @param scheme of the fingerprint; null if unknown, then the index's first recipe counts
     */
    public Optional<Fingerprinter> maker(String scheme) {
        return scheme == null ? Optional.of(first()) : of(scheme, own.stream()).or(() -> of(scheme, all()));
    }

    /** All recipes of a scheme, those of the index first: they may read different fields. Each once, however many pipelines have it. */
    public List<Fingerprinter> makers(String scheme) {
        return makersByNearness(scheme).stream().flatMap(List::stream).toList();
    }

    /**
     * The same in groups: those of the index, of others that write the field, and the rest. A group counts only if the ones
     * before it cannot read a document: what an unrelated recipe reads is not what the fingerprint was made of.
     */
    List<List<Fingerprinter>> makersByNearness(String scheme) {
        Set<Recipe> known = new HashSet<>();
        return byNearness().stream()
                .map(group -> group.stream()
                        .filter(maker -> maker.scheme().equals(scheme) && known.add(maker.recipe()))
                        .toList())
                .toList();
    }

    /** Whether a pipeline of the index has this recipe. */
    boolean isOwn(Fingerprinter maker) {
        return own.stream().anyMatch(one -> one.recipe().equals(maker.recipe()));
    }

    /** The recipe for texts near a fingerprint: its maker, else the index's first. */
    public Fingerprinter preparing(String scheme) {
        return maker(scheme).orElseGet(this::first);
    }

    /** Of the index; without one, the default recipe, which is the last of all. */
    private Fingerprinter first() {
        return own.isEmpty() ? byNearness().getLast().getLast() : own.getFirst();
    }

    /** All fields that a fingerprint may be made of, and those with the language of a document. */
    public Set<String> textFields() {
        if (textFields == null) {
            textFields = all().flatMap(maker -> DocumentTexts.paths(maker.recipe()).stream())
                    .collect(Collectors.toSet());
        }
        return textFields;
    }

    /** All fields with the language of a document. */
    public Set<String> languageFields() {
        return all().map(Fingerprinter::recipe)
                .map(Recipe::languageField)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private Stream<Fingerprinter> all() {
        return byNearness().stream().flatMap(List::stream);
    }

    private List<List<Fingerprinter>> byNearness() {
        if (byNearness == null) {
            byNearness = Stream.concat(Stream.of(own), ofAll.get().stream()).toList();
        }
        return byNearness;
    }

    private static Optional<Fingerprinter> of(String scheme, Stream<Fingerprinter> recipes) {
        return recipes.filter(recipe -> recipe.scheme().equals(scheme)).findFirst();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.simhash.deduplicate.job.JobTask;
import org.opensearch.simhash.deduplicate.scan.Retries;
import org.opensearch.simhash.deduplicate.scan.StoredTexts;
import org.opensearch.simhash.fingerprint.Recipe;
import org.opensearch.simhash.ingest.PipelineRecipes;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.query.IndexMapping;
import org.opensearch.simhash.verify.Measure;
import org.opensearch.simhash.verify.Verification;

/**
 * Which texts are compared, and how: as the request says, else the longest text that the pipeline's recipe reads, by its tokens, or by
 * its characters where texts are short: of a few tokens one that differs takes most shingles with it.
 */
final class TextChoice {

    private static final int LOOKED_AT = 100;

    /** Characters of half of the texts, at most: three lines. */
    private static final int SHORT = 200;

    private final PipelineRecipes recipes;
    private final Readings readings;
    private final JobTask task;
    private final String fingerprint;
    private final Account memory;
    private int middleLength;

    TextChoice(PipelineRecipes recipes, Readings readings, JobTask task, String fingerprint, Account memory) {
        this.recipes = recipes;
        this.readings = readings;
        this.task = task;
        this.fingerprint = fingerprint;
        this.memory = memory;
    }

    /** @throws IllegalArgumentException when there is no text to compare */
    Verification choose(CalibrateOptions options, Metadata metadata) {
        List<String> fields =
                options.verify() == null ? ofRecipe() : List.of(options.verify().field());
        if (fields.stream().allMatch(field -> refusal(field, metadata) != null)) {
            throw refusal(fields.getFirst(), metadata);
        }
        String longest = fields.getFirst();
        for (String field : fields) {
            int length = refusal(field, metadata) == null ? middleLength(field) : -1;
            if (length > middleLength) {
                middleLength = length;
                longest = field;
            }
        }
        Verification asked = options.verify();
        Measure measure = options.isMeasureGiven()
                ? asked.measure()
                : isShort() ? Measure.LEVENSHTEIN : Verification.DEFAULT_MEASURE;
        return new Verification(
                longest,
                measure,
                asked == null ? Verification.DEFAULT_SHINGLE_SIZE : asked.shingleSize(),
                options.minSimilarity(),
                asked == null ? null : asked.strictCharacters());
    }

    /** Whether half of the texts are short. */
    boolean isShort() {
        return middleLength > 0 && middleLength <= SHORT;
    }

    /** Characters that half of the texts have at most. */
    int middleLength() {
        return middleLength;
    }

    private List<String> ofRecipe() {
        try {
            List<String> indices = Arrays.asList(readings.pointInTime().indices());
            List<String> fields = new ArrayList<>();
            recipes.ofIndices(indices, fingerprint).stream()
                    .flatMap(made -> made.recipe().fields().stream())
                    .map(Recipe.WeightedField::path)
                    .distinct()
                    .forEach(fields::add);
            return fields;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "[verify] must name the [field] of the text to compare, for no pipeline tells it, got: nothing", e);
        }
    }

    /** Null when a text can be read from the field. */
    private IllegalArgumentException refusal(String field, Metadata metadata) {
        for (String index : readings.pointInTime().indices()) {
            IndexMetadata known = metadata.index(index);
            IndexMapping mapping = known == null ? null : new IndexMapping(known);
            if (mapping != null && mapping.isObject(field)) {
                return new IllegalArgumentException("[verify] must have a [field] that holds a text, got: [" + field
                        + "], which is an object in [" + index + "]");
            }
            if (mapping != null && mapping.keeps(field) == false) {
                return new IllegalArgumentException(
                        "[verify] must have a [field] that is kept in [_source] or stored, got: [" + field
                                + "], which is neither in [" + index + "]");
            }
        }
        return null;
    }

    /** Reads the texts of a field. */
    StoredTexts stored(String field) {
        return new StoredTexts(
                readings.pointInTime(), recipes, field, fingerprint, memory, new Retries(task::ensureNotCancelled));
    }

    private int middleLength(String field) {
        List<Integer> lengths = new ArrayList<>();
        stored(field)
                .readAll(
                        readings.some(LOOKED_AT),
                        (address, text) -> lengths.add(text.text().length()));
        lengths.sort(null);
        return lengths.isEmpty() ? 0 : lengths.get(lengths.size() / 2);
    }
}

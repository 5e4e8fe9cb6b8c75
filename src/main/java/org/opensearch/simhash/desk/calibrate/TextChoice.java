/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.Measure;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.jobs.job.JobTask;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.search.ingest.PipelineRecipes;

/** Chooses what the request leaves open: the longest text of the recipe, compared by characters if texts are short. */
record TextChoice(
        PipelineRecipes recipes,
        Readings readings,
        CalibratedIndices indices,
        JobTask task,
        String fingerprint,
        Account memory) {

    private static final int LOOKED_AT = 100;

    /** The most characters of a short median text: three lines. */
    private static final int SHORT = 200;

    /** @param warnings what is wrong with the texts */
    record Choice(Verification verification, int middleLength, List<String> warnings) {

        boolean areShort() {
            return isShort(middleLength);
        }
    }

    /** @throws IllegalArgumentException if there is no text to compare. Call it first */
    void require(CalibrateOptions options) {
        List<String> fields = fields(options);
        if (fields.stream().allMatch(field -> indices.refusal(field) != null)) {
            throw indices.refusal(fields.getFirst());
        }
    }

    private List<String> fields(CalibrateOptions options) {
        return options.verify() == null ? ofRecipe() : List.of(options.verify().field());
    }

    Choice choose(CalibrateOptions options) {
        List<String> fields = fields(options);
        String longest = fields.getFirst();
        int middleLength = 0;
        MarkupCounts markup = new MarkupCounts();
        List<String> ofLongest = List.of();
        for (String field : fields) {
            List<String> texts = new ArrayList<>();
            int length = indices.refusal(field) == null ? middleLength(field, markup, texts) : -1;
            if (length > middleLength) {
                middleLength = length;
                longest = field;
                ofLongest = texts;
            }
        }
        Verification asked = options.verify();
        Measure measure = options.isMeasureGiven()
                ? asked.measure()
                : isShort(middleLength) ? Measure.LEVENSHTEIN : Verification.DEFAULT_MEASURE;
        Verification verification = new Verification(
                longest,
                measure,
                asked == null ? Verification.DEFAULT_SHINGLE_SIZE : asked.shingleSize(),
                options.minSimilarity(),
                asked == null ? null : asked.strictCharacters());
        List<String> warnings = new ArrayList<>();
        markup.warning().ifPresent(warnings::add);
        try (Account account = new Account(memory)) {
            Boilerplate.frame(ofLongest, account).warning(ofLongest).ifPresent(warnings::add);
        }
        return new Choice(verification, middleLength, warnings);
    }

    private static boolean isShort(int length) {
        return length > 0 && length <= SHORT;
    }

    private List<String> ofRecipe() {
        try {
            return recipes.ofIndices(indices.names(), fingerprint).stream()
                    .flatMap(made -> made.recipe().fields().stream())
                    .map(Recipe.WeightedField::path)
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "[verify] must name the [field] of the text to compare, for no pipeline tells it"
                            + CalibratedIndices.NOT_OF_TEXT + ", got: nothing",
                    e);
        }
    }

    StoredTexts stored(String field) {
        return new StoredTexts(readings.pointInTime(), recipes, field, fingerprint, false, memory, task.retries());
    }

    private int middleLength(String field, MarkupCounts markup, List<String> texts) {
        List<Integer> lengths = new ArrayList<>();
        stored(field).readAll(readings.some(LOOKED_AT), (address, text) -> {
            lengths.add(text.text().length());
            markup.add(text.text());
            texts.add(Boilerplate.beginning(text.text()));
            memory.take((long) Character.BYTES * texts.getLast().length());
        });
        lengths.sort(null);
        return lengths.isEmpty() ? 0 : lengths.get(lengths.size() / 2);
    }
}

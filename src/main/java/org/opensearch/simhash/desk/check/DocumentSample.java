/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.Boilerplate;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.html.MarkupCounts;
import org.opensearch.simhash.core.language.LanguageCode;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.ingest.DocumentTexts;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.ingest.StoredFingerprint.HashBits;

/** Looks at random documents: whether their parts are made of one another, and of the texts beside them; whether these are HTML. */
final class DocumentSample {

    private static final int SHOWN = 3;

    private final CheckedIndex index;
    private final LongConsumer memory;
    /** None if no text can be read. */
    private final List<Fingerprinter> fingerprinters;

    private final HashBits hashBits = new HashBits();
    private int looked;
    private final List<String> rounded = new ArrayList<>();
    private final List<String> wronglySliced = new ArrayList<>();
    private final List<String> wronglyCut = new ArrayList<>();
    private final Set<String> unknownLanguages = new TreeSet<>();
    private final List<String> stale = new ArrayList<>();
    private final MarkupCounts markup = new MarkupCounts();
    private final List<String> prepared = new ArrayList<>();
    private int withTexts;

    /** @param memory the caller gives it back */
    DocumentSample(CheckedIndex index, PipelineRecipes recipes, LongConsumer memory) {
        this.index = index;
        this.memory = memory;
        this.fingerprinters = index.writer()
                .filter(step -> step.readsTexts() && step.element() == null)
                .map(step -> recipes.ofWriters(step.pipeline(), step.typedTarget()))
                .orElse(List.of());
    }

    /** Texts may be large, so those of fewer documents are read. */
    void read(int size, int textSize) {
        RandomDocuments random = index.documents();
        List<RandomDocuments.Position> places = random.places(index.withValue(), size);
        int texts = fingerprinters.isEmpty() ? 0 : Math.min(textSize, places.size());
        List<String> paths = new ArrayList<>(index.languageFields());
        paths.add(index.fingerprint());
        List<String> andTexts = new ArrayList<>(paths);
        fingerprinters.forEach(made -> andTexts.addAll(DocumentTexts.paths(made.recipe())));
        int read = random.read(places.subList(0, texts), andTexts.toArray(String[]::new), hit -> {
            add(hit);
            withTexts++;
            if (hit.hasSource() && isStale(hit.getSourceAsMap())) {
                stale.add(hit.getId());
            }
            return false;
        });
        if (read == texts) {
            random.read(places.subList(texts, places.size()), paths.toArray(String[]::new), hit -> {
                add(hit);
                return false;
            });
        }
    }

    private void add(SearchHit hit) {
        if (hit.hasSource() == false) {
            return;
        }
        looked++;
        for (Object object : DocumentValues.objectsAt(index.fingerprint(), hit.getSourceAsMap())) {
            if (object instanceof Map<?, ?> parts) {
                if (index.kind() == CheckedKind.SKETCH) {
                    addSketch(hit.getId(), parts);
                } else {
                    add(hit.getId(), parts);
                }
            }
        }
        for (String field : index.languageFields()) {
            DocumentValues.at(field, hit.getSourceAsMap()).stream()
                    .map(String::valueOf)
                    .filter(language -> LanguageCode.isOne(language) == false)
                    .forEach(unknownLanguages::add);
        }
    }

    private void add(String id, Map<?, ?> parts) {
        String hash = parts.get(FingerprintFields.HASH) instanceof String text ? text : "";
        if (Fingerprint.isHex(hash, 16) == false && LongHash.isHex(hash) == false) {
            return;
        }
        hashBits.add(parts);
        if (StoredFingerprint.areBitsRight(parts) == false) {
            rounded.add(id);
        }
        if (StoredFingerprint.areSegmentsRight(parts) == false) {
            wronglySliced.add(id);
        }
    }

    private void addSketch(String id, Map<?, ?> parts) {
        if (parts.get(FingerprintFields.SKETCH) instanceof String text
                && isCut(text, parts.get(FingerprintFields.BANDS)) == false) {
            wronglyCut.add(id);
        }
    }

    /** Without bands, a query compares all sketches. */
    private static boolean isCut(String sketch, Object bands) {
        try {
            return bands == null || BandLayout.of(Sketch.fromBase64(sketch), bands) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether recipes of the fingerprint's scheme read a text, and none of them makes its digest, or its terms. */
    private boolean isStale(Map<String, Object> source) {
        if (XContentMapValues.extractValue(index.fingerprint(), source) instanceof Map<?, ?> stored) {
            boolean isMadeAgain = false;
            for (Fingerprinter fingerprinter : fingerprinters) {
                if (fingerprinter.scheme().equals(stored.get(FingerprintFields.SCHEME))) {
                    if (fingerprinter.recipe().html() == HtmlExtraction.NONE) {
                        markup.add(DocumentTexts.storedText(fingerprinter.recipe(), source));
                    }
                    Optional<String> digest = digest(fingerprinter, source);
                    if (digest.isPresent() && digest.get().equals(digest(stored))) {
                        return false;
                    }
                    isMadeAgain |= digest.isPresent();
                }
            }
            return isMadeAgain;
        }
        return false;
    }

    /** Null if it has none. */
    private String digest(Map<?, ?> stored) {
        if (index.kind() != CheckedKind.PASSAGES) {
            return stored.get(FingerprintFields.DIGEST) instanceof String digest ? digest : null;
        }
        Object terms = stored.get(FingerprintFields.TERMS);
        return terms == null
                ? ""
                : terms instanceof List<?> all ? all.toString() : List.of(terms).toString();
    }

    private String digest(Fingerprinter fingerprinter, SourceTexts texts) {
        if (index.kind() != CheckedKind.PASSAGES) {
            return fingerprinter.digest(texts, memory);
        }
        String[] terms = fingerprinter.passageTerms(texts, memory);
        return terms.length == 0 ? "" : Arrays.toString(terms);
    }

    private Optional<String> digest(Fingerprinter fingerprinter, Map<String, Object> source) {
        try {
            Optional<SourceTexts> texts = DocumentTexts.read(fingerprinter.recipe(), source);
            texts.ifPresent(read -> keep(fingerprinter, read));
            return texts.map(read -> digest(fingerprinter, read));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private void keep(Fingerprinter fingerprinter, SourceTexts texts) {
        if (prepared.size() < Boilerplate.MOST_TEXTS) {
            try (Account account = new Account(memory)) {
                prepared.add(Boilerplate.beginning(texts.values().stream()
                        .map(value -> fingerprinter.prepare(value, account))
                        .collect(Collectors.joining("\n"))));
            }
            memory.accept((long) Character.BYTES * prepared.getLast().length());
        }
    }

    /** @param current schemes of the pipelines */
    void find(DocumentCounts documents, Set<String> current, PipelineSteps pipelines, Findings found) {
        String field =
                index.fingerprint().equals(FingerprintFields.DEFAULT_OBJECT) ? "" : "?field=" + index.fingerprint();
        Supplier<String> mend = () -> MendingRequest.unlessUnchangeable(
                index, "POST /_plugins/_simhash/check/" + index.inPath() + "/mend" + field + "\n{}");
        String roundedBits = "[bits] that are not their [hash], as JavaScript clients write them";
        wrong(Code.ROUNDED_BITS, rounded, roundedBits, mend, found);
        wrong(Code.SEGMENTS_WRONG, wronglySliced, "segments that are not slices of their [hash]", mend, found);
        wrong(
                Code.BANDS_WRONG,
                wronglyCut,
                "[bands] that are not those of their [sketch]",
                () -> index.writer()
                        .map(step -> DocumentCounts.remaking(
                                index, step, documents.schemes().keySet(), null))
                        .orElse("Run the documents through a pipeline with a [minhash] processor again."),
                found);
        if (hashBits.areConstant()) {
            found.add(
                    Code.CONSTANT_BITS,
                    hashBits
                            + " in the documents looked at: a distance means more there, and unrelated documents are near",
                    "See whether [hash_format] is that of the hashes, and whether they were rounded or cut before they"
                            + " came."
                            + (hashBits.hashes() == 1
                                    ? ""
                                    : " If they have " + hashBits.varying()
                                            + " bits, calibrate tells the distance for them."));
        }
        if (unknownLanguages.isEmpty() == false) {
            found.add(
                    Code.UNKNOWN_LANGUAGE,
                    "documents have languages that are no ISO 639 codes, and are treated as if they had none: "
                            + shown(List.copyOf(unknownLanguages)),
                    "Write ISO 639 codes into " + index.languageFields() + ", as [en], [deu] or [zh-Hant], and run the"
                            + " documents through the pipeline again.");
        }
        if (stale.isEmpty() == false) {
            found.add(
                    Code.STALE_FINGERPRINT,
                    stale.size() + " of " + withTexts + " documents looked at have a "
                            + index.kind().noun()
                            + " of another text than theirs: "
                            + shown(stale) + "; updates change a text without the pipeline",
                    DocumentCounts.remaking(index, index.writer().orElseThrow(), current, null));
        }
        markup.warning()
                .ifPresent(warning ->
                        changing(Code.MARKUP_AS_TEXT, warning, Map.of("html", markup.option()), pipelines, found));
        Boilerplate frame = Boilerplate.frame(prepared, memory);
        frame.warning(prepared).ifPresent(warning -> {
            List<Object> strip = new ArrayList<>(frame.digests());
            if (index.writer().orElseThrow().options().get("strip") instanceof List<?> there) {
                strip.addAll(there);
            }
            changing(Code.SHARED_FRAME, warning, Map.of("strip", strip), pipelines, found);
        });
    }

    /** A second setup mends that, where nothing else uses the pipeline. */
    private void changing(
            Code code, String warning, Map<String, Object> option, PipelineSteps pipelines, Findings found) {
        Step writer = index.writer().orElseThrow();
        found.add(
                code,
                warning,
                pipelines.with(List.of(index), writer, writer.options()) == null
                        ? pipelines.changed(index, writer, option)
                        : pipelines.setup(index, writer.type(), Map.of("processor", option)));
    }

    private void wrong(Code code, List<String> ids, String what, Supplier<String> mend, Findings found) {
        if (ids.isEmpty() == false) {
            found.add(
                    code,
                    ids.size() + " of " + looked + " documents looked at have " + what + ": " + shown(ids),
                    mend.get());
        }
    }

    static String shown(List<String> ids) {
        String some = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
        return ids.size() > SHOWN ? some + ", …" : some;
    }
}

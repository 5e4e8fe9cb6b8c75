/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.LongHash;
import org.opensearch.simhash.core.language.LanguageCode;
import org.opensearch.simhash.core.sketch.BandLayout;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.search.ingest.DocumentValues;
import org.opensearch.simhash.search.ingest.StoredFingerprint;
import org.opensearch.simhash.search.ingest.StoredFingerprint.HashBits;

/** Compares the bits and segments of random fingerprints with their hash, or the bands of random sketches with the sketch. */
final class DocumentSample {

    private static final int SHOWN = 3;

    private final HashBits hashBits = new HashBits();
    private int looked;
    private final List<String> rounded = new ArrayList<>();
    private final List<String> wronglySliced = new ArrayList<>();
    private final List<String> wronglyCut = new ArrayList<>();
    private final Set<String> unknownLanguages = new TreeSet<>();

    /** What it reads of a document. */
    static Stream<String> paths(CheckedIndex index) {
        return Stream.concat(Stream.of(index.fingerprint()), index.languageFields().stream());
    }

    void add(SearchHit hit, CheckedIndex index) {
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

    void find(CheckedIndex index, DocumentCounts documents, Findings found) {
        String field =
                index.fingerprint().equals(FingerprintFields.DEFAULT_OBJECT) ? "" : "?field=" + index.fingerprint();
        String mend = MendingRequest.unlessUnchangeable(
                index, "POST /_plugins/_simhash/check/" + index.name() + "/mend" + field + "\n{}");
        wrong(
                Code.ROUNDED_BITS,
                rounded,
                "[bits] that are not their [hash], as JavaScript clients write them",
                mend,
                found);
        wrong(Code.SEGMENTS_WRONG, wronglySliced, "segments that are not slices of their [hash]", mend, found);
        wrong(
                Code.BANDS_WRONG,
                wronglyCut,
                "[bands] that are not those of their [sketch]",
                index.writer()
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
                                            + " bits, choose a smaller [max_distance]."));
        }
        if (unknownLanguages.isEmpty() == false) {
            found.add(
                    Code.UNKNOWN_LANGUAGE,
                    "documents have languages that are no ISO 639 codes, and are treated as if they had none: "
                            + shown(List.copyOf(unknownLanguages)),
                    "Write ISO 639 codes into " + index.languageFields() + ", as [en], [deu] or [zh-Hant], and run the"
                            + " documents through the pipeline again.");
        }
    }

    private void wrong(Code code, List<String> ids, String what, String mend, Findings found) {
        if (ids.isEmpty() == false) {
            found.add(
                    code, ids.size() + " of " + looked + " documents looked at have " + what + ": " + shown(ids), mend);
        }
    }

    static String shown(List<String> ids) {
        String some = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
        return ids.size() > SHOWN ? some + ", …" : some;
    }
}

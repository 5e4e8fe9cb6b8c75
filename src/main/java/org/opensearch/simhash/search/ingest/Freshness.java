/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.opensearch.simhash.core.fingerprint.Fingerprint;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.Fingerprinter.SketchedText;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.image.PerceptualHash;
import org.opensearch.simhash.core.sketch.Sketch;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.core.text.UnreadableTextException;

/**
 * Whether the fingerprint or sketch in a document is that of its text: it is made anew and compared. A document ends, or
 * ends another, only if it is {@link State#FRESH}. Costs as much as the ingest processor, but for what that made in this run.
 *
 * @param maker the recipe that made it; null unless it is fresh
 */
public record Freshness(State state, Fingerprinter maker) {

    /** Of more features the words need not be counted. */
    private static final int MOST_FEATURES_OF_A_WORD = 16;

    /** In words that follow "its fingerprint". */
    public enum State {
        FRESH("is that of its text"),
        SHORT_TEXT("is of a text with fewer words or features than [min_features]"),
        /** It is that of another text, or was edited. */
        STALE("is not that of its text"),
        /** {@code bits} are not those of {@code hash}: a client rounded them. */
        ROUNDED("has [bits] that are not those of [hash]"),
        NO_TEXT("is of a text without words"),
        SEVERAL("is one of several, or not one object in [_source]"),
        UNREADABLE("cannot be made again: its text is not in [_source], or no pipeline has its recipe"),
        NOT_OF_TEXT("is not made of text"),
        NONE("is missing");

        private final String reason;

        State(String reason) {
            this.reason = reason;
        }

        public String reason() {
            return reason;
        }
    }

    public boolean isFresh() {
        return state == State.FRESH || state == State.SHORT_TEXT;
    }

    /**
     * Of a document whose print is that of its text.
     *
     * @param features of the text; what is stored may have been edited
     */
    private static Freshness fresh(
            int features, Map<String, Object> document, Fingerprinter maker, LongConsumer memory) {
        int least = maker.recipe().minFeatures();
        boolean isLong = features >= MOST_FEATURES_OF_A_WORD * least
                || (features >= least
                        && DocumentTexts.readable(maker.recipe(), document)
                                .filter(texts -> maker.countWords(texts, memory) >= least)
                                .isPresent());
        return new Freshness(isLong ? State.FRESH : State.SHORT_TEXT, maker);
    }

    /**
     * @param path of the object that the processor writes
     * @param document as parsed from JSON, with the object and {@link PreparingRecipes#textFields}
     */
    public static Freshness of(
            SketchKind kind, String path, Map<String, Object> document, PreparingRecipes recipes, LongConsumer memory) {
        List<Object> objects = DocumentValues.objectsAt(path, document);
        if (objects.isEmpty()) {
            return new Freshness(State.NONE, null);
        }
        if (objects.size() > 1 || objects.getFirst() instanceof Map<?, ?> == false) {
            return new Freshness(State.SEVERAL, null);
        }
        Map<?, ?> parts = (Map<?, ?>) objects.getFirst();
        Fingerprinter maker = parts instanceof FingerprintProcessor.Made made ? made.maker(kind, document) : null;
        return maker == null
                ? new Stored(kind, parts).freshness(document, recipes, memory)
                : fresh(
                        parts.get(kind == SketchKind.MINHASH ? FingerprintFields.SIZE : FingerprintFields.FEATURES)
                                        instanceof Integer counted
                                ? counted
                                : maker.recipe().minFeatures(),
                        document,
                        maker,
                        memory);
    }

    /**
     * That of a document with the texts and the print of one that is fresh, without making anything; null if it must be looked
     * at by itself.
     *
     * @param fresh of the other document
     * @param other with the same path
     */
    public static Freshness ofCopy(
            SketchKind kind,
            String path,
            Map<String, Object> document,
            PreparingRecipes recipes,
            Freshness fresh,
            Map<String, Object> other) {
        List<Object> objects = DocumentValues.objectsAt(path, document);
        List<Object> others = DocumentValues.objectsAt(path, other);
        boolean isCopy = fresh.isFresh()
                && objects.size() == 1
                && others.size() == 1
                && objects.getFirst() instanceof Map<?, ?> parts
                && others.getFirst() instanceof Map<?, ?> otherParts
                && new Stored(kind, parts).isCopyOf(otherParts)
                && recipes.isOwn(fresh.maker())
                && DocumentTexts.readable(fresh.maker().recipe(), document)
                        .equals(DocumentTexts.readable(fresh.maker().recipe(), other));
        return isCopy ? fresh : null;
    }

    public static boolean isGiven(String scheme) {
        return scheme != null && scheme.startsWith(GivenHash.PREFIX);
    }

    public static boolean isNotOfText(String scheme) {
        return scheme != null && (isGiven(scheme) || PerceptualHash.isScheme(scheme));
    }

    private record Stored(SketchKind kind, Map<?, ?> parts) {

        private static final List<String> PARTS = List.of(
                FingerprintFields.HASH,
                FingerprintFields.BITS,
                FingerprintFields.DIGEST,
                FingerprintFields.SCHEME,
                FingerprintFields.SKETCH);

        Freshness freshness(Map<String, Object> document, PreparingRecipes recipes, LongConsumer memory) {
            if (PARTS.stream().anyMatch(part -> parts.get(part) instanceof List)) {
                return new Freshness(State.SEVERAL, null);
            }
            if (isRounded()) {
                return new Freshness(State.ROUNDED, null);
            }
            String scheme = Objects.toString(parts.get(FingerprintFields.SCHEME), null);
            if (isNotOfText(scheme)) {
                return new Freshness(State.NOT_OF_TEXT, null);
            }
            State state = State.UNREADABLE;
            for (List<Fingerprinter> makers : recipes.makersByNearness(scheme)) {
                for (Fingerprinter maker : makers) {
                    Freshness byMaker = compared(document, maker, memory);
                    if (byMaker.isFresh()) {
                        return byMaker;
                    }
                    state = state == State.UNREADABLE || byMaker.state == State.STALE ? byMaker.state : state;
                }
                if (state != State.UNREADABLE) {
                    break;
                }
            }
            return new Freshness(state, null);
        }

        private boolean isCopyOf(Map<?, ?> other) {
            boolean isBitsAlone =
                    parts.get(FingerprintFields.HASH) == null && parts.get(FingerprintFields.BITS) != null;
            return isRounded() == false
                    && isBitsAlone == false
                    && PARTS.stream()
                            .filter(part -> part.equals(FingerprintFields.BITS) == false)
                            .allMatch(part -> Objects.equals(parts.get(part), other.get(part)));
        }

        private boolean isRounded() {
            Object hash = parts.get(FingerprintFields.HASH);
            boolean isMalformed = hash != null
                    && StoredFingerprint.isHash(hash) == false
                    && parts.get(FingerprintFields.BITS) != null;
            return kind == SketchKind.SIMHASH && (isMalformed || StoredFingerprint.isRounded(parts));
        }

        private Freshness compared(Map<String, Object> document, Fingerprinter maker, LongConsumer memory) {
            State state = State.UNREADABLE;
            int features = 0;
            Optional<SourceTexts> texts = DocumentTexts.readable(maker.recipe(), document);
            try {
                if (texts.isPresent() && kind == SketchKind.MINHASH) {
                    SketchedText made = maker.sketch(texts.get(), memory);
                    String sketch = made.sketch().map(Sketch::toBase64).orElse(null);
                    features = made.size();
                    state = state(features, made.digest(), isNullOr(sketch, FingerprintFields.SKETCH));
                } else if (texts.isPresent()) {
                    Fingerprint made = maker.fingerprint(texts.get(), memory);
                    features = made.features();
                    state = state(features, made.digest(), areBitsOf(made));
                }
            } catch (UnreadableTextException e) {
                state = State.UNREADABLE;
            }
            return state == State.FRESH ? fresh(features, document, maker, memory) : new Freshness(state, null);
        }

        private boolean areBitsOf(Fingerprint made) {
            Object bits = parts.get(FingerprintFields.BITS);
            return made.bits().isPresent()
                    ? isNullOr(Fingerprint.toHex(made.bits().getAsLong()), FingerprintFields.HASH)
                            && (bits == null
                                    || StoredFingerprint.areBitsOf(
                                            bits, made.bits().getAsLong()))
                    : bits == null && parts.get(FingerprintFields.HASH) == null;
        }

        private State state(int features, String digest, boolean isRestEqual) {
            if (features == 0) {
                return State.NO_TEXT;
            }
            return isRestEqual && digest.equals(parts.get(FingerprintFields.DIGEST)) ? State.FRESH : State.STALE;
        }

        /** A print without it is compared by its digest only: the text was too short for a recipe of this scheme. */
        private boolean isNullOr(String value, String part) {
            Object stored = parts.get(part);
            return stored == null || stored.equals(value);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.Fingerprinter;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.text.SourceTexts;
import org.opensearch.simhash.search.ingest.DocumentValues.TargetFields;
import org.opensearch.simhash.search.options.ProcessorOptions;

/**
 * An ingest processor that writes a fingerprint or a sketch into a document, replacing any other: of its texts, of an
 * image, or a given one. Of an earlier version's object, what others wrote beside an equal fingerprint stays. Thread-safe;
 * works on the calling thread, but for images.
 */
public abstract class FingerprintProcessor extends AbstractProcessor {

    /**
     * The target of a fingerprint, and its counts.
     *
     * @param ignoreMissing whether documents without a source pass
     * @param areBitsNumbers whether {@code bits} is written as a number, not as its decimal digits
     */
    record Target(String field, boolean ignoreMissing, boolean areBitsNumbers, FingerprintCounts counts) {

        private static final String TARGET_FIELD = "target_field";
        private static final String IGNORE_MISSING = "ignore_missing";

        static final Set<String> OPTIONS = Set.of(TARGET_FIELD, IGNORE_MISSING);

        /** The options of those that write fingerprints of 64 bits. */
        static final Set<String> WITH_BITS = Set.of(TARGET_FIELD, IGNORE_MISSING, FingerprintFields.BITS);

        static Target read(ProcessorOptions options, FingerprintCounts counts) {
            return read(options, FingerprintFields.DEFAULT_OBJECT, counts);
        }

        static Target read(ProcessorOptions options, String byDefault, FingerprintCounts counts) {
            return new Target(
                    options.writableFieldOrElement(TARGET_FIELD, byDefault),
                    options.flag(IGNORE_MISSING, false),
                    options.has(FingerprintFields.BITS) == false || options.flag(FingerprintFields.BITS, true),
                    counts);
        }

        /** Requires source and target to be separate fields: writing over the source would lose it, and a text cannot contain the target. */
        void requireApart(String path) {
            if (ProcessorOptions.isWithin(path, field) || ProcessorOptions.isWithin(field, path)) {
                throw new IllegalArgumentException("[target_field] must be apart from the fields that are read, got: "
                        + field + " beside " + path);
            }
        }
    }

    /** What a processor of this run made: a client's document has no such object. */
    static final class Made extends LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1;

        private final transient FingerprintProcessor maker;
        private final transient SourceTexts texts;
        /** The {@link #parts} when it was written; null before. */
        private transient List<Object> written;

        /** @param texts that it is made of; null if it is not made of text */
        Made(FingerprintProcessor maker, SourceTexts texts) {
            this.maker = maker;
            this.texts = texts;
        }

        /** Names and values. Another map of them would take two hundredths of a fingerprint's time. */
        private List<Object> parts() {
            List<Object> parts = new ArrayList<>(2 * size());
            parts.addAll(keySet());
            parts.addAll(values());
            return parts;
        }

        /**
         * The recipe, if the object is as it was written, of texts that have words and that the document still has. Much cheaper than
         * to make it anew. Null if nobody knows.
         */
        Fingerprinter maker(SketchKind kind, Map<String, Object> document) {
            boolean isAsMade = maker instanceof TextProcessor of
                    && of.getType().equals(kind.toString())
                    && FingerprintFields.areOfNoWords(this) == false
                    && parts().equals(written)
                    && DocumentTexts.readable(of.fingerprinter().recipe(), document)
                            .filter(texts::equals)
                            .isPresent();
            return isAsMade ? ((TextProcessor) maker).fingerprinter() : null;
        }

        private boolean isTooShort() {
            return (containsKey(FingerprintFields.HASH)
                            || containsKey(FingerprintFields.SKETCH)
                            || containsKey(FingerprintFields.TERMS))
                    == false;
        }
    }

    private final Target target;
    /** In a document's metadata: {@link #keep}. */
    private final String came;

    private final boolean readsIngestMetadata;
    private volatile String without;

    /** @param paths of the fields that are read */
    FingerprintProcessor(String tag, String description, Target target, List<String> paths) {
        super(tag, description);
        this.target = target;
        this.came = "_simhash_came." + target.field();
        this.readsIngestMetadata = paths.stream().anyMatch(path -> path.startsWith(IngestDocument.INGEST_KEY + "."));
    }

    public final String targetField() {
        return target.field();
    }

    /** The scheme of its fingerprints; only fingerprints of one scheme are comparable. */
    public abstract String scheme();

    /** What becomes the fingerprint; empty if the document has no source. */
    abstract Optional<Made> fingerprint(Map<String, Object> document);

    /** A fingerprint that is not made of text. */
    final Made made(Map<String, Object> fields) {
        Made made = new Made(this, null);
        made.putAll(fields);
        return made;
    }

    /** The fields of a document's fingerprint, made on this thread; errors as of the processor. Empty if it has no source. */
    public final Optional<Map<String, Object>> fields(Map<String, Object> document) {
        return typed(document).map(Function.identity());
    }

    /** A field of the type {@code long} takes digits, too, and no client rounds them. */
    private Optional<Made> typed(Map<String, Object> document) {
        Optional<Made> typed = fingerprint(document);
        if (target.areBitsNumbers() == false) {
            typed.ifPresent(made -> made.computeIfPresent(FingerprintFields.BITS, (name, bits) -> bits.toString()));
        }
        return typed;
    }

    /** The warning if no document of a request has a source. */
    private String without() {
        if (without == null) {
            without = "[" + getType() + "] got %s and wrote no [" + target.field() + "]: " + missing();
        }
        return without;
    }

    void written(IngestDocument document) {}

    /** The error for a document without a source: "document has no …". */
    abstract String missing();

    /** Whatever happens, a document never keeps a fingerprint that it came with: it may be that of another text. */
    @Override
    public final IngestDocument execute(IngestDocument document) {
        long start = System.nanoTime();
        boolean isWritten = false;
        try {
            Optional<Made> typed = typed(readable(document));
            target.counts().read(without(), typed.isPresent());
            if (typed.isPresent()) {
                requireElement(document);
                Made made = typed.get();
                keep(document, made);
                made.written = made.parts();
                target.counts().made(this, () -> place(document), made);
                TargetFields.replace(document, target.field(), made);
                written(document);
                isWritten = true;
                target.counts().made(made.isTooShort(), made.isTooShort() && FingerprintFields.areOfNoWords(made));
            } else if (target.ignoreMissing()) {
                target.counts().withoutText();
            } else {
                throw new IllegalArgumentException(missing() + "; [ignore_missing] lets such documents pass");
            }
        } catch (RuntimeException e) {
            target.counts().failed();
            throw e;
        } finally {
            if (isWritten == false) {
                removeCarried(document);
            }
            target.counts().times().record(System.nanoTime() - start);
        }
        return document;
    }

    /** A document that could not even be tried: it is counted, and loses the fingerprint that it came with. */
    final void refused(IngestDocument document) {
        target.counts().failed();
        removeCarried(document);
    }

    /** Another processor of the document's pipelines may have made it, of another field. */
    private void removeCarried(IngestDocument document) {
        Object carried =
                document.hasField(target.field()) ? document.getFieldValue(target.field(), Object.class) : null;
        boolean isMade = carried instanceof Made
                || (carried instanceof Map<?, ?> fields
                        && target.counts().isMadeByAnother(this, () -> place(document), fields));
        if (isMade == false) {
            keep(document, new HashMap<>());
            TargetFields.remove(document, target.field());
        }
    }

    /**
     * Keeps what others wrote beside an equal print. The print that the document came with may be that of a later processor with
     * this target, so it waits in the metadata, but for elements of a {@code foreach}, which share these.
     */
    private void keep(IngestDocument document, Map<String, Object> made) {
        List<Object> before = TargetFields.objects(document, target.field());
        Map<String, Object> waiting = element(document) == null ? document.getIngestMetadata() : new HashMap<>();
        if (before.isEmpty() == false && StoredFingerprint.keep(before, made)) {
            waiting.putIfAbsent(came, before);
        }
        if (waiting.get(came) instanceof List<?> earlier && StoredFingerprint.keep(earlier, made) == false) {
            waiting.remove(came);
        }
    }

    /** Where a fingerprint stands, in all pipelines of a document. */
    private List<String> place(IngestDocument document) {
        Map<String, Object> fields = document.getSourceAndMetadata();
        return List.of(
                target.field(),
                String.valueOf(fields.get(IngestDocument.Metadata.INDEX.getFieldName())),
                String.valueOf(fields.get(IngestDocument.Metadata.ID.getFieldName())));
    }

    /** The element that a {@code foreach} is at, or null. */
    private static Object element(IngestDocument document) {
        return document.getIngestMetadata().get(ProcessorOptions.ELEMENT_KEY);
    }

    /** Values written below {@code _ingest} are lost, except in the element of a {@code foreach}. */
    private void requireElement(IngestDocument document) {
        if (ProcessorOptions.isWithin(target.field(), ProcessorOptions.ELEMENT) && element(document) == null) {
            throw new IllegalArgumentException(
                    "[target_field] must name a field of the document outside of a [foreach], got: " + target.field());
        }
    }

    /** In a {@code foreach}, the element is below {@code _ingest}. */
    final Map<String, Object> readable(IngestDocument document) {
        if (readsIngestMetadata == false) {
            return document.getSourceAndMetadata();
        }
        Map<String, Object> all = new HashMap<>(document.getSourceAndMetadata());
        all.put(IngestDocument.INGEST_KEY, document.getIngestMetadata());
        return all;
    }
}

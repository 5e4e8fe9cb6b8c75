/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.image.ImageHash;
import org.opensearch.simhash.core.image.PerceptualHash;
import org.opensearch.simhash.search.ingest.FingerprintCounts.BulkTally;
import org.opensearch.simhash.search.options.ProcessorOptions;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.FixedExecutorBuilder;

/**
 * The ingest processor {@code image_hash}: writes the perceptual hash of a Base64 image. An image that says too
 * little gets only a scheme. Thread-safe.
 *
 * <p>Images are decoded on threads of their own, so that they hold up no other writes. What follows in the pipeline runs there, too. If the
 * queue is full, or the bulk or its client takes too much, the document fails, as in a full queue of the pool {@code write}.
 */
public final class ImageHashProcessor extends FingerprintProcessor {

    /** The most time of a processor that one image may take. */
    public static final Setting<TimeValue> MAX_TIME = Setting.timeSetting(
            ImageHash.MAX_TIME,
            TimeValue.timeValueMillis(1500),
            TimeValue.timeValueMillis(10),
            TimeValue.timeValueMinutes(1),
            Property.NodeScope,
            Property.Dynamic);

    /** The most time of a processor that the images of a bulk, or those of a client that wait, may take. */
    public static final Setting<TimeValue> MAX_BULK_TIME = Setting.timeSetting(
            "plugins.simhash.image_hash.max_bulk_time",
            TimeValue.timeValueSeconds(10),
            TimeValue.ZERO,
            TimeValue.timeValueMinutes(10),
            Property.NodeScope,
            Property.Dynamic);

    public static final String TYPE = "image_hash";
    public static final String THREADS = "simhash_image";

    /** As many as for the pool {@code write}, since all documents of a bulk come at once. */
    private static final int QUEUE = 10_000;

    private static final String FIELD = "field";
    private static final String ALGORITHM = "algorithm";
    private static final String MAX_BYTES = "max_bytes";
    private static final String MAX_PIXELS = "max_pixels";

    private static final Set<String> OPTIONS = Stream.of(
                    Target.WITH_BITS, Set.of(FIELD, ALGORITHM, GivenHash.HASH_BITS, MAX_BYTES, MAX_PIXELS, "segments"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    private final String path;
    private final ImageHash hash;
    private final SegmentLayout segments;
    private final Decoders decoders;
    private final DecodingTurns turns;

    private ImageHashProcessor(
            String tag,
            String description,
            Target target,
            String path,
            ImageHash hash,
            SegmentLayout segments,
            Decoders decoders,
            DecodingTurns turns) {
        super(tag, description, target, List.of(path));
        this.path = path;
        this.hash = hash;
        this.segments = segments;
        this.decoders = decoders;
        this.turns = turns;
    }

    public static ExecutorBuilder<?> threads(Settings settings) {
        int processors = OpenSearchExecutors.allocatedProcessors(settings);
        return new FixedExecutorBuilder(settings, THREADS, processors, QUEUE, "thread_pool." + THREADS);
    }

    /**
     * What all such processors of a node share.
     *
     * @param client who sends it; null if nobody knows
     * @param pulls whether an index is filled by threads of its own, which do not wait for others
     * @param memory accounts for the bytes of decoding
     */
    public record Decoders(
            Executor threads,
            Supplier<ThreadContext> context,
            Function<ThreadContext, String> client,
            Predicate<String> pulls,
            Function<Setting<TimeValue>, TimeValue> settings,
            LongConsumer memory) {

        /** Who sends an image: a client, or a bulk of one that nobody knows. */
        private Object sender() {
            ThreadContext current = context.get();
            return Stream.of(client.apply(current), current.getHeader(Task.X_OPAQUE_ID), BulkTally.of(current))
                    .<Object>map(Function.identity())
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseGet(Object::new);
        }
    }

    @Override
    public String getType() {
        return TYPE;
    }

    @Override
    public String scheme() {
        return hash.scheme();
    }

    @Override
    public void execute(IngestDocument document, BiConsumer<IngestDocument, Exception> handler) {
        String index = String.valueOf(document.getSourceAndMetadata().get("_index"));
        Object value = decoders.pulls().test(index) ? null : DocumentValues.asItStands(path, readable(document));
        if (value instanceof String base64) {
            BulkTally tally = BulkTally.of(decoders.context().get());
            Runnable work = decoders.context().get().preserveContext(() -> {
                try {
                    super.execute(document, handler);
                } catch (RuntimeException e) {
                    if (tally == null) {
                        throw e;
                    }
                    // A second call of the handler would break the node's statistics.
                    tally.fail(TYPE, e);
                }
            });
            try {
                turns.add(decoders.sender(), hash.nanoseconds(base64), work);
            } catch (OpenSearchRejectedExecutionException e) {
                refused(document);
                handler.accept(null, e);
            }
        } else {
            super.execute(document, handler);
        }
    }

    @Override
    Optional<Made> fingerprint(Map<String, Object> document) {
        Object value = DocumentValues.asItStands(path, document);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof String base64) {
            BulkTally tally = BulkTally.of(decoders.context().get());
            if (tally == null) {
                return Optional.of(made(fields(base64, "field [" + path + "]")));
            }
            turns.requireBudget(tally.decoding().get());
            long start = ImageHash.processorTime();
            try {
                return Optional.of(made(fields(base64, "field [" + path + "]")));
            } finally {
                tally.decoding().addAndGet(ImageHash.processorTime() - start);
            }
        }
        throw new IllegalArgumentException("field [" + path + "] must be an image in Base64, got: "
                + (value instanceof List ? "an array" : value instanceof Map ? "an object" : value.toString()));
    }

    /** The fingerprint of an image, decoded on this thread; only the scheme and the quality of one that has no hash. */
    public Map<String, Object> fields(String base64, String what) {
        try {
            ImageHash.Hashed hashed = hash.of(base64, decoders.settings().apply(MAX_TIME), decoders.memory());
            Map<String, Object> fields = hashed.words() == null
                    ? new LinkedHashMap<>(Map.of(FingerprintFields.SCHEME, scheme()))
                    : GivenHash.fields(hashed.words(), scheme(), segments);
            fields.put(FingerprintFields.QUALITY, hashed.quality());
            return fields;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(what + " " + e.getMessage(), e);
        }
    }

    @Override
    String missing() {
        return "document has no field [" + path + "] of the processor [image_hash]";
    }

    public record Factory(Decoders decoders, DecodingTurns turns, FingerprintCounts counts)
            implements Processor.Factory {

        public Factory(Decoders decoders, FingerprintCounts counts) {
            this(
                    decoders,
                    new DecodingTurns(
                            decoders.threads(), () -> decoders.settings().apply(MAX_BULK_TIME)),
                    counts);
        }

        @Override
        public ImageHashProcessor create(
                Map<String, Processor.Factory> registry, String tag, String description, Map<String, Object> options) {
            return ProcessorOptions.read(TYPE, tag, options, OPTIONS, typed -> {
                Target target = Target.read(typed, counts);
                String path = typed.field(FIELD, null);
                if (path == null) {
                    throw new IllegalArgumentException("[field] is required, got: none");
                }
                target.requireApart(path);
                PerceptualHash algorithm = typed.choice(ALGORITHM, PerceptualHash.class, PerceptualHash.PHASH);
                int length = GivenHash.length(typed, PerceptualHash.usualLength(algorithm));
                ImageHash hash = new ImageHash(
                        algorithm,
                        length,
                        typed.wholeNumber(MAX_BYTES, ImageHash.DEFAULT_BYTES),
                        typed.wholeNumber(MAX_PIXELS, ImageHash.DEFAULT_PIXELS));
                SegmentLayout segments = GivenHash.segments(typed, length);
                return new ImageHashProcessor(tag, description, target, path, hash, segments, decoders, turns);
            });
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.jobs.scan;

import java.util.Arrays;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.search.ingest.Freshness;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.query.HitTexts;

/** Reads the texts of documents in slices ({@link ReadSlices}) and prepares them ({@link HitTexts}). Not thread-safe. */
public final class StoredTexts {

    /** A text beside its fingerprint. */
    public record Judged(Freshness freshness, PreparedText text) {}

    private final PointInTime pointInTime;
    private final String textField;
    private final String fingerprint;
    private final LongConsumer memory;
    private final ReadSlices slices;
    private final HitTexts ofHits;

    /** @param fingerprint the fingerprint object; its scheme selects the recipe */
    public StoredTexts(
            PointInTime pointInTime,
            PipelineRecipes recipes,
            String textField,
            String fingerprint,
            boolean withPassages,
            LongConsumer memory,
            Retries retries) {
        this.pointInTime = pointInTime;
        this.textField = textField;
        this.fingerprint = fingerprint;
        this.memory = memory;
        this.slices = new ReadSlices(memory, retries);
        this.ofHits = new HitTexts(recipes, textField, fingerprint, withPassages, memory);
    }

    public HitTexts ofHits() {
        return ofHits;
    }

    /**
     * Reads as many of the documents, from the first one on, as fit into a slice.
     *
     * @param texts gets each text with the document's address, and accounts for what it keeps
     * @throws OpenSearchStatusException if a document does not fit even alone, so that its similarity is unknown
     */
    public int read(long[] addresses, BiConsumer<Long, PreparedText> texts) {
        return readSources(
                addresses,
                ofHits.fields(indices(addresses), false),
                (address, hit) -> ofHits.prepare(hit, null, text -> texts.accept(address, text)));
    }

    /** The same, and whether each fingerprint is that of its text. */
    public int readJudged(SketchKind kind, long[] addresses, BiConsumer<Long, Judged> texts) {
        return readSources(addresses, ofHits.fields(indices(addresses), true), (address, hit) -> {
            Freshness freshness = freshness(kind, hit);
            ofHits.prepare(hit, freshness.maker(), text -> texts.accept(address, new Judged(freshness, text)));
        });
    }

    private int readSources(long[] addresses, Set<String> fields, BiConsumer<Long, SearchHit> hits) {
        SourceScan sources = new SourceScan(pointInTime, fields, textField);
        try (ReadSlices.Slice slice = slices.next()) {
            slice.read(sources::read, addresses, hits, StoredTexts::refuse);
            return slice.size();
        }
    }

    /** Whether the fingerprint of a document is that of its text. */
    public Freshness freshness(SketchKind kind, SearchHit hit) {
        return hit.hasSource()
                ? Freshness.of(kind, fingerprint, hit.getSourceAsMap(), ofHits.preparing(hit.getIndex()), memory)
                : new Freshness(Freshness.State.UNREADABLE, null);
    }

    /** Reads hits with the fingerprint and all that it may be made of, as many as fit. */
    public int readWhole(
            long[] addresses, BiConsumer<Long, SearchHit> hits, BiConsumer<SearchHit, RuntimeException> refused) {
        Set<String> indices = indices(addresses);
        try (ReadSlices.Slice slice = slices.next()) {
            slice.read(pointInTime, addresses, () -> ofHits.source(indices, true), hits, refused);
            return slice.size();
        }
    }

    private Set<String> indices(long[] addresses) {
        return Arrays.stream(addresses)
                .mapToObj(address -> pointInTime.shard(address).getIndexName())
                .collect(Collectors.toSet());
    }

    public void readAll(long[] addresses, BiConsumer<Long, PreparedText> texts) {
        for (int from = 0; from < addresses.length; ) {
            from += read(Arrays.copyOfRange(addresses, from, addresses.length), texts);
        }
    }

    private static void refuse(SearchHit hit, RuntimeException rejection) {
        throw new OpenSearchStatusException(
                "[" + hit.getIndex() + "] [" + hit.getId() + "]: " + ReadSlices.noRoom(rejection),
                RestStatus.TOO_MANY_REQUESTS,
                rejection);
    }
}

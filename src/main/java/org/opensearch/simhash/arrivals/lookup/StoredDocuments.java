/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.lookup;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.arrivals.arrival.Original.Version;
import org.opensearch.simhash.arrivals.durable.DurabilityAction;
import org.opensearch.simhash.arrivals.durable.StoredVersion;
import org.opensearch.simhash.arrivals.durable.StoredVersion.Durability;
import org.opensearch.simhash.arrivals.scope.DocumentName;
import org.opensearch.simhash.arrivals.scope.LookupScopes;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.search.ingest.Freshness;

/**
 * Reads documents by real-time gets, refreshed or not, and asks whether they are durable. Keeps the answers in the
 * memory account until they are forgotten. One thread at a time.
 */
public final class StoredDocuments {

    /** Documents in one get. The size of an answer is unknown until it arrives. */
    static final int AT_ONCE = 256;

    /** A source is kept as received, and parsed. */
    static final int COPIES = 2;

    /** Other memory of a document, roughly. */
    static final int BYTES_PER_DOCUMENT = 512;

    private record Stored(GetResponse response, long bytes) {}

    /** A document's entries in the window at the time of the get. Kept here, because an entry may leave before its bulk is answered. */
    public record Asked(Set<Long> settled, Set<Long> open) {

        static final Asked NOTHING = new Asked(Set.of(), Set.of());

        /** With entries that were open at an earlier get, and may have left the window without an answer. */
        private Asked with(Set<Long> openBefore) {
            Set<Long> all = new HashSet<>(openBefore);
            all.removeAll(settled);
            all.addAll(open);
            return new Asked(settled, all);
        }
    }

    private final Account memory;
    private final Map<DocumentName, DocumentName> wanted = new LinkedHashMap<>();
    private final Map<DocumentName, Asked> asked = new HashMap<>();

    private final Map<DocumentName, Stored> stored = new HashMap<>();
    /** Documents that changed after a get, with the entries that were open then. */
    private final Map<DocumentName, Set<Long>> changed = new HashMap<>();

    private final Set<DocumentName> missing = new HashSet<>();
    private final Map<DocumentName, Durability> durable = new HashMap<>();
    private final Map<DocumentName, Freshness> looked = new HashMap<>();

    /** @param memory takes bytes, or refuses them */
    public StoredDocuments(LongConsumer memory) {
        this.memory = new Account(memory);
    }

    public boolean wantsNothing() {
        return wanted.isEmpty();
    }

    /** Adds a document to the next get, unless it was asked for. */
    public void want(DocumentName name, Asked known) {
        DocumentName key = name.unrouted();
        if (asked.containsKey(key) == false) {
            asked.put(key, known.with(changed.getOrDefault(key, Set.of())));
            wanted.put(key, name);
        }
    }

    public boolean isAsked(DocumentName name) {
        return asked.containsKey(name.unrouted());
    }

    /** Whether an entry was settled before the get: the get's version is at least as new. */
    public boolean isSettled(DocumentName name, long number) {
        return asked(name).settled().contains(number);
    }

    /** Entries whose writes may have been under way at the get: the get's version may be older. */
    public Set<Long> open(DocumentName name) {
        return asked(name).open();
    }

    private Asked asked(DocumentName name) {
        return asked.getOrDefault(name.unrouted(), Asked.NOTHING);
    }

    public void forget(DocumentName name) {
        DocumentName key = name.unrouted();
        asked.remove(key);
        missing.remove(key);
        durable.remove(key);
        giveBack(key);
    }

    /** The document changed after the get. Writes that were open then still may come. */
    public void forgetChanged(DocumentName name) {
        changed.put(name.unrouted(), open(name));
        forget(name);
    }

    /** Whether a document changed. Another index of the same name may reuse a hit's sequence number. */
    public boolean hasChanged(DocumentName name) {
        return changed.containsKey(name.unrouted());
    }

    public void keepOnly(Stream<DocumentName> names) {
        Set<DocumentName> kept = names.map(DocumentName::unrouted).collect(Collectors.toSet());
        List.copyOf(asked.keySet()).stream()
                .filter(name -> kept.contains(name) == false)
                .forEach(this::forget);
    }

    private void giveBack(DocumentName key) {
        looked.remove(key);
        Stored before = stored.remove(key);
        if (before != null) {
            memory.give(before.bytes());
        }
    }

    public void close() {
        stored.clear();
        looked.clear();
        missing.clear();
        memory.close();
    }

    /**
     * Gets the wanted documents. One that cannot be read counts as not stored: nothing is dropped for it.
     *
     * @param listener also gets failures: {@link CircuitBreakingException} without memory
     */
    public void fetch(NodeLookups lookups, String[] fields, ActionListener<Void> listener) {
        if (wanted.isEmpty()) {
            listener.onResponse(null);
            return;
        }
        MultiGetRequest request = new MultiGetRequest().realtime(true).refresh(false);
        FetchSourceContext source = new FetchSourceContext(true, fields, new String[0]);
        List<DocumentName> order = wanted.keySet().stream().limit(AT_ONCE).toList();
        for (DocumentName key : order) {
            request.add(new MultiGetRequest.Item(key.index(), key.id())
                    .routing(wanted.remove(key).routing())
                    .fetchSourceContext(source));
        }
        ActionListener<MultiGetResponse> part = ActionListener.wrap(
                response -> {
                    note(order, response, request.realtime());
                    fetch(lookups, fields, listener);
                },
                e -> {
                    wanted.clear(); // Each further part may take as long.
                    listener.onFailure(e);
                });
        lookups.send(part, timed -> lookups.client().multiGet(request, timed));
    }

    /**
     * @param isRealtime whether the get was sent as real-time. A security plugin changes that for restricted users.
     *     Then an unrefreshed document seems missing
     */
    private void note(List<DocumentName> order, MultiGetResponse response, boolean isRealtime) {
        MultiGetItemResponse[] items = response.getResponses();
        for (int i = 0; i < items.length; i++) {
            DocumentName key = order.get(i);
            if (items[i].isFailed() == false) {
                note(key, items[i].getResponse(), isRealtime);
            } else if (ExceptionsHelper.unwrapCause(items[i].getFailure().getFailure())
                    instanceof IndexNotFoundException) {
                missing.add(key);
            }
        }
    }

    private void note(DocumentName key, GetResponse document, boolean isRealtime) {
        if (document.isExists() == false) {
            if (isRealtime) {
                missing.add(key);
            }
            return;
        }
        long length =
                document.isSourceEmpty() ? 0 : document.getSourceAsBytesRef().length();
        long bytes = BYTES_PER_DOCUMENT + COPIES * length;
        memory.take(bytes);
        stored.put(key, new Stored(document, bytes));
    }

    private GetResponse response(DocumentName name) {
        Stored document = stored.get(name.unrouted());
        return document == null ? null : document.response();
    }

    public boolean isMissing(DocumentName name) {
        return missing.contains(name.unrouted());
    }

    /** The stored version; null if not read. */
    public Version version(DocumentName name) {
        GetResponse response = response(name);
        return response == null ? null : new Version(response.getSeqNo(), response.getPrimaryTerm());
    }

    /** Requested fields of the stored source; null without a document or source. */
    public Map<String, Object> source(DocumentName name) {
        GetResponse response = response(name);
        return response == null || response.isSourceEmpty() ? null : response.getSourceAsMap();
    }

    /**
     * Whether the fingerprint of a document that was read is that of its text. Each is looked at once, however many
     * arriving documents are near it.
     */
    public Freshness freshness(DocumentName name, Function<Map<String, Object>, Freshness> look) {
        return looked.computeIfAbsent(name.unrouted(), any -> look.apply(source(name)));
    }

    /**
     * Asks whether the versions read are current and durable, and whether no version is stored of the others.
     *
     * @param scopes older than the gets: a recreated index is another one
     * @param listener gets no failure; without an answer the durability is unknown
     */
    public void askWhetherDurable(
            NodeLookups lookups, LookupScopes scopes, List<DocumentName> names, ActionListener<Void> listener) {
        // An original that a document no longer ends for is not asked about again.
        durable.values().removeAll(EnumSet.of(Durability.DURABLE, Durability.CHANGED));
        List<DocumentName> keys = new ArrayList<>();
        List<StoredVersion> versions = new ArrayList<>();
        for (DocumentName name : names) {
            Version got = version(name);
            StoredVersion version =
                    got == null ? scopes.none(name) : scopes.version(name, got.seqNo(), got.primaryTerm());
            durable.put(name.unrouted(), version == null ? Durability.CHANGED : Durability.UNKNOWN);
            if (version != null) {
                keys.add(name.unrouted());
                versions.add(version);
            }
        }
        if (versions.isEmpty()) {
            listener.onResponse(null);
            return;
        }
        ActionListener<DurabilityAction.Response> noting = ActionListener.wrap(
                response -> {
                    for (int i = 0; i < keys.size(); i++) {
                        durable.put(keys.get(i), response.answers().get(i));
                    }
                    listener.onResponse(null);
                },
                e -> listener.onResponse(null));
        lookups.send(
                noting,
                timed -> lookups.client()
                        .execute(DurabilityAction.INSTANCE, new DurabilityAction.Request(versions), timed));
    }

    /** The last answer of {@link #askWhetherDurable}; null if there is none, or it is no longer a proof. */
    public Durability durability(DocumentName name) {
        return durable.get(name.unrouted());
    }

    /** Documents with another stored version, or with none instead of one. */
    public List<DocumentName> changed() {
        return durable.entrySet().stream()
                .filter(entry -> entry.getValue() == Durability.CHANGED)
                .map(Map.Entry::getKey)
                .toList();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate.lookup;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.memory.Account;
import org.opensearch.simhash.nearduplicate.arrival.Arrival;
import org.opensearch.simhash.nearduplicate.arrival.ArrivedFingerprint;
import org.opensearch.simhash.nearduplicate.arrival.Original;
import org.opensearch.simhash.nearduplicate.arrival.Original.Version;
import org.opensearch.simhash.nearduplicate.scope.DocumentName;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * What is really stored of documents that may be originals, refreshed or not: by real-time multi-gets of the fingerprint and
 * what verification needs, some documents at a time. The answers are on the account of the memory until they are forgotten. One
 * thread at a time.
 */
public final class StoredOriginals {

    /** Documents got at once: what an answer takes is known only when it is there. */
    static final int AT_ONCE = 256;

    /** Copies of a source: as it came, and parsed. */
    static final int COPIES = 2;

    /** What else is kept of a document, roughly. */
    static final int BYTES_PER_DOCUMENT = 512;

    private record Key(String index, String id) {}

    private record Wanted(DocumentName name, boolean withText) {}

    private record Stored(GetResponse response, long bytes) {}

    private final Account memory;
    private final Map<Key, Wanted> wanted = new LinkedHashMap<>();
    /** With their texts, or not. */
    private final Map<Key, Boolean> asked = new HashMap<>();

    private final Map<Key, Stored> stored = new HashMap<>();
    private final Set<Key> missing = new HashSet<>();
    /** Numbers of the window's whose bulk had been answered before they were asked for. */
    private final Set<Long> answered = new HashSet<>();

    /** @param memory is told the bytes that are kept, and may refuse them */
    public StoredOriginals(LongConsumer memory) {
        this.memory = new Account(memory);
    }

    public boolean wantsNothing() {
        return wanted.isEmpty();
    }

    /**
     * Will be got, unless it was asked for before.
     *
     * @param withText whether its text is needed, too
     */
    public void want(DocumentName name, boolean withText) {
        Key key = key(name);
        Boolean before = asked.get(key);
        if (before == null || (withText && before == false)) {
            wanted.merge(key, new Wanted(name, withText), (one, other) -> one.withText() ? one : other);
        }
    }

    /**
     * Nothing of the bulk is under way any more that an entry of the window came with; counts when the document is asked for
     * from now on.
     */
    public void answered(long number, DocumentName name) {
        if (asked.containsKey(key(name)) == false) {
            answered.add(number);
        }
    }

    /** Whether {@link #answered} was told of an entry of the window in time. */
    public boolean wasAnswered(long number) {
        return answered.contains(number);
    }

    /** Whether an original was to be got: what {@link #isGone} says of it will not change. */
    public boolean isAsked(Original original) {
        return asked.containsKey(key(original.name()));
    }

    /** Whether it was got, and not found, though nothing that would store it was under way. */
    public boolean isMissing(Original original) {
        return isSettled(original) && missing.contains(key(original.name()));
    }

    private boolean isSettled(Original original) {
        return original.isInWindow() == false || wasAnswered(original.number());
    }

    /** Forgets all documents but some. */
    public void keepOnly(Stream<DocumentName> names) {
        asked.keySet().retainAll(names.map(StoredOriginals::key).collect(Collectors.toSet()));
        missing.retainAll(asked.keySet());
        for (Key key : List.copyOf(stored.keySet())) {
            if (asked.containsKey(key) == false) {
                memory.give(stored.remove(key).bytes());
            }
        }
    }

    /** Gives back all memory; nothing is known any more. */
    public void close() {
        stored.clear();
        missing.clear();
        answered.clear();
        memory.close();
    }

    private static Key key(DocumentName name) {
        return new Key(name.index(), name.id());
    }

    /**
     * Gets the documents wanted. Those that cannot be got are as good as not stored: nothing may be dropped on their account.
     *
     * @param timeout after which they cannot be got, of each part of them
     * @param fields paths that are needed of each
     * @param textFields paths that are needed where the text is
     * @param listener is told of a failure, too: {@link CircuitBreakingException} when memory is refused
     */
    public void fetch(
            Client client, TimeValue timeout, String[] fields, String[] textFields, ActionListener<Void> listener) {
        if (wanted.isEmpty()) {
            listener.onResponse(null);
            return;
        }
        MultiGetRequest request = new MultiGetRequest().realtime(true).refresh(false);
        FetchSourceContext source = new FetchSourceContext(true, fields, new String[0]);
        FetchSourceContext textSource = new FetchSourceContext(true, textFields, new String[0]);
        List<Key> order = wanted.keySet().stream().limit(AT_ONCE).toList();
        for (Key key : order) {
            Wanted next = wanted.remove(key);
            asked.put(key, next.withText());
            request.add(
                    new MultiGetRequest.Item(next.name().index(), next.name().id())
                            .routing(next.name().routing())
                            .fetchSourceContext(next.withText() ? textSource : source));
        }
        ActionListener<MultiGetResponse> part = ActionListener.wrap(
                response -> {
                    note(order, response, request.realtime());
                    fetch(client, timeout, fields, textFields, listener);
                },
                listener::onFailure);
        client.multiGet(
                request,
                ListenerTimeouts.wrapWithTimeout(
                        client.threadPool(), part, timeout, ThreadPool.Names.SAME, "near_duplicate get"));
    }

    /**
     * @param isRealtime whether it still was when it was sent: a security plugin makes it another where the user may not see all, and
     *     what is not refreshed is not found then
     */
    private void note(List<Key> order, MultiGetResponse response, boolean isRealtime) {
        MultiGetItemResponse[] items = response.getResponses();
        for (int i = 0; i < items.length; i++) {
            if (items[i].isFailed() == false) {
                note(order.get(i), items[i].getResponse(), isRealtime);
            }
        }
    }

    private void note(Key key, GetResponse document, boolean isRealtime) {
        Stored before = stored.remove(key);
        if (before != null) {
            memory.give(before.bytes());
        }
        if (document.isExists() == false) {
            if (isRealtime) {
                missing.add(key);
            }
            return;
        }
        missing.remove(key);
        long length =
                document.isSourceEmpty() ? 0 : document.getSourceAsBytesRef().length();
        long bytes = BYTES_PER_DOCUMENT + COPIES * length;
        memory.take(bytes);
        stored.put(key, new Stored(document, bytes));
    }

    private GetResponse response(DocumentName name) {
        Stored document = stored.get(key(name));
        return document == null ? null : document.response();
    }

    /** The stored source, as far as it was asked for; null when the document is not stored, or without its source. */
    public Map<String, Object> source(DocumentName name) {
        GetResponse response = response(name);
        return response == null || response.isSourceEmpty() ? null : response.getSourceAsMap();
    }

    /** Whether the very version that a search found is still the one that is stored. */
    public boolean isUnchanged(Original original) {
        GetResponse response = response(original.name());
        return response != null
                && original.version().equals(new Version(response.getSeqNo(), response.getPrimaryTerm()));
    }

    /** Whether another version is stored than a search found. */
    public boolean isChanged(Original original) {
        return original.isInWindow() == false && response(original.name()) != null && isUnchanged(original) == false;
    }

    /**
     * Whether an original is certainly not stored any more: a get does not find it, or as another than it was found, though
     * nothing that would store it is under way.
     *
     * @param whole whether the index keeps all of a document, so that one without a fingerprint has none
     */
    public boolean isGone(Original original, Arrival arrival, int maxDistance, BooleanSupplier whole) {
        if (isSettled(original) == false) {
            return false;
        }
        if (missing.contains(key(original.name()))) {
            return true;
        }
        Map<String, Object> source = isUnchanged(original) ? null : source(original.name());
        if (source == null) {
            return false;
        }
        try {
            ArrivedFingerprint fingerprint =
                    ArrivedFingerprint.read(source, arrival.fingerprint().field());
            return fingerprint == null
                    ? whole.getAsBoolean()
                    : arrival.fingerprint().distance(fingerprint) > maxDistance;
        } catch (IllegalArgumentException e) {
            return false; // written by someone else: nothing to rely on
        }
    }

    /** Bits in which a document and an original differ: as it was found, unless another version of it is stored by now. */
    public int distance(Original original, Arrival arrival) {
        boolean isNewer = isSettled(original) && isUnchanged(original) == false;
        return isNewer ? storedDistance(original, arrival).orElse(original.distance()) : original.distance();
    }

    /** To what is stored of an original; empty without a fingerprint to rely on: someone else may have written it. */
    private OptionalInt storedDistance(Original original, Arrival arrival) {
        Map<String, Object> source = source(original.name());
        try {
            ArrivedFingerprint fingerprint = source == null
                    ? null
                    : ArrivedFingerprint.read(source, arrival.fingerprint().field());
            return fingerprint == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(arrival.fingerprint().distance(fingerprint));
        } catch (IllegalArgumentException e) {
            return OptionalInt.empty();
        }
    }

    /** Whether the text of an original was asked for. */
    public boolean hasText(Original original) {
        return Boolean.TRUE.equals(asked.get(key(original.name())));
    }

    /** Whether the document is stored with a fingerprint within the distance. */
    public boolean isNear(Original original, Arrival arrival, int maxDistance) {
        OptionalInt distance = storedDistance(original, arrival);
        return distance.isPresent() && distance.getAsInt() <= maxDistance;
    }
}

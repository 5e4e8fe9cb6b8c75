/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.nearduplicate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.simhash.nearduplicate.Original.Version;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * What is really stored of documents that may be originals, refreshed or not: by a real-time multi-get of the fingerprint and
 * what verification needs. One thread at a time.
 */
final class StoredOriginals {

    private record Key(String index, String id) {}

    private final Map<Key, DocumentName> wanted = new LinkedHashMap<>();
    private final Set<Key> asked = new HashSet<>();
    private final Map<Key, GetResponse> stored = new HashMap<>();

    boolean wantsNothing() {
        return wanted.isEmpty();
    }

    /** Will be got, unless it was asked for before. */
    void want(DocumentName name) {
        Key key = key(name);
        if (asked.contains(key) == false) {
            wanted.put(key, name);
        }
    }

    /** Forgets all documents but some. */
    void keepOnly(Stream<DocumentName> names) {
        asked.retainAll(names.map(StoredOriginals::key).collect(Collectors.toSet()));
        stored.keySet().retainAll(asked);
    }

    private static Key key(DocumentName name) {
        return new Key(name.index(), name.id());
    }

    /**
     * Gets the documents wanted. Those that cannot be got are as good as not stored: nothing may be dropped on their account.
     *
     * @param timeout after which they cannot be got
     * @param fields paths that are needed of each
     */
    void fetch(Client client, TimeValue timeout, String[] fields, Runnable then, Runnable onFailure) {
        MultiGetRequest request = new MultiGetRequest().realtime(true).refresh(false);
        FetchSourceContext source = new FetchSourceContext(true, fields, new String[0]);
        for (DocumentName name : wanted.values()) {
            request.add(new MultiGetRequest.Item(name.index(), name.id())
                    .routing(name.routing())
                    .fetchSourceContext(source));
        }
        List<Key> order = new ArrayList<>(wanted.keySet());
        asked.addAll(order);
        wanted.clear();
        ActionListener<MultiGetResponse> listener = ActionListener.wrap(
                response -> {
                    MultiGetItemResponse[] items = response.getResponses();
                    for (int i = 0; i < items.length; i++) {
                        if (items[i].isFailed() == false
                                && items[i].getResponse().isExists()) {
                            stored.put(order.get(i), items[i].getResponse());
                        }
                    }
                    then.run();
                },
                e -> onFailure.run());
        client.multiGet(
                request,
                ListenerTimeouts.wrapWithTimeout(
                        client.threadPool(), listener, timeout, ThreadPool.Names.SAME, "near_duplicate get"));
    }

    /** The stored source, as far as it was asked for; null when the document is not stored, or without its source. */
    Map<String, Object> source(DocumentName name) {
        GetResponse response = stored.get(key(name));
        return response == null || response.isSourceEmpty() ? null : response.getSourceAsMap();
    }

    /** Whether the very version that a search found is still the one that is stored. */
    boolean isUnchanged(Original original) {
        GetResponse response = stored.get(key(original.name()));
        return response != null
                && original.version().equals(new Version(response.getSeqNo(), response.getPrimaryTerm()));
    }

    /** Whether the document is stored with a fingerprint within the distance. */
    boolean isNear(Original original, Arrival arrival, String field, int maxDistance) {
        Map<String, Object> source = source(original.name());
        if (source == null) {
            return false;
        }
        try {
            ArrivedFingerprint fingerprint = ArrivedFingerprint.read(source, field);
            return fingerprint != null && arrival.fingerprint().distance(fingerprint) <= maxDistance;
        } catch (IllegalArgumentException e) {
            return false; // written by someone else: nothing to rely on
        }
    }
}

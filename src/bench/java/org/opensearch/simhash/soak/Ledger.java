/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.soak;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What has to be stored: of each document what was acknowledged last. A document whose write was not answered is in doubt until
 * another is: the write may have happened, or still happen.
 */
final class Ledger {

    private final Map<String, String> stored = new ConcurrentHashMap<>();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final Set<String> inDoubt = ConcurrentHashMap.newKeySet();

    void stored(String id, String text) {
        forget(id);
        stored.put(id, text);
    }

    void deleted(String id) {
        forget(id);
        deleted.add(id);
    }

    void doubt(String id) {
        forget(id);
        inDoubt.add(id);
    }

    private void forget(String id) {
        stored.remove(id);
        deleted.remove(id);
        inDoubt.remove(id);
    }

    /** Texts by id. */
    Map<String, String> stored() {
        return stored;
    }

    Set<String> deleted() {
        return deleted;
    }

    Set<String> inDoubt() {
        return inDoubt;
    }
}

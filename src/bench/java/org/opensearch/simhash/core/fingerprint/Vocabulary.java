/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.Hasher64;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The distinct tokens of many texts, folded, by number: a hash function is applied once to each. For use by any number of threads. */
public final class Vocabulary {

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> tokens = new ArrayList<>();

    synchronized int number(String token) {
        return numbers.computeIfAbsent(token, unused -> {
            tokens.add(token);
            return tokens.size() - 1;
        });
    }

    /** The hash of each token. */
    public synchronized long[] hashes(Hasher64 function) {
        return tokens.stream()
                .mapToLong(token -> function.hashBytesToLong(token.getBytes(StandardCharsets.UTF_8)))
                .toArray();
    }

    /** A figure of each token. */
    public synchronized double[] figures(ToDoubleFunction<String> figure) {
        return tokens.stream().mapToDouble(figure).toArray();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.kills;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The families of which texts are written: new ones, and those of the last moments. Safe for use by several threads. */
final class Families {

    private static final int RECENT = 300;

    private final Deque<Integer> recent = new ArrayDeque<>();
    private final Map<Corpus, List<Text>> announced = new HashMap<>();
    private int next;

    /** A text that nothing is near to yet. */
    synchronized Text fresh(RandomGenerator random) {
        recent.addLast(next);
        if (recent.size() > RECENT) {
            recent.removeFirst();
        }
        return new Text(next++, random.nextInt(Text.TWINS), random.nextInt(Text.VARIANTS));
    }

    /** A family that only its maker knows. */
    synchronized int secret(boolean mortal) {
        while (new Text(next, 0, 0).isMortal() != mortal) {
            next++;
        }
        return next++;
    }

    /** A text that others are near to, the last ones more often; a fresh one when there is none. */
    synchronized Text near(RandomGenerator random) {
        if (recent.isEmpty()) {
            return fresh(random);
        }
        List<Integer> all = new ArrayList<>(recent);
        int back = (int) (all.size() * Math.pow(random.nextDouble(), 2));
        int family = all.get(all.size() - 1 - back);
        return new Text(family, random.nextInt(Text.TWINS), random.nextInt(Text.VARIANTS));
    }

    /** A text near to one of the last, each of them as often. */
    synchronized Text any(RandomGenerator random) {
        List<Integer> all = new ArrayList<>(recent);
        int family = all.isEmpty() ? next++ : all.get(random.nextInt(all.size()));
        return new Text(family, random.nextInt(Text.TWINS), random.nextInt(Text.VARIANTS));
    }

    /** Texts that are on their way to a corpus for a long time. */
    synchronized void announce(Corpus corpus, List<Text> texts) {
        announced.put(corpus, new ArrayList<>(texts));
    }

    /** A text near to one that was announced; to each only once. */
    synchronized Optional<Text> echo(Corpus corpus, RandomGenerator random) {
        List<Text> texts = announced.getOrDefault(corpus, List.of());
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(variant(texts.remove(random.nextInt(texts.size())), random));
    }

    /** A text near to this one. */
    static Text variant(Text text, RandomGenerator random) {
        return new Text(text.family(), text.twin(), random.nextInt(Text.VARIANTS));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.warnings;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * The warnings of one request, in the context of its threads. Thread-safe.
 *
 * <p>What has to be asked for a warning is asked when the request is done, and its answer waits for it.
 */
public final class RequestWarnings {

    static final String KEY = "_simhash_warnings";

    /** Answers must not grow with what is wrong. */
    private static final int MOST = 8;

    private static final int MOST_CHARACTERS = 500;

    private final Set<String> sentences = new LinkedHashSet<>();
    private final Map<String, Tally> tallies = new LinkedHashMap<>();
    private final Map<Object, Consumer<Runnable>> questions = new LinkedHashMap<>();

    /**
     * What is known of the documents that came to one place.
     *
     * @param without those without a fingerprint
     * @param tooShort those with a digest only
     */
    private record Tally(long documents, long without, long tooShort) {

        Tally plus(Tally other) {
            return new Tally(documents + other.documents, without + other.without, tooShort + other.tooShort);
        }
    }

    /** Those of the request that runs in a context; where nobody asks for any, ones that nobody reads. */
    public static RequestWarnings of(ThreadContext context) {
        RequestWarnings warnings = context.getTransient(KEY);
        return warnings == null ? new RequestWarnings() : warnings;
    }

    /** Adds a sentence, once. Of more than {@value #MOST} the later ones are left out. */
    public synchronized void add(String sentence) {
        if (sentences.size() < MOST) {
            sentences.add(
                    sentence.length() <= MOST_CHARACTERS ? sentence : sentence.substring(0, MOST_CHARACTERS) + "…");
        }
    }

    /**
     * Counts documents that came to a processor. If none of all of them can be compared, that is a warning.
     *
     * @param reader what wanted to compare them, with the field that it reads
     */
    public synchronized void arrived(String reader, long documents, long without, long tooShort) {
        tallies.merge(reader, new Tally(documents, without, tooShort), Tally::plus);
    }

    /**
     * Asks something when the request is done, and before it is answered.
     *
     * @param about of several questions about the same, the first is asked
     * @param question may add warnings, and runs what it is given when it is answered, on any thread
     */
    public synchronized void whenDone(Object about, Consumer<Runnable> question) {
        if (questions.size() < MOST) {
            questions.putIfAbsent(about, question);
        }
    }

    /** Asks all questions, one after the other, then runs something. */
    void end(Runnable then) {
        Iterator<Consumer<Runnable>> asked;
        synchronized (this) {
            asked = List.copyOf(questions.values()).iterator();
        }
        next(asked, then);
    }

    private static void next(Iterator<Consumer<Runnable>> asked, Runnable then) {
        if (asked.hasNext()) {
            asked.next().accept(() -> next(asked, then));
        } else {
            then.run();
        }
    }

    /** All sentences so far. */
    public synchronized List<String> sentences() {
        List<String> all = new ArrayList<>(sentences);
        tallies.forEach((reader, tally) -> {
            if (tally.documents > 0 && tally.without == tally.documents) {
                all.add(reader + " got " + documents(tally.documents)
                        + " without a fingerprint: nothing is near them. A processor before it must write the field");
            } else if (tally.documents > 0 && tally.without + tally.tooShort == tally.documents) {
                all.add(reader + " got " + documents(tally.documents)
                        + " with too few features for a fingerprint: only equal texts are found");
            }
        });
        return all.subList(0, Math.min(MOST, all.size()));
    }

    private static String documents(long count) {
        return count == 1 ? "a document" : count + " documents";
    }

    /** Puts the sentences into headers of the answer that this thread gives. */
    void deliver(ThreadContext context) {
        for (String sentence : sentences()) {
            context.addResponseHeader(
                    "Warning",
                    HeaderWarning.formatWarning(sentence),
                    header -> HeaderWarning.extractWarningValueFromWarningHeader(header, false));
        }
    }
}

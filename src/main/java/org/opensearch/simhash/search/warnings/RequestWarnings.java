/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.warnings;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.common.logging.HeaderWarning;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * The warnings of one request, shared by its threads. Thread-safe.
 *
 * <p>Questions whose answers may be warnings are asked when the request is done; its answer waits for them.
 */
public final class RequestWarnings {

    static final String KEY = "_simhash_warnings";

    /** Bounds the size of an answer. */
    private static final int MOST = 8;

    private static final int MOST_CHARACTERS = 500;

    private final Set<String> sentences = new LinkedHashSet<>();
    /** By the sentence about some documents, with {@code %s} for their number. */
    private final Map<String, Counted> counted = new LinkedHashMap<>();

    private final Map<Object, Consumer<Runnable>> questions = new LinkedHashMap<>();

    /** @param isRefuted whether a document came of which the sentence is not true */
    private record Counted(long documents, boolean isRefuted) {

        Counted plus(Counted other) {
            return new Counted(documents + other.documents, isRefuted || other.isRefuted);
        }
    }

    /** Sends requests on trial. Their warnings are not warnings of this request. */
    public static <T> T unheard(ThreadContext context, Supplier<T> trying) {
        ThreadContext.StoredContext before = context.newStoredContext(true, List.of(KEY));
        try {
            return trying.get();
        } finally {
            before.restore();
        }
    }

    /** The warnings of the current request. Without a reader they are dropped. */
    public static RequestWarnings of(ThreadContext context) {
        RequestWarnings warnings = context.getTransient(KEY);
        return warnings == null ? new RequestWarnings() : warnings;
    }

    /** Adds a sentence once, up to {@value #MOST} sentences. */
    public synchronized void add(String sentence) {
        if (sentences.size() < MOST) {
            sentences.add(
                    sentence.length() <= MOST_CHARACTERS ? sentence : sentence.substring(0, MOST_CHARACTERS) + "…");
        }
    }

    /**
     * Counts documents that reached a processor. It is a warning if none of them can be compared.
     *
     * @param reader the processor that compares, and its field
     */
    public synchronized void arrived(String reader, long documents, long without, long tooShort) {
        count(
                reader
                        + " got %s without a fingerprint: nothing is near them. A processor before it must write the field",
                without,
                without < documents);
        count(
                reader + " got %s with too few features for a fingerprint: only equal texts are found",
                tooShort,
                without + tooShort < documents);
    }

    /**
     * Counts a document that a processor read. It is a warning if none of them has a source.
     *
     * @param without the warning, with {@code %s} for the number of documents
     */
    public synchronized void read(String without, boolean hasSource) {
        count(without, hasSource ? 0 : 1, hasSource);
    }

    /** @param sentence about a document, with {@code %s} for the number of documents */
    public synchronized void count(String sentence) {
        count(sentence, 1, false);
    }

    private void count(String sentence, long documents, boolean isRefuted) {
        counted.merge(sentence, new Counted(documents, isRefuted), Counted::plus);
    }

    /**
     * Registers a question for the end of the request.
     *
     * @param about only the first question about the same object is asked
     * @param question may add warnings; runs its argument when it is answered, on any thread
     */
    public synchronized void whenDone(Object about, Consumer<Runnable> question) {
        if (questions.size() < MOST) {
            questions.putIfAbsent(about, question);
        }
    }

    /** Asks all questions in order, then runs {@code then}. */
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

    public synchronized List<String> sentences() {
        List<String> all = new ArrayList<>(sentences);
        counted.forEach((sentence, about) -> {
            if (about.documents > 0 && about.isRefuted == false) {
                all.add(sentence.replace("%s", about.documents == 1 ? "a document" : about.documents + " documents"));
            }
        });
        return all.subList(0, Math.min(MOST, all.size()));
    }

    void deliver(ThreadContext context) {
        for (String sentence : sentences()) {
            context.addResponseHeader(
                    "Warning",
                    HeaderWarning.formatWarning(sentence),
                    header -> HeaderWarning.extractWarningValueFromWarningHeader(header, false));
        }
    }
}

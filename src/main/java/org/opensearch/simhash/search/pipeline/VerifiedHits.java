/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.core.fingerprint.SketchKind;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.core.verify.PreparedText;
import org.opensearch.simhash.core.verify.Verdict;
import org.opensearch.simhash.core.verify.Verification;
import org.opensearch.simhash.search.counts.Durations;
import org.opensearch.simhash.search.ingest.PipelineRecipes;
import org.opensearch.simhash.search.match.PassageRule;
import org.opensearch.simhash.search.match.PassageRule.PreparedComparisons;
import org.opensearch.simhash.search.query.HitTexts;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.RemoteClusterAware;
import org.opensearch.transport.client.Client;

/**
 * Compares the texts of hits. They are read by searches of the same indices, with the rights of the user, in pages of about
 * {@value #BYTES} bytes. The breaker accounts for texts until {@link #close}. After {@link #PATIENCE}, or after the timeout of the
 * search, nothing more is read or compared. A text that was not compared is similar to none. One thread at a time, one use.
 */
public final class VerifiedHits implements AutoCloseable {

    static final TimeValue PATIENCE = TimeValue.timeValueSeconds(10);

    private static final long BYTES = 5 << 20;

    /** As read, parsed, prepared. */
    private static final int COPIES = 3;

    private static final int FIRST_PAGE = 50;

    private static final int LONGEST_PAGE = 100;

    /**
     * What texts are read and compared with.
     *
     * @param recipes prepare texts, by kind of print
     * @param memory pays for texts and comparisons
     * @param times records how long each comparison takes
     */
    public record Services(
            Client client,
            Function<SketchKind, PipelineRecipes> recipes,
            LongConsumer memory,
            Durations times,
            Executor executor) {

        /** Searches for the task of another search, with its rights, while there is patience. Answers on the executor's threads. */
        void search(SearchRequest search, TaskId task, Patience patience, ActionListener<SearchResponse> listener) {
            TimeValue rest = patience.rest();
            search.setParentTask(task);
            search.setCancelAfterTimeInterval(rest);
            ActionListener<SearchResponse> answered = ActionListener.wrap(
                    response -> executor.execute(() -> listener.onResponse(response)),
                    e -> executor.execute(() -> listener.onFailure(e)));
            ThreadPool threads = client.threadPool();
            ActionListener<SearchResponse> inTime = ContextPreservingActionListener.wrapPreservingContext(
                    ListenerTimeouts.wrapWithTimeout(
                            threads, answered, rest, ThreadPool.Names.GENERIC, CollapseOptions.TYPE),
                    threads.getThreadContext());
            try {
                patience.check();
                client.search(search, inTime);
            } catch (RuntimeException e) {
                inTime.onFailure(e);
            }
        }
    }

    /**
     * The time for all that is read and compared for one page.
     *
     * @param start as of {@link System#nanoTime}
     */
    record Patience(TimeValue time, long start) {

        static Patience of(SearchRequest request) {
            TimeValue timeout = request.source().timeout();
            boolean isShorter = timeout != null && timeout.nanos() > 0 && timeout.compareTo(PATIENCE) < 0;
            return new Patience(isShorter ? timeout : PATIENCE, System.nanoTime());
        }

        TimeValue rest() {
            return TimeValue.timeValueNanos(Math.max(1, time.nanos() - (System.nanoTime() - start)));
        }

        boolean isOver() {
            return System.nanoTime() - start >= time.nanos();
        }

        void check() {
            if (isOver()) {
                throw new OpenSearchTimeoutException(late());
            }
        }

        String late() {
            return "the time is up, " + time;
        }
    }

    private record Address(String index, String id) {

        static Address of(SearchHit hit) {
            return new Address(
                    RemoteClusterAware.buildRemoteIndexName(hit.getClusterAlias(), hit.getIndex()), hit.getId());
        }
    }

    private final Services services;
    private final PassageRule passages;
    private final Verification verification;
    private final String textField;
    private final SearchRequest request;
    private final TaskId task;
    private final SearchHit[] hits;
    private final Account memory;
    private final HitTexts texts;
    private final Patience patience;
    private final Map<Integer, PreparedText> prepared = new HashMap<>();
    /** Why texts are not compared, by the rank of the hit. */
    private final Map<Integer, String> left = new TreeMap<>();

    private final Map<List<Integer>, Double> similar = new HashMap<>();

    /** The hit that is compared with better ones, and the results. */
    private int present = -1;

    private PreparedComparisons comparisons;
    private final Map<Integer, Double> compared = new HashMap<>();
    private int pageSize = FIRST_PAGE;

    VerifiedHits(
            Services services,
            CollapsePlan plan,
            CollapseOptions options,
            SearchRequest request,
            SearchHit[] hits,
            Patience patience) {
        this.services = services;
        this.passages = options.passageRule();
        this.verification = options.verification();
        this.textField = verification == null ? null : verification.field();
        this.request = request;
        this.task = plan.task();
        this.hits = hits;
        this.patience = patience;
        this.memory = new Account(services.memory);
        this.texts = new HitTexts(
                services.recipes.apply(options.kind()), textField, options.fieldOrDefault(), passages != null, memory);
    }

    /**
     * Reads the texts of some hits. Never fails: what cannot be read is left.
     *
     * @param then runs at the end, on the executor's threads
     */
    void read(int[] ranks, Runnable then) {
        int size = Math.min(pageSize, ranks.length);
        int[] page = Arrays.copyOf(ranks, size);
        if (size == 0) {
            services.executor.execute(then);
            return;
        }
        ActionListener<SearchResponse> read = ActionListener.wrap(
                response -> {
                    take(page, response);
                    read(Arrays.copyOfRange(ranks, size, ranks.length), then);
                },
                e -> {
                    leave(
                            ranks,
                            patience.isOver() || e instanceof OpenSearchTimeoutException
                                    ? patience.late()
                                    : e.getMessage());
                    then.run();
                });
        try {
            services.search(search(page), task, patience, read);
        } catch (RuntimeException e) {
            services.executor.execute(() -> read.onFailure(e));
        }
    }

    private void leave(int[] ranks, String why) {
        Arrays.stream(ranks).forEach(rank -> left.put(rank, why));
    }

    /** The same search for these documents only. */
    private SearchRequest search(int[] page) {
        Map<String, List<SearchHit>> byIndex = Arrays.stream(page)
                .mapToObj(rank -> hits[rank])
                .filter(hit -> hit.getId() != null)
                .collect(Collectors.groupingBy(hit -> Address.of(hit).index));
        if (byIndex.isEmpty()) {
            throw new IllegalArgumentException("[stored_fields] leaves out [_id]"); // and no ids would match all
        }
        BoolQueryBuilder documents = QueryBuilders.boolQuery();
        byIndex.forEach((index, some) -> documents.should(QueryBuilders.boolQuery()
                .filter(QueryBuilders.termQuery("_index", index))
                .filter(QueryBuilders.idsQuery()
                        .addIds(some.stream().map(SearchHit::getId).toArray(String[]::new)))));
        List<String> indices = Arrays.stream(page)
                .mapToObj(rank -> hits[rank].getIndex())
                .distinct()
                .toList();
        SearchSourceBuilder source = texts.source(indices, false)
                .query(QueryBuilders.boolQuery().filter(documents.minimumShouldMatch(1)))
                .size(page.length)
                .trackTotalHits(false);
        if (request.pointInTimeBuilder() != null) {
            source.pointInTimeBuilder(request.pointInTimeBuilder());
        }
        return new SearchRequest(request).source(source).pipeline("_none").allowPartialSearchResults(true);
    }

    private void take(int[] page, SearchResponse response) {
        Map<Address, List<SearchHit>> found =
                Arrays.stream(response.getHits().getHits()).collect(Collectors.groupingBy(Address::of));
        long bytes = Arrays.stream(response.getHits().getHits())
                .mapToLong(hit -> hit.hasSource() ? hit.getSourceRef().length() : 0)
                .sum();
        pageSize = Math.clamp(BYTES / Math.max(1, bytes / page.length), 1, LONGEST_PAGE);
        try (Account whole = new Account(memory)) {
            whole.take(COPIES * bytes);
            for (int rank : page) {
                // Two documents of an index may have one id, with different routing.
                List<SearchHit> read = found.getOrDefault(Address.of(hits[rank]), List.of());
                if (read.size() == 1) {
                    prepare(rank, read.getFirst());
                } else {
                    left.put(rank, "not found by [_id]");
                }
            }
        } catch (CircuitBreakingException e) {
            Arrays.stream(page)
                    .filter(rank -> prepared.containsKey(rank) == false)
                    .forEach(rank -> left.put(rank, e.getMessage()));
        }
    }

    private void prepare(int rank, SearchHit hit) {
        texts.prepare(hit, null, text -> {
            if (text.isBlank()) {
                left.put(
                        rank,
                        textField == null
                                ? "no text that the fingerprint is made of"
                                : "no text in [" + textField + "]");
            } else {
                memory.take(text.bytes());
                prepared.put(rank, text);
            }
        });
    }

    boolean areSimilar(int by, int hit) {
        if (present != hit) {
            forget();
            present = hit;
        }
        double similarity = compared.computeIfAbsent(by, any -> similarity(by, hit));
        if (similarity >= 0) {
            similar.put(List.of(by, hit), similarity);
        }
        return similarity >= 0;
    }

    /** Negative if they are not similar enough, or not comparable. */
    private double similarity(int by, int hit) {
        PreparedText text = prepared.get(hit);
        PreparedText other = prepared.get(by);
        if (text == null || other == null) {
            return -1;
        }
        if (patience.isOver()) {
            left.put(hit, patience.late()); // and no exception, because pairs may be many
            return -1;
        }
        long began = System.nanoTime();
        try {
            if (comparisons == null) {
                if (passages != null) {
                    passages.requireRun(text.passages().run());
                }
                comparisons = new PreparedComparisons(passages, verification, text, memory, patience::check);
            }
            Verdict verdict = comparisons.compare(other);
            if (verdict.isSimilar()) {
                return verdict.similarity();
            }
            if (verdict.outcome() == Verdict.Outcome.TOO_LARGE || verdict.outcome() == Verdict.Outcome.UNREADABLE) {
                left.put(hit, verdict.reason());
            }
        } catch (IllegalArgumentException e) {
            throw CollapseOptions.refusal(e.getMessage());
        } catch (OpenSearchTimeoutException | CircuitBreakingException e) {
            left.put(hit, e.getMessage());
        } finally {
            services.times.record(System.nanoTime() - began);
        }
        return -1;
    }

    OptionalDouble found(int by, int hit) {
        Double similarity = similar.get(List.of(by, hit));
        return similarity == null ? OptionalDouble.empty() : OptionalDouble.of(similarity);
    }

    /** What the user must know: whose texts were not compared. */
    Optional<String> warning() {
        if (left.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> reasons =
                left.values().stream().collect(Collectors.groupingBy(why -> why, TreeMap::new, Collectors.counting()));
        List<String> some = new ArrayList<>();
        reasons.forEach((why, count) -> some.add(count + ": " + why));
        return Optional.of((passages == null ? "[verify]" : "[sketch] passages") + " could not compare the texts of "
                + left.size() + " of " + hits.length + " hits, which are not hidden (" + String.join("; ", some) + ")");
    }

    private void forget() {
        compared.clear();
        if (comparisons != null) {
            comparisons.close();
            comparisons = null;
        }
    }

    @Override
    public void close() {
        forget();
        memory.close();
    }
}

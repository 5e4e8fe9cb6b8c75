/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.review;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.common.bytes.ReleasableBytesReference;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.request.LocalAction.LocalResponse;
import org.opensearch.simhash.jobs.scan.JobQuery;
import org.opensearch.simhash.jobs.write.GroupMapping;

/**
 * Rows of CSV (RFC 4180) or NDJSON. OpenSearch sends an answer when it has all of it, so that one has some megabytes and the address
 * of the next one. What is made is on the breaker until it is sent. Not thread-safe; blocks its thread.
 */
final class GroupRows extends LocalResponse {

    static final int MOST = 100_000;

    private static final int MOST_BYTES = 16 << 20;
    private static final int STEP = 1 << 16;
    private static final int GROUPS_AT_ONCE = 1_000;
    private static final int PAGES_AT_ONCE = 20;
    /** Columns may be long texts, and histories have some kilobytes for each decision. */
    private static final int WITH_COLUMNS = 100;

    private static final List<String> OF_MEMBERS =
            List.of("index", "id", "group", "survivor", "is_duplicate", "distance", "similarity", "decision");
    private static final List<String> OF_HISTORY = List.of(
            "group", "decision", "judged", "decided_by", "decided_at", "note", "rejected", "chosen_survivor", "seen");
    private static final List<String> OF_PAIRS =
            List.of("index", "id", "other_index", "other_id", "distance", "similarity");

    static final Map<String, List<String>> ROWS =
            Map.of("members", OF_MEMBERS, "pairs", OF_PAIRS, "history", OF_HISTORY);

    /** @param names of the columns of each row, without those of the documents */
    record Form(boolean isCsv, List<String> names, List<String> columns) {

        /** Null for JSON. */
        static Form read(RestRequest request) {
            String accepted = String.valueOf(request.header("Accept"));
            String usual = accepted.contains("application/x-ndjson") ? "ndjson" : "json";
            String format = request.param("format", accepted.contains("text/csv") ? "csv" : usual);
            List<String> columns = Stream.of(Strings.splitStringByCommaToArray(request.param("columns", "")))
                    .distinct()
                    .toList();
            String of = request.param("of", "members");
            List<String> names = ROWS.get(of);
            if (names == null) {
                throw new IllegalArgumentException("[of] must be one of [members, pairs, history], got: " + of);
            }
            boolean isOfPairs = names.equals(OF_PAIRS);
            if (List.of("csv", "ndjson").contains(format) == false) {
                if (names.equals(OF_MEMBERS) == false || columns.isEmpty() == false) {
                    throw new IllegalArgumentException(
                            "[of] and [columns] are only allowed with [format] csv or ndjson, got: " + format);
                }
                if (MediaTypeRegistry.fromFormat(format) == null) {
                    throw new IllegalArgumentException("[format] must be one of [json, csv, ndjson], got: " + format);
                }
                return null;
            }
            boolean isOfGroups = GroupChoice.OF_GROUPS.stream().anyMatch(request::hasParam);
            if (isOfPairs && (isOfGroups || columns.isEmpty() == false)) {
                throw new IllegalArgumentException("[of] pairs must stand without " + GroupChoice.OF_GROUPS
                        + " and [columns], got: " + new TreeMap<>(request.params()));
            }
            if (names.equals(OF_HISTORY) && columns.isEmpty() == false) {
                throw new IllegalArgumentException("[of] history must stand without [columns], got: " + columns);
            }
            columns.stream().filter(OF_MEMBERS::contains).findFirst().ifPresent(column -> {
                throw new IllegalArgumentException("[columns] must not be one of " + OF_MEMBERS + ", got: " + column);
            });
            return new Form(format.equals("csv"), names, columns);
        }
    }

    private final StoredGroups stored;
    private final String[] dest;
    private final GroupChoice choice;
    private final Form form;
    private final Account memory;

    /** Throws once nobody waits any more. */
    private final Runnable check;

    private final List<String> names = new ArrayList<>();
    private final BytesStreamOutput out = new BytesStreamOutput();
    private int rows;
    private String run;

    /** Where to go on; null in the last answer. */
    private String next;

    GroupRows(StoredGroups stored, String[] dest, GroupChoice choice, Form form, Account memory, Runnable check) {
        this.stored = stored;
        this.dest = dest;
        this.choice = choice;
        this.form = form;
        this.memory = memory;
        this.check = check;
        names.addAll(form.names);
        names.addAll(form.columns);
    }

    GroupRows read() throws IOException {
        run = stored.run(dest, choice);
        if (form.isCsv && choice.after() == null) {
            csv(names);
        }
        if (run != null && form.names.equals(OF_PAIRS)) {
            readPairs();
        } else if (run != null) {
            readMembers();
        }
        return this;
    }

    /** Whoever sends it gives its bytes back. Its address of the next answer is relative to that of the request. */
    RestResponse response(Map<String, String> parameters) {
        RestResponse response = new BytesRestResponse(
                RestStatus.OK,
                (form.isCsv ? "text/csv" : "application/x-ndjson") + "; charset=UTF-8",
                new ReleasableBytesReference(out.bytes(), memory::close));
        if (next != null) {
            Map<String, String> more = new TreeMap<>(parameters);
            more.remove("dest");
            more.putAll(Map.of("run", run, "after", next, "format", form.isCsv ? "csv" : "ndjson"));
            response.addHeader(
                    "Link",
                    more.entrySet().stream()
                            .map(parameter -> parameter.getKey() + "="
                                    + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                            .collect(Collectors.joining("&", "<?", ">; rel=\"next\"")));
        }
        return response;
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
        return builder.startObject().field("bytes", out.size()).endObject();
    }

    private boolean isFull() {
        check.run();
        return rows >= choice.size() || out.size() >= MOST_BYTES;
    }

    private void readMembers() throws IOException {
        Object[] after = choice.sortValues(false);
        for (boolean isEnd = false; isEnd == false && isFull() == false; ) {
            boolean areLong = form.names.equals(OF_HISTORY);
            int documents = form.columns.isEmpty() && areLong == false ? StoredGroups.MOST_DOCUMENTS : WITH_COLUMNS;
            int most = Math.clamp((choice.size() - rows) / 2, 1, Math.min(GROUPS_AT_ONCE, documents / 2));
            String left = areLong ? GroupMapping.REJECTED_PAIRS : GroupMapping.HISTORY;
            StoredGroups.Found found = stored.next(dest, run, choice, after, most, documents, false, left);
            List<List<Object>> members = new ArrayList<>();
            for (SearchHit hit : found.hits()) {
                if (areLong) {
                    addHistory(hit.getId(), hit.getSourceAsMap(), members);
                } else {
                    addGroup(hit.getId(), hit.getSourceAsMap(), members);
                }
                after = hit.getSortValues();
            }
            for (int from = 0; from < members.size(); from += WITH_COLUMNS) {
                addColumns(members.subList(from, Math.min(members.size(), from + WITH_COLUMNS)));
            }
            isEnd = found.isEnd();
            next = isEnd ? null : GroupChoice.cursor(after);
        }
    }

    /** Rows behind what is stored of their documents. */
    private static void addGroup(String group, Map<String, Object> source, List<List<Object>> members) {
        List<Object> all = new ArrayList<>(List.of(source.get(GroupMapping.SURVIVOR)));
        all.addAll(GroupMapping.members(source));
        Object chosen = source.get(GroupMapping.CHOSEN_SURVIVOR);
        Map<?, ?> stays = (Map<?, ?>) (chosen instanceof Map<?, ?> ? chosen : all.getFirst());
        Set<?> rejected = GroupMapping.rejected(source);
        Object decision = source.get(GroupMapping.DECISION_NAME);
        for (Object one : all) {
            Map<?, ?> document = (Map<?, ?>) one;
            boolean isSurvivor = Decision.isAt(document, stays);
            boolean isRejected = isSurvivor == false
                    && (GroupMapping.REJECTED_GROUP.equals(decision) || rejected.contains(document.get("id")));
            members.add(new ArrayList<>(Arrays.asList(
                    document,
                    document.get("index"),
                    document.get("id"),
                    group,
                    stays.get("id"),
                    isSurvivor == false && isRejected == false,
                    document.get("distance"),
                    document.get("similarity"),
                    isRejected ? GroupMapping.REJECTED_GROUP : decision)));
        }
    }

    private static void addHistory(String group, Map<String, Object> source, List<List<Object>> rows) {
        if (source.get(GroupMapping.HISTORY) instanceof List<?> history) {
            for (Object entry : history.stream().filter(Map.class::isInstance).toList()) {
                List<Object> row = new ArrayList<>(Arrays.asList(null, group));
                OF_HISTORY.stream().skip(1).forEach(name -> row.add(((Map<?, ?>) entry).get(name)));
                rows.add(row);
            }
        }
    }

    private void addColumns(List<List<Object>> members) throws IOException {
        if (form.columns.isEmpty() == false) {
            MultiGetRequest gets = new MultiGetRequest();
            FetchSourceContext columns = new FetchSourceContext(true, form.columns.toArray(String[]::new), null);
            members.forEach(row -> gets.add(new MultiGetRequest.Item((String) row.get(1), (String) row.get(2))
                    .routing((String) ((Map<?, ?>) row.getFirst()).get("routing"))
                    .fetchSourceContext(columns)));
            MultiGetItemResponse[] found =
                    stored.client().multiGet(gets).actionGet().getResponses();
            for (int i = 0; i < found.length; i++) {
                Exception failure = found[i].isFailed() ? found[i].getFailure().getFailure() : null;
                if (failure != null && ExceptionsHelper.unwrap(failure, IndexNotFoundException.class) == null) {
                    throw ExceptionsHelper.convertToOpenSearchException(failure);
                }
                Map<String, Object> source =
                        failure == null ? found[i].getResponse().getSourceAsMap() : null;
                for (String column : form.columns) {
                    members.get(i).add(source == null ? null : XContentMapValues.extractValue(column, source));
                }
            }
        }
        for (List<Object> row : members) {
            write(row.subList(1, row.size()));
            row.clear();
        }
    }

    private void readPairs() throws IOException {
        int page = choice.after() == null ? 0 : Integer.parseInt((String) choice.sortValues(true)[2]);
        for (boolean isEnd = false; isEnd == false && isFull() == false; ) {
            BoolQueryBuilder pages = QueryBuilders.boolQuery()
                    .filter(JobQuery.whole(GroupMapping.RUN, List.of(run)))
                    .filter(QueryBuilders.rangeQuery(GroupMapping.PAGE).gte(page));
            SearchSourceBuilder source = new SearchSourceBuilder()
                    .query(pages)
                    .sort(SortBuilders.fieldSort(GroupMapping.PAGE).unmappedType("integer"))
                    .size(PAGES_AT_ONCE);
            SearchHit[] hits = stored.search(dest, source).getHits().getHits();
            // An earlier run may have pages left, behind those that a later one replaced.
            if (page == 0
                    && (hits.length == 0
                            || hits[0].getSourceAsMap().get(GroupMapping.PAGE).equals(0) == false)) {
                throw new IllegalArgumentException("[of] pairs needs a run with [pairs] true, got: " + run);
            }
            for (int i = 0; i < hits.length && isFull() == false; i++) {
                Map<String, Object> stored = hits[i].getSourceAsMap();
                for (Object pair : (List<?>) stored.get(GroupMapping.PAIRS)) {
                    if (choice.takes(((List<?>) pair).getLast())) {
                        write((List<?>) pair);
                    }
                }
                page = (Integer) stored.get(GroupMapping.PAGE) + 1;
            }
            isEnd = hits.length < PAGES_AT_ONCE && isFull() == false;
            next = isEnd ? null : GroupChoice.cursor(new Object[] {0, 0, page});
        }
    }

    private void write(List<?> row) throws IOException {
        rows++;
        if (form.isCsv) {
            csv(row);
        } else {
            Map<String, Object> named = new LinkedHashMap<>();
            row.forEach(value -> named.put(names.get(named.size()), value));
            add(BytesReference.bytes(XContentFactory.jsonBuilder().map(named)));
            out.writeByte((byte) '\n');
        }
    }

    private void csv(List<?> row) throws IOException {
        add(new BytesArray(row.stream().map(GroupRows::quoted).collect(Collectors.joining(",", "", "\r\n"))));
    }

    private void add(BytesReference line) throws IOException {
        long needed = 2L * (out.size() + line.length()) + STEP; // pages of it are copied to be sent
        if (memory.taken() < needed) {
            memory.take(needed - memory.taken() + STEP);
        }
        line.writeTo(out);
    }

    private static String quoted(Object value) {
        String text = value == null
                ? ""
                : value instanceof List<?> || value instanceof Map<?, ?> ? json(value) : value.toString();
        boolean isQuoted = text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                || text.strip().equals(text) == false;
        return isQuoted ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    private static String json(Object value) {
        try (XContentBuilder json = JsonXContent.contentBuilder()) {
            return json.value(value).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

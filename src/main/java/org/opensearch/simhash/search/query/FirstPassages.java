/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.query;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.transport.client.Client;

/**
 * Which documents had the passages of a source first: the parts that each of the {@value #MOST} earliest matches shares with it, the
 * earliest first. Found by a search of the same indices, with the rights of the user, before the shards are asked. Immutable.
 */
record FirstPassages(List<First> firsts) implements Writeable {

    static final FirstPassages NONE = new FirstPassages(List.of());

    private static final int MOST = 100;

    /**
     * A part of the source.
     *
     * @param text the number of the value
     * @param from as a character of the source
     */
    record First(String index, String id, String date, int text, int from, int to) implements Writeable {

        First(StreamInput in) throws IOException {
            this(in.readString(), in.readString(), in.readString(), in.readVInt(), in.readVInt(), in.readVInt());
        }

        @Override
        public void writeTo(StreamOutput out) throws IOException {
            out.writeString(index);
            out.writeString(id);
            out.writeString(date);
            out.writeVInt(text);
            out.writeVInt(from);
            out.writeVInt(to);
        }
    }

    FirstPassages {
        firsts = List.copyOf(firsts);
    }

    FirstPassages(StreamInput in) throws IOException {
        this(in.readList(First::new));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
        out.writeList(firsts);
    }

    /**
     * Searches for them. Nothing is found where no search is rewritten.
     *
     * @param query with a source that is resolved
     * @param field a date
     */
    static void find(
            QueryRewriteContext context,
            Client client,
            QueryBuilder query,
            String field,
            ActionListener<FirstPassages> listener) {
        if (context.convertToCoordinatorContext() == null
                || context.convertToCoordinatorContext().getSearchRequest() instanceof SearchRequest == false) {
            listener.onResponse(NONE);
            return;
        }
        SearchRequest asked =
                (SearchRequest) context.convertToCoordinatorContext().getSearchRequest();
        SearchSourceBuilder source = new SearchSourceBuilder()
                .query(QueryBuilders.boolQuery().filter(query).filter(QueryBuilders.existsQuery(field)))
                .sort(new FieldSortBuilder(field).order(SortOrder.ASC))
                .size(MOST)
                .fetchSource(false)
                .docValueField(field)
                .trackTotalHits(false)
                .ext(List.of(new EvidenceRequest(true)));
        SearchRequest search = new SearchRequest(asked.indices())
                .indicesOptions(asked.indicesOptions())
                .routing(asked.routing())
                .pipeline("_none")
                .source(source);
        if (asked.pointInTimeBuilder() != null) {
            source.pointInTimeBuilder(asked.pointInTimeBuilder());
        }
        if (asked.source().timeout() != null) {
            source.timeout(asked.source().timeout());
            search.setCancelAfterTimeInterval(asked.source().timeout());
        }
        client.search(
                search,
                ActionListener.delegateFailure(
                        listener,
                        (found, response) ->
                                found.onResponse(of(field, response.getHits().getHits()))));
    }

    private static FirstPassages of(String field, SearchHit[] hits) {
        List<First> firsts = new ArrayList<>();
        for (SearchHit hit : hits) {
            DocumentField date = hit.field(field);
            DocumentField evidence = hit.field(EvidencePhase.FIELD);
            if (date != null
                    && evidence != null
                    && ((Map<?, ?>) evidence.getValue()).get("passages") instanceof List<?> all) {
                for (Object passage : all) {
                    Map<?, ?> place = (Map<?, ?>) ((Map<?, ?>) passage).get("other");
                    if (place.get("from") instanceof Integer from) {
                        int text = place.get("text") instanceof Integer number ? number : 0;
                        int to = (Integer) place.get("to");
                        if (firsts.stream()
                                .noneMatch(before -> before.text == text && before.from <= from && before.to >= to)) {
                            firsts.add(new First(
                                    hit.getIndex(), hit.getId(), date.getValue().toString(), text, from, to));
                        }
                    }
                }
            }
        }
        return new FirstPassages(firsts);
    }

    /** Adds to a passage, as evidence shows it, who had at least half of it first, if one of them had. */
    void addTo(Map<String, Object> passage) {
        Map<?, ?> place = (Map<?, ?>) passage.get("other");
        if (place.get("from") instanceof Integer from) {
            int to = (Integer) place.get("to");
            int text = place.get("text") instanceof Integer number ? number : 0;
            for (First first : firsts) {
                int common = Math.min(to, first.to) - Math.max(from, first.from);
                if (first.text == text && 2 * common >= to - from) {
                    Map<String, Object> earliest = new LinkedHashMap<>();
                    earliest.put("_index", first.index);
                    earliest.put("_id", first.id);
                    earliest.put("date", first.date);
                    passage.put("earliest", earliest);
                    return;
                }
            }
        }
    }
}

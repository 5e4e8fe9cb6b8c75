/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.arrivals.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.DocWriteResponse.Result;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkItemResponse.Failure;
import org.opensearch.action.bulk.BulkItemResponse.Failure.FailureSource;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.action.update.UpdateResponse;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.test.OpenSearchTestCase;

/** Answers built as OpenSearch does. A document's id is its place in the request. */
public class BulkAnswerOrderTests extends OpenSearchTestCase {

    private static final String INDEX = "docs";

    private static BulkItemResponse dropped(int itemId, int place) {
        ShardId nowhere = new ShardId(INDEX, IndexMetadata.INDEX_UUID_NA_VALUE, 0);
        return new BulkItemResponse(
                itemId, OpType.INDEX, new UpdateResponse(nowhere, "" + place, -2, 0, -1, Result.NOOP));
    }

    private static BulkItemResponse failed(int itemId, int place) {
        return new BulkItemResponse(
                itemId,
                OpType.INDEX,
                new Failure(
                        INDEX, "" + place, new IllegalArgumentException("no such pipeline"), FailureSource.PIPELINE));
    }

    private static BulkItemResponse refusedByShard(int itemId, int place) {
        return new BulkItemResponse(
                itemId, OpType.INDEX, new Failure(INDEX, "" + place, new IllegalArgumentException("mapping")));
    }

    private static BulkItemResponse stored(int itemId, int place) {
        ShardId shard = new ShardId(INDEX, "uuid", 0);
        return new BulkItemResponse(itemId, OpType.INDEX, new IndexResponse(shard, "" + place, 1, 1, 1, true));
    }

    private static List<Integer> sorted(BulkItemResponse... items) {
        BulkAnswers.sort(items);
        return Arrays.stream(items).map(item -> Integer.parseInt(item.getId())).toList();
    }

    public void testFailedBeforeDropped() {
        assertEquals(List.of(0, 1, 2, 3), sorted(failed(1, 1), dropped(0, 0), stored(0, 2), refusedByShard(1, 3)));
    }

    public void testTheSecondRunHasNumbersOfItsOwn() {
        assertEquals(List.of(0, 1, 2, 3), sorted(dropped(0, 0), stored(0, 1), stored(1, 2), failed(2, 3)));
        assertEquals(List.of(0, 1, 2, 3), sorted(failed(0, 0), stored(0, 1), failed(2, 2), dropped(1, 3)));
        assertEquals(List.of(0, 1, 2, 3), sorted(failed(0, 0), failed(1, 1), failed(2, 2), dropped(0, 3)));
    }

    public void testTheSecondRunBeforeTheFirst() {
        assertEquals(List.of(0, 1, 2, 3), sorted(failed(1, 1), dropped(0, 0), stored(0, 2), dropped(3, 3)));
    }

    /** Whatever two runs end: correct places stay, and after one run all are correct. */
    public void testNothingIsTakenApart() {
        Random random = new Random(randomLong());
        for (int round = 0; round < 10_000; round++) {
            int size = 1 + random.nextInt(7);
            List<Integer> all = IntStream.range(0, size).boxed().toList();
            List<Integer> first = some(all, random);
            List<Integer> rest =
                    all.stream().filter(i -> first.contains(i) == false).toList();
            boolean twice = random.nextBoolean();
            List<Integer> second = twice ? some(rest, random) : List.of();
            if (twice) {
                Collections.sort(first);
                Collections.sort(second);
            }
            BulkItemResponse[] answer = answer(all, first, second);
            assertEquals(first + ", then " + second + " of " + size, all, sorted(answer));
        }
    }

    private static List<Integer> some(List<Integer> places, Random random) {
        List<Integer> some = new ArrayList<>(places);
        Collections.shuffle(some, random);
        return new ArrayList<>(some.subList(0, random.nextInt(some.size() + 1)));
    }

    /** As {@code TransportBulkAction.BulkRequestModifier} builds it, twice. */
    private static BulkItemResponse[] answer(List<Integer> all, List<Integer> first, List<Integer> second) {
        List<Integer> rest =
                all.stream().filter(i -> first.contains(i) == false).toList();
        List<BulkItemResponse> inner = new ArrayList<>();
        second.forEach(place -> inner.add(ended(rest.indexOf(place), place)));
        List<Integer> left =
                rest.stream().filter(i -> second.contains(i) == false).toList();
        for (int i = 0; i < left.size(); i++) {
            inner.add(rest.indexOf(left.get(i)), stored(i, left.get(i)));
        }
        List<BulkItemResponse> outer = new ArrayList<>();
        first.forEach(place -> outer.add(ended(place, place)));
        for (int i = 0; i < rest.size(); i++) {
            outer.add(rest.get(i), inner.get(i));
        }
        return outer.toArray(BulkItemResponse[]::new);
    }

    private static BulkItemResponse ended(int itemId, int place) {
        return place % 2 == 0 ? dropped(itemId, place) : failed(itemId, place);
    }
}

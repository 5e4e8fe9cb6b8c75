/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.ReadSlices;
import org.opensearch.simhash.search.query.HitTexts;

/**
 * A document of an example.
 *
 * @param text its first words
 */
record ShownDocument(String index, String id, String text) {

    private static final int CHARACTERS = 200;

    /** Reads documents by address. A document that finds no room in memory has no words. */
    static Map<Long, ShownDocument> read(
            PointInTime pointInTime, String textField, long[] addresses, ReadSlices slices) {
        Map<Long, ShownDocument> read = new HashMap<>();
        for (int from = 0; from < addresses.length; ) {
            try (ReadSlices.Slice slice = slices.next()) {
                slice.read(
                        pointInTime,
                        Arrays.copyOfRange(addresses, from, addresses.length),
                        () -> new SearchSourceBuilder()
                                .fetchSource(new String[] {textField}, null)
                                .storedField(textField),
                        (address, hit) -> read.put(address, of(hit, textField)),
                        (hit, rejection) ->
                                read.put(pointInTime.address(hit), new ShownDocument(hit.getIndex(), hit.getId(), "")));
                from += slice.size();
            }
        }
        return read;
    }

    private static ShownDocument of(SearchHit hit, String field) {
        return new ShownDocument(hit.getIndex(), hit.getId(), firstWords(HitTexts.text(hit, field)));
    }

    /** Cut between words if there are any, never inside a character. */
    static String firstWords(String text) {
        String start = text.substring(0, Math.min(text.length(), 20 * CHARACTERS))
                .strip()
                .replaceAll("\\s+", " ");
        if (start.length() <= CHARACTERS) {
            return start;
        }
        int space = start.lastIndexOf(' ', CHARACTERS);
        int end = space > CHARACTERS / 2 ? space : CHARACTERS;
        if (Character.isHighSurrogate(start.charAt(end - 1))) {
            end--;
        }
        return start.substring(0, end) + " …";
    }

    Map<String, Object> asMap() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("index", index);
        shown.put("id", id);
        shown.put("text", text);
        return shown;
    }
}

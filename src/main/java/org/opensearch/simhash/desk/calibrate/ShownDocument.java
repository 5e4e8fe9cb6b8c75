/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.opensearch.search.SearchHit;
import org.opensearch.simhash.core.fingerprint.Recipe;
import org.opensearch.simhash.core.memory.Account;
import org.opensearch.simhash.jobs.scan.PointInTime;
import org.opensearch.simhash.jobs.scan.StoredTexts;
import org.opensearch.simhash.search.query.HitTexts;

/** A document of an example, with the beginning of what was compared, as people read it. */
record ShownDocument(String index, String id, String text) {

    private static final int KEPT = 8_000;
    static final int EXAMPLE = 200;
    static final int TO_JUDGE = 2_000;

    /** Of what two texts have in common before they differ. */
    private static final int BEFORE = 60;

    /** Reads documents by address. A document that finds no room in memory has no words. */
    static Map<Long, ShownDocument> read(
            PointInTime pointInTime, StoredTexts texts, String field, long[] addresses, Account memory) {
        Map<Long, ShownDocument> read = new HashMap<>();
        for (int from = 0; from < addresses.length; ) {
            from += texts.readWhole(
                    Arrays.copyOfRange(addresses, from, addresses.length),
                    (address, hit) -> read.put(address, of(hit, text(hit, field, texts.ofHits(), memory))),
                    (hit, rejection) -> read.put(pointInTime.address(hit), of(hit, "")));
        }
        return read;
    }

    private static ShownDocument of(SearchHit hit, String text) {
        return new ShownDocument(hit.getIndex(), hit.getId(), text);
    }

    private static String text(SearchHit hit, String field, HitTexts texts, Account memory) {
        Map<String, Object> source = hit.hasSource() ? hit.getSourceAsMap() : Map.of();
        Recipe recipe = texts.maker(hit.getIndex(), source).recipe();
        try (Account page = new Account(memory)) {
            String text = recipe.strip().strip(recipe.html().apply(HitTexts.text(hit, field), page));
            String start = text.length() <= KEPT ? text : text.substring(0, whole(text, KEPT));
            memory.take((long) start.length() * Character.BYTES);
            return start.strip().replaceAll("\\s+", " ");
        }
    }

    /** Its words from where they begin to differ from those of the other one, else the first ones. */
    Map<String, Object> beside(ShownDocument other, int length) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("index", index);
        shown.put("id", id);
        shown.put("text", words(text, other.text, length));
        return shown;
    }

    /** Cut between words if there are any, never inside a character. */
    static String words(String text, String other, int length) {
        int same = Arrays.mismatch(text.toCharArray(), other.toCharArray());
        int start = Math.max(0, same - BEFORE);
        if (start > 0) {
            int space = text.indexOf(' ', start);
            start = space >= 0 && space < same ? space + 1 : whole(text, start);
        }
        int end = text.length();
        if (end > start + length) {
            int space = text.lastIndexOf(' ', start + length);
            end = space > start + length / 2 ? space : whole(text, start + length);
        }
        return (start > 0 ? "… " : "") + text.substring(start, end) + (end < text.length() ? " …" : "");
    }

    private static int whole(String text, int at) {
        return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }
}

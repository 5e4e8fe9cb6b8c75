/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.index.mapper.SeqNoFieldMapper;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;
import org.opensearch.index.query.functionscore.ScoreFunctionBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.simhash.fingerprint.Fingerprint;
import org.opensearch.simhash.fingerprint.FingerprintFields;
import org.opensearch.simhash.fingerprint.LanguageCode;
import org.opensearch.simhash.fingerprint.SegmentLayout;

/** Fingerprints drawn by chance, each compared with itself: its bits and its segments with its hash. */
final class DocumentSample {

    /** The same index gives the same sample. */
    private static final int SEED = 64;

    /** Ids that a message names. */
    private static final int SHOWN = 3;

    private final List<String> rounded = new ArrayList<>();
    private final List<String> wronglySliced = new ArrayList<>();
    private final Set<String> unknownLanguages = new TreeSet<>();
    private int size;

    /** The search that draws, of documents that have bits or a hash. */
    static SearchSourceBuilder search(CheckedIndex index, int size) {
        FunctionScoreQueryBuilder byChance = new FunctionScoreQueryBuilder(
                QueryBuilders.boolQuery()
                        .filter(QueryBuilders.existsQuery(index.fingerprint() + "." + FingerprintFields.BITS)),
                ScoreFunctionBuilders.randomFunction().seed(SEED).setField(SeqNoFieldMapper.NAME));
        return new SearchSourceBuilder()
                .query(byChance)
                .size(size)
                .trackTotalHits(false)
                .fetchSource(
                        Stream.concat(Stream.of(index.fingerprint()), index.languageFields().stream())
                                .toArray(String[]::new),
                        null);
    }

    void add(SearchHit hit, CheckedIndex index) {
        if (hit.hasSource() == false) {
            return;
        }
        size++;
        for (Object object : values(index.fingerprint(), hit)) {
            if (object instanceof Map<?, ?> parts) {
                add(hit.getId(), parts);
            }
        }
        for (String field : index.languageFields()) {
            values(field, hit).stream()
                    .map(String::valueOf)
                    .filter(language -> LanguageCode.isOne(language) == false)
                    .forEach(unknownLanguages::add);
        }
    }

    private static List<?> values(String path, SearchHit hit) {
        Object value = XContentMapValues.extractValue(path, hit.getSourceAsMap());
        return value instanceof List<?> several ? several : value == null ? List.of() : List.of(value);
    }

    private void add(String id, Map<?, ?> parts) {
        if (parts.get(FingerprintFields.HASH) instanceof String hash && Fingerprint.isHex(hash, 16)) {
            long bits = Fingerprint.fromHex(hash);
            if (StoredBits.areOf(parts.get(FingerprintFields.BITS), bits) == false) {
                rounded.add(id);
            }
            if (isSlicedWrongly(parts, bits)) {
                wronglySliced.add(id);
            }
        }
    }

    private static boolean isSlicedWrongly(Map<?, ?> parts, long bits) {
        int segments = 0;
        while (segments < SegmentLayout.MAX && parts.get(FingerprintFields.segment(segments)) != null) {
            segments++;
        }
        if (segments < SegmentLayout.MIN) {
            return true;
        }
        String[] terms = new SegmentLayout(segments).terms(bits);
        for (int i = 0; i < segments; i++) {
            if (terms[i].equals(parts.get(FingerprintFields.segment(i))) == false) {
                return true;
            }
        }
        return false;
    }

    int size() {
        return size;
    }

    List<String> rounded() {
        return rounded;
    }

    List<String> wronglySliced() {
        return wronglySliced;
    }

    /** Values of the language fields that are no codes. */
    List<String> unknownLanguages() {
        return List.copyOf(unknownLanguages);
    }

    /** A few of some ids, for a message. */
    static String shown(List<String> ids) {
        String some = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
        return ids.size() > SHOWN ? some + ", …" : some;
    }
}

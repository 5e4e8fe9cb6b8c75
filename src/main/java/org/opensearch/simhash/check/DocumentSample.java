/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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
import org.opensearch.simhash.ingest.DocumentValues;
import org.opensearch.simhash.ingest.StoredFingerprint;

/** Compares the bits and segments of random fingerprints with their hash. */
final class DocumentSample {

    /** The same index gives the same sample. */
    private static final int SEED = 64;

    private static final int SHOWN = 3;

    private final List<String> ids = new ArrayList<>();
    private final List<String> rounded = new ArrayList<>();
    private final List<String> wronglySliced = new ArrayList<>();
    private final Set<String> unknownLanguages = new TreeSet<>();

    static SearchSourceBuilder search(CheckedIndex index, int size) {
        FunctionScoreQueryBuilder byChance = new FunctionScoreQueryBuilder(
                QueryBuilders.boolQuery().filter(index.with(FingerprintFields.BITS)),
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
        ids.add(hit.getId());
        for (Object object : DocumentValues.objectsAt(index.fingerprint(), hit.getSourceAsMap())) {
            if (object instanceof Map<?, ?> parts) {
                add(hit.getId(), parts);
            }
        }
        for (String field : index.languageFields()) {
            DocumentValues.at(field, hit.getSourceAsMap()).stream()
                    .map(String::valueOf)
                    .filter(language -> LanguageCode.isOne(language) == false)
                    .forEach(unknownLanguages::add);
        }
    }

    private void add(String id, Map<?, ?> parts) {
        if (parts.get(FingerprintFields.HASH) instanceof String hash && Fingerprint.isHex(hash, 16)) {
            long bits = Fingerprint.fromHex(hash);
            if (StoredFingerprint.areBitsOf(parts.get(FingerprintFields.BITS), bits) == false) {
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
        return ids.size();
    }

    /** In no order. */
    List<String> ids() {
        return ids;
    }

    List<String> rounded() {
        return rounded;
    }

    List<String> wronglySliced() {
        return wronglySliced;
    }

    List<String> unknownLanguages() {
        return List.copyOf(unknownLanguages);
    }

    static String shown(List<String> ids) {
        String some = String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())));
        return ids.size() > SHOWN ? some + ", …" : some;
    }
}

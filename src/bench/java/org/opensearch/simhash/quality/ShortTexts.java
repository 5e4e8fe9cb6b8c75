/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.opensearch.simhash.core.fingerprint.FingerprintFields;
import org.opensearch.simhash.core.text.Folding;
import org.opensearch.simhash.search.ingest.TextProcessor;

/**
 * Texts with too little in them, in all languages of the data sets: empty, of symbols only, of one word, of a few. They must
 * have no bits, and equal digests only when their tokens are equal but for case, to which the dots of Turkish letters belong. A text
 * without words has no digest.
 *
 * @param texts that were tried
 * @param tooShort of fewer features than {@code min_features}
 * @param withBits of those: must be 0
 * @param falseRepeats pairs of those with equal digests and different tokens: must be 0
 */
record ShortTexts(int texts, int tooShort, int withBits, int falseRepeats) {

    private static final List<String> EMPTY_AND_SYMBOLS =
            List.of("", " \n\t", "!!!", "???", "…", "-- -- --", "。。。", "★ ☆", "\u200b\ufeff", "¿?", "«»", "+-*/=");
    private static final int DOCUMENTS = 60;
    private static final int[] PREFIXES = {1, 2, 3, 5, 8, 13, 21, 34};

    static ShortTexts of(List<DataSet> sets, TextProcessor processor) {
        int minFeatures = processor.fingerprinter().recipe().minFeatures();
        int texts = 0;
        int tooShort = 0;
        int withBits = 0;
        int falseRepeats = 0;
        Map<String, String> contentByDigest = new HashMap<>();
        for (DataSet set : sets) {
            for (String text : shortTexts(set)) {
                Map<String, Object> fields = Fingerprints.process(text, set.language(), processor);
                texts++;
                if ((Integer) fields.get(FingerprintFields.FEATURES) < minFeatures) {
                    tooShort++;
                    withBits += fields.containsKey(FingerprintFields.BITS) ? 1 : 0;
                    String digest = (String) fields.get(FingerprintFields.DIGEST);
                    if (digest != null) {
                        String content = content(text, set.language(), processor);
                        String other = contentByDigest.putIfAbsent(digest, content);
                        falseRepeats += other != null && other.equals(content) == false ? 1 : 0;
                    }
                }
            }
        }
        return new ShortTexts(texts, tooShort, withBits, falseRepeats);
    }

    boolean pass() {
        return tooShort > 0 && withBits == 0 && falseRepeats == 0;
    }

    private static Set<String> shortTexts(DataSet set) {
        Set<String> texts = new LinkedHashSet<>(EMPTY_AND_SYMBOLS);
        int step = Math.max(1, set.documents().size() / DOCUMENTS);
        for (int i = 0; i < set.documents().size(); i += step) {
            String text = set.documents().get(i).text();
            for (int length : PREFIXES) {
                if (length < text.codePointCount(0, text.length())) {
                    texts.add(text.substring(0, text.offsetByCodePoints(0, length)));
                }
            }
        }
        return texts;
    }

    /** What the digest is made of. */
    private static String content(String text, String language, TextProcessor processor) {
        String prepared = processor.fingerprinter().prepare(text, bytes -> {});
        List<String> tokens = tokens(processor.fingerprinter().analyzer(language, prepared), prepared);
        return tokens.toString();
    }

    private static List<String> tokens(Analyzer analyzer, String text) {
        List<String> tokens = new ArrayList<>();
        try (TokenStream stream = analyzer.tokenStream(NodeProcessors.TEXT, text)) {
            CharTermAttribute token = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken()) {
                tokens.add(Folding.CASE.of(token.toString()));
            }
            stream.end();
        } catch (IOException e) {
            throw new UncheckedIOException("reading a string", e);
        }
        return tokens;
    }
}

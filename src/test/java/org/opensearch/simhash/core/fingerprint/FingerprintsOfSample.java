/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.cn.smart.SmartChineseAnalyzer;
import org.apache.lucene.analysis.de.GermanAnalyzer;
import org.apache.lucene.analysis.tr.TurkishAnalyzer;
import org.opensearch.simhash.core.fingerprint.Recipe.Weighting;
import org.opensearch.simhash.core.html.HtmlExtraction;
import org.opensearch.simhash.core.text.SourceTexts;

/**
 * Prints a hash over the fingerprints of {@value #DOCUMENTS} pieces of the sample corpus, in all its languages and by several analyzers:
 * what one JVM computes, for comparison with another.
 */
final class FingerprintsOfSample {

    static final int DOCUMENTS = 1_500;
    private static final int PIECE = 300;

    private FingerprintsOfSample() {}

    public static void main(String[] arguments) throws IOException {
        List<Fingerprinter> fingerprinters = List.of(
                new RecipeBuilder().with(new StandardWordAnalyzer()),
                new RecipeBuilder().hashFunction(HashFunction.MURMUR3).with(new SmartChineseAnalyzer()),
                new RecipeBuilder().featureWeights(Map.of("astro", 0.3)).with(new GermanAnalyzer()),
                new RecipeBuilder().weighting(Weighting.TF).with(new CJKAnalyzer()),
                new RecipeBuilder().html(HtmlExtraction.MAIN).with(new TurkishAnalyzer()));
        HashStream128 hash = Hashing.murmur3_128().hashStream();
        int documents = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                FingerprintsOfSample.class.getResourceAsStream("/sample/docs.ndjson"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && documents < DOCUMENTS; line = lines.readLine()) {
                for (int begin = 0; begin < line.length() && documents < DOCUMENTS; begin += PIECE) {
                    String piece = line.substring(begin, Math.min(line.length(), begin + PIECE));
                    Fingerprinter fingerprinter = fingerprinters.get(documents % fingerprinters.size());
                    hash.putString(fingerprinter
                            .fingerprint(SourceTexts.of(piece), bytes -> {})
                            .toString());
                    documents++;
                }
            }
        }
        System.out.println(documents + " " + hash.get());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import opennlp.tools.langdetect.Language;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;

/**
 * Tells the language of a text that comes without one: Apache OpenNLP's detector with its model of 103 languages, both inside
 * the plugin. Looks at the first {@value #SAMPLE} characters only: about a millisecond a text. The model takes 40 MB of heap
 * from the first text on (and that one two seconds), once per node. Thread-safe.
 *
 * <p>Sure for texts of a sentence or more; for a few words it is a guess, the same guess for the same words.
 */
public final class LanguageDetector {

    /** Part of the scheme: another model may see another language. */
    static final String MODEL = "langdetect-183";

    /** Part of the scheme, too: what the model gets to see of a text. */
    static final String SAMPLING = "condensed";

    private static final int SAMPLE = 400;

    /** The model speaks ISO 639-3, and distinguishes some languages more finely than ISO 639-1 does. */
    private static final Map<String, String> FINER = Map.of(
            "cmn", "zh", "nan", "zh", "pes", "fa", "nob", "no", "nno", "no", "lvs", "lv", "ekk", "et", "plt", "mg");

    private final Map<String, String> codes = new HashMap<>(FINER);
    private volatile LanguageDetectorModel model;

    public LanguageDetector() {
        for (String code : Locale.getISOLanguages()) {
            codes.putIfAbsent(Locale.of(code).getISO3Language(), code);
        }
    }

    /**
     * The code of the text's language, or null when it has none, or nothing that a language could be told by: that of ISO 639-1, for
     * languages without one, such as Low German ({@code nds}), that of ISO 639-3.
     */
    public String detect(String text) {
        StringBuilder sample = new StringBuilder();
        sample(text, sample);
        if (sample.codePoints().noneMatch(Character::isLetter)) {
            return null;
        }
        Language[] languages = new LanguageDetectorME(model()).predictLanguages(sample);
        // Of what is left of an address, nothing, the model finds each language as probable, and names its first.
        boolean isTold = languages[0].getConfidence() > languages[languages.length - 1].getConfidence();
        return isTold ? codes.getOrDefault(languages[0].getLang(), languages[0].getLang()) : null;
    }

    /**
     * Adds what counts of a text to a sample, as far as there is room: its first characters, with one blank in place of all white
     * space, and of the signs that OpenNLP takes for the beginning of a name, which in Chinese may be a whole paragraph.
     */
    static void sample(String text, StringBuilder sample) {
        boolean isBlank = sample.isEmpty() == false;
        for (int i = 0; i < text.length() && sample.length() < SAMPLE; i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || c == '#' || c == '@') {
                isBlank |= sample.isEmpty() == false;
                continue;
            }
            if (isBlank) {
                sample.append(' ');
                isBlank = false;
            }
            sample.append(c);
        }
    }

    static boolean isFull(StringBuilder sample) {
        return sample.length() >= SAMPLE;
    }

    private LanguageDetectorModel model() {
        LanguageDetectorModel loaded = model;
        return loaded == null ? load() : loaded;
    }

    private synchronized LanguageDetectorModel load() {
        if (model == null) {
            try (InputStream in = LanguageDetectorModel.class.getResourceAsStream("/" + MODEL + ".bin")) {
                model = new LanguageDetectorModel(in);
            } catch (IOException e) {
                throw new UncheckedIOException("the language model cannot be read", e);
            }
        }
        return model;
    }
}

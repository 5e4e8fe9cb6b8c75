/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
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

    static final int SAMPLE = 400;

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

    /** The ISO 639-1 code of the text's language, or null when it has none. */
    public String detect(String text) {
        String sample = text.length() <= SAMPLE ? text : text.substring(0, SAMPLE);
        return codes.get(new LanguageDetectorME(model()).predictLanguage(sample).getLang());
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

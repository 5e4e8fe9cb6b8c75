/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import opennlp.tools.langdetect.Language;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;

/**
 * Detects the language of a text, by its script if only one language uses it, else by Apache OpenNLP's model of 103
 * languages. Reads the first {@value #SAMPLE} characters: about a millisecond. The model loads once per node on demand:
 * two seconds, 40 MB of heap. Thread-safe.
 *
 * <p>There is no result for fewer than {@value #SHORTEST} letters in a script of several languages, or when two
 * languages are nearly equal. Otherwise an edit could change the language, and near texts would go through different
 * analyzers.
 */
public final class LanguageDetector {

    /** Part of the scheme: another model may detect another language. */
    static final String MODEL = "langdetect-183";

    /** Part of the scheme: the kind of sample that the model gets. */
    static final String SAMPLING = "condensed, by script";

    private static final int SAMPLE = 400;

    /** Fewest letters; docs/decisions.md has the measurements. */
    private static final int SHORTEST = 40;

    /** Least ratio of the most probable language to the next one. */
    private static final double MARGIN = 1.1;

    private volatile LanguageDetectorModel model;

    /** The language code, as in {@link LanguageCode#language}; null if undecided. */
    public String detect(String text) {
        StringBuilder sample = new StringBuilder();
        sample(text, sample);
        WrittenScripts written = WrittenScripts.of(sample);
        Set<UnicodeScript> scripts = written.main();
        if (scripts.isEmpty() || ScriptsOfLanguages.know(scripts) == false) {
            return null;
        }
        for (UnicodeScript script : scripts) {
            String single = ScriptsOfLanguages.single(script);
            if (single != null && written.areMostly(script)) {
                return IsoLanguages.canonical(single);
            }
        }
        return written.letters() < SHORTEST ? null : mostProbable(sample, scripts);
    }

    private String mostProbable(CharSequence sample, Set<UnicodeScript> scripts) {
        // The model distinguishes some languages more finely than codes do.
        Map<String, Double> languages = new LinkedHashMap<>();
        for (Language language : new LanguageDetectorME(model()).predictLanguages(sample)) {
            if (ScriptsOfLanguages.areWritten(language.getLang(), scripts)) {
                languages.merge(IsoLanguages.canonical(language.getLang()), language.getConfidence(), Double::sum);
            }
        }
        String first = null;
        double most = 0;
        double next = 0;
        for (Map.Entry<String, Double> language : languages.entrySet()) {
            if (language.getValue() > most) {
                next = most;
                most = language.getValue();
                first = language.getKey();
            } else {
                next = Math.max(next, language.getValue());
            }
        }
        return most >= MARGIN * next ? first : null;
    }

    /**
     * Appends a text to a sample while there is room. One blank replaces white space, and the signs at which OpenNLP
     * removes a name: in Chinese that may be a whole paragraph.
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

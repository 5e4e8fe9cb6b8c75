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
 * Tells the language of a text that comes without one: by its script where only one language has that, else by Apache OpenNLP's
 * detector with its model of 103 languages, both inside the plugin. Looks at the first {@value #SAMPLE} characters only: about a
 * millisecond a text. The model takes 40 MB of heap from the first text on that needs it (and that one two seconds), once per
 * node. Thread-safe.
 *
 * <p>A language is one of those whose script the text is written in. A text of less than {@value #SHORTEST} letters in a script of
 * several languages has none, nor has one that two languages share nearly equally: a guess may change with each edit, and near
 * texts would go through different analyzers.
 */
public final class LanguageDetector {

    /** Part of the scheme: another model may see another language. */
    static final String MODEL = "langdetect-183";

    /** Part of the scheme, too: what the model gets to see of a text. */
    static final String SAMPLING = "condensed, by script";

    private static final int SAMPLE = 400;

    /**
     * Of 1,620 sentences of news and manuals in 20 languages 8.9 % got another analyzer when a word changed, and 10.6 % a wrong one;
     * with this bound, the margin and the scripts 5.0 % and 0.8 %. A bound of 60 gives 2.9 % there, and many times more on plain
     * sentences, whose length it then splits.
     */
    private static final int SHORTEST = 40;

    /** Of the most probable language over the next one. */
    private static final double MARGIN = 1.1;

    private volatile LanguageDetectorModel model;

    /**
     * The code of the text's language, as {@link LanguageCode#language} has it; null where it cannot be told.
     */
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
        // The model distinguishes some languages more finely than their codes do.
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import opennlp.tools.langdetect.Language;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;

/**
 * Detects the language of a text by the vote of {@value #WINDOWS} windows over all of it, so that boilerplate of another
 * language decides nothing. A window votes by its script if only one language uses it, else by Apache OpenNLP's model of
 * 103 languages. Reads {@value #WINDOWS} times {@value #WIDTH} characters: two
 * milliseconds. The model loads once per node on demand: two seconds, 40 MB of heap. Thread-safe.
 *
 * <p>There is no result for fewer than {@value #SHORTEST} letters in a script of several languages, when two languages
 * are nearly equal, or when no language has a good part of the votes, as in languages that the model does not know.
 * Otherwise an edit could change the language, and near texts would go through different analyzers.
 */
public final class LanguageDetector {

    /** Part of the scheme: another model may detect another language. */
    static final String MODEL = "langdetect-183";

    /** Part of the scheme: the kind of sample that the model gets. */
    static final String SAMPLING = "vote of windows";

    private static final int WINDOWS = 5;
    /** Most characters of a window. */
    private static final int WIDTH = 200;
    /** Characters of a text for each window. */
    private static final int NARROWEST = 100;
    /** Letters of a window with a whole vote. */
    private static final int VOTER = 20;

    /** Fewest letters; docs/figures/decisions.md has the measurements. */
    private static final int SHORTEST = 40;

    /** Least ratio of the most probable language to the next one. */
    private static final double MARGIN = 1.1;

    private static final int SHARPNESS = 8;

    /** Least part of all votes. */
    private static final double LEAST_PART = 0.5;

    /** The votes of windows in scripts that no language of the model uses. */
    private static final String UNKNOWN = "";

    private volatile LanguageDetectorModel model;

    /** The language code, as in {@link LanguageCode#language}; null if undecided. */
    public String detect(String text) {
        Map<String, Double> votes = new LinkedHashMap<>();
        List<StringBuilder> windows = windows(text);
        List<WrittenScripts> written = windows.stream().map(WrittenScripts::of).toList();
        int letters = written.stream().mapToInt(WrittenScripts::letters).sum();
        for (int i = 0; i < windows.size(); i++) {
            vote(windows.get(i), written.get(i), letters >= SHORTEST, votes);
        }
        return elected(votes);
    }

    private void vote(CharSequence window, WrittenScripts written, boolean asksModel, Map<String, Double> votes) {
        Set<UnicodeScript> scripts = written.main();
        if (scripts.isEmpty()) {
            return;
        }
        double count = Math.min(1.0, (double) written.letters() / VOTER);
        if (ScriptsOfLanguages.know(scripts) == false) {
            votes.merge(UNKNOWN, count, Double::sum);
            return;
        }
        for (UnicodeScript script : scripts) {
            String single = ScriptsOfLanguages.single(script);
            if (single != null && written.areMostly(script)) {
                votes.merge(IsoLanguages.canonical(single), count, Double::sum);
                return;
            }
        }
        if (asksModel == false) {
            votes.merge(UNKNOWN, count, Double::sum);
            return;
        }
        // The model distinguishes some languages more finely than codes do.
        Map<String, Double> languages = new LinkedHashMap<>();
        for (Language language : new LanguageDetectorME(model()).predictLanguages(window)) {
            boolean isWritten = ScriptsOfLanguages.areWritten(language.getLang(), scripts);
            if (isWritten) {
                languages.merge(IsoLanguages.canonical(language.getLang()), language.getConfidence(), Double::sum);
            }
        }
        // Its confidence is spread over all languages: a clear result has a few hundredths, twice as many as the next
        // one.
        languages.replaceAll((language, confidence) -> Math.pow(confidence, SHARPNESS));
        double all = languages.values().stream().mapToDouble(part -> part).sum();
        languages.forEach((language, part) -> votes.merge(language, count * part / all, Double::sum));
    }

    private static String elected(Map<String, Double> votes) {
        String first = null;
        double mostVotes = 0;
        double next = 0;
        double all = 0;
        for (Map.Entry<String, Double> language : votes.entrySet()) {
            all += language.getValue();
            if (language.getValue() > mostVotes) {
                next = mostVotes;
                mostVotes = language.getValue();
                first = language.getKey();
            } else {
                next = Math.max(next, language.getValue());
            }
        }
        return UNKNOWN.equals(first) || mostVotes < MARGIN * next || mostVotes < LEAST_PART * all ? null : first;
    }

    /** Evenly over the text; a short text has fewer. */
    private static List<StringBuilder> windows(String text) {
        int count = Math.clamp(text.length() / NARROWEST, 1, WINDOWS);
        List<StringBuilder> windows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) text.length() * i / count);
            int to = (int) ((long) text.length() * (i + 1) / count);
            windows.add(window(text, from, to));
        }
        return windows;
    }

    /**
     * The first characters of a part of a text. One blank replaces white space, and the signs at which OpenNLP removes a
     * name: in Chinese that may be a whole paragraph.
     */
    private static StringBuilder window(String text, int from, int to) {
        StringBuilder window = new StringBuilder();
        boolean isBlank = false;
        for (int i = from; i < to && window.length() < WIDTH; i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || c == '#' || c == '@') {
                isBlank = window.isEmpty() == false;
                continue;
            }
            if (isBlank) {
                window.append(' ');
                isBlank = false;
            }
            window.append(c);
        }
        return window;
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

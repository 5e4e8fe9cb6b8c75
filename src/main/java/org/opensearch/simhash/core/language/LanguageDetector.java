/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.language;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import opennlp.tools.langdetect.Language;
import opennlp.tools.langdetect.LanguageDetectorME;
import opennlp.tools.langdetect.LanguageDetectorModel;

/**
 * Elects what the language of a text stands for, such as its analyzer, by the vote of {@value #WINDOWS} windows over all of it, so that
 * boilerplate of another language decides nothing. A window votes by its script if only one language uses it, else by Apache OpenNLP's
 * model of 103 languages, if a known one uses it. Languages that stand for the same thing vote together: a text between two of them is not
 * parted from its versions. Digits, marks, addresses and code do not count. Reads {@value #WINDOWS} times {@value #WIDTH} letters: two
 * milliseconds where the model is asked. It loads once per node on demand: two seconds, 40 MB of heap. Thread-safe.
 *
 * <p>The result is that of no language for fewer than {@value #SHORTEST} letters in a script of several languages, when
 * two results are nearly equal, or when none has a good part of the votes, as in languages that the model does not know.
 * Otherwise an edit could change the result, and near texts would go through different analyzers.
 */
public final class LanguageDetector {

    /** Part of the scheme: another model may detect another language. */
    public static final String MODEL = "langdetect-183";

    /** Part of the scheme: the kind of sample that the model gets. */
    public static final String SAMPLING = "vote of words";

    private static final int WINDOWS = 5;
    /** Most characters of a window. */
    private static final int WIDTH = 200;
    /** Letters of a text for each window. */
    private static final int NARROWEST = 100;
    /** Letters of a window with a whole vote. */
    private static final int VOTER = 20;

    /** Fewest letters; docs/figures/decisions.md has the measurements. */
    private static final int SHORTEST = 40;

    /** Least ratio of the most probable language to the next one. */
    private static final double MARGIN = 1.1;

    private static final int SHARPNESS = 8;

    /** Of a run of ASCII characters: a number, an address, a name in a program, or a sign at which OpenNLP removes names. */
    private static final Pattern CODE = Pattern.compile("[0-9_/\\\\{}=<>@#|~^$&*+]|[.:][A-Za-z]|[a-z][A-Z]|\\(\\)");

    private static final double LEAST_PART = 0.5;

    /** The votes of windows in scripts that no language of the model uses. */
    private static final String UNKNOWN = "";

    private volatile LanguageDetectorModel model;

    /** What the language of a text stands for, by code; of null that of no language. Known are the codes that the meaning distinguishes. */
    public <T> T elected(String text, Set<String> known, Function<String, T> meaning) {
        Map<T, Double> votes = new LinkedHashMap<>();
        List<StringBuilder> windows = windows(text);
        List<WrittenScripts> written = windows.stream().map(WrittenScripts::of).toList();
        int letters = written.stream().mapToInt(WrittenScripts::letters).sum();
        for (int i = 0; i < windows.size(); i++) {
            Set<UnicodeScript> scripts = written.get(i).main();
            if (scripts.isEmpty() == false) {
                double count = Math.min(1.0, (double) written.get(i).letters() / VOTER);
                boolean asksModel = letters >= SHORTEST && areWritten(known, scripts);
                languages(windows.get(i), written.get(i), asksModel)
                        .forEach((language, part) -> votes.merge(
                                meaning.apply(UNKNOWN.equals(language) ? null : language), count * part, Double::sum));
            }
        }
        return elected(votes, meaning.apply(null));
    }

    /** The parts of a window's vote by language; they add up to 1. */
    private Map<String, Double> languages(CharSequence window, WrittenScripts written, boolean asksModel) {
        Set<UnicodeScript> scripts = written.main();
        if (ScriptsOfLanguages.know(scripts) == false) {
            return Map.of(UNKNOWN, 1.0);
        }
        for (UnicodeScript script : scripts) {
            String single = ScriptsOfLanguages.single(script);
            if (single != null && written.areMostly(script)) {
                return Map.of(single, 1.0);
            }
        }
        if (asksModel == false) {
            return Map.of(UNKNOWN, 1.0);
        }
        // The model distinguishes some languages more finely than codes do.
        Map<String, Double> languages = new LinkedHashMap<>();
        for (Language language : new LanguageDetectorME(model()).predictLanguages(window)) {
            String code = IsoLanguages.canonical(language.getLang());
            if (ScriptsOfLanguages.areWritten(code, scripts)) {
                languages.merge(code, language.getConfidence(), Double::sum);
            }
        }
        // Its confidence is spread over all languages: a clear result has a few hundredths, twice as many as the next
        // one.
        languages.replaceAll((language, confidence) -> Math.pow(confidence, SHARPNESS));
        double all = languages.values().stream().mapToDouble(part -> part).sum();
        languages.replaceAll((language, part) -> part / all);
        return languages;
    }

    /** Whether one of some languages uses one of these scripts. */
    private static boolean areWritten(Set<String> known, Set<UnicodeScript> scripts) {
        return known.stream().anyMatch(code -> ScriptsOfLanguages.areWritten(code.split("-", 2)[0], scripts));
    }

    private static <T> T elected(Map<T, Double> votes, T undecided) {
        T first = undecided;
        double mostVotes = 0;
        double next = 0;
        double all = 0;
        for (Map.Entry<T, Double> one : votes.entrySet()) {
            all += one.getValue();
            if (one.getValue() > mostVotes) {
                next = mostVotes;
                mostVotes = one.getValue();
                first = one.getKey();
            } else {
                next = Math.max(next, one.getValue());
            }
        }
        return mostVotes < MARGIN * next || mostVotes < LEAST_PART * all ? undecided : first;
    }

    /** Evenly over the text. A text with few letters has fewer. */
    private static List<StringBuilder> windows(String text) {
        List<StringBuilder> parts = new ArrayList<>(WINDOWS);
        for (int i = 0; i < WINDOWS; i++) {
            int from = (int) ((long) text.length() * i / WINDOWS);
            int to = (int) ((long) text.length() * (i + 1) / WINDOWS);
            parts.add(window(text, from, to));
        }
        int length = parts.stream().mapToInt(StringBuilder::length).sum();
        int count = Math.clamp(length / NARROWEST, 1, WINDOWS);
        for (int i = WINDOWS - 1; i > 0; i--) {
            if (i * count / WINDOWS == (i - 1) * count / WINDOWS) {
                parts.get(i - 1).append(parts.remove(i));
            }
        }
        return parts;
    }

    /** The first letters of a part of a text. One blank replaces all that does not count. */
    private static StringBuilder window(String text, int from, int to) {
        StringBuilder window = new StringBuilder();
        boolean isBlank = false;
        for (int i = from; i < to && window.length() < WIDTH; i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                isBlank = true;
            } else if (isAscii(c)) {
                int end = i + 1;
                while (end < to && isAscii(text.charAt(end)) && Character.isWhitespace(text.charAt(end)) == false) {
                    end++;
                }
                if (CODE.matcher(text).region(i, end).find()) {
                    isBlank = true;
                } else {
                    append(text.substring(i, Math.min(end, i + WIDTH)), isBlank, window);
                    isBlank = false;
                }
                i = end - 1;
            } else if (Character.isDigit(c) == false && isMark(c) == false) {
                append(String.valueOf(c), isBlank, window);
                isBlank = false;
            }
        }
        return window;
    }

    private static void append(String word, boolean isBlank, StringBuilder window) {
        window.append(isBlank && window.isEmpty() == false ? " " : "").append(word);
    }

    private static boolean isAscii(char c) {
        return c < 0x80;
    }

    /** Accents and vowel signs that a text of the same language may leave out. */
    private static boolean isMark(char c) {
        UnicodeScript script = UnicodeScript.of(c);
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK ->
                script == UnicodeScript.INHERITED || script == UnicodeScript.ARABIC || script == UnicodeScript.HEBREW;
            case Character.MODIFIER_LETTER -> script == UnicodeScript.ARABIC;
            default -> false;
        };
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.ingest;

import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.common.settings.Settings;

/**
 * The rule for a setting of an analyzer part in a request. Values are read as OpenSearch reads them.
 *
 * @param rule for errors, after "must be"
 * @param size least size of what the part makes of the setting; negative if the setting breaks the rule
 */
record SettingRule(String rule, ToLongBiFunction<Settings, String> size) {

    private static final int MAX_ENTRIES = 1_000;
    private static final int MAX_ENTRY = 100;
    private static final int MAX_SYNONYMS = 500;
    private static final int MAX_COUNTS = 1_000;

    /** A repetition in {@code simple_pattern}, which the automaton copies. */
    private static final Pattern COUNTS = Pattern.compile("\\{(\\d{1,9})(?:,(\\d{0,9}))?}");

    static SettingRule number(int least, int most) {
        return new SettingRule("a whole number between " + least + " and " + most, (settings, name) -> {
            int number = settings.getAsInt(name, least);
            return number < least || number > most ? -1 : 0;
        });
    }

    /** A number that is a size. */
    static SettingRule count(int most) {
        return new SettingRule("a whole number between 1 and " + most, (settings, name) -> {
            int number = settings.getAsInt(name, 1);
            return number < 1 || number > most ? -1 : number;
        });
    }

    static SettingRule flag() {
        return new SettingRule("true or false", (settings, name) -> {
            settings.getAsBoolean(name, false);
            return 0;
        });
    }

    /** A name, such as a language, which may also name a class. */
    static SettingRule name() {
        Pattern name = Pattern.compile("\\w{1,32}");
        return new SettingRule(
                "a name of letters",
                (settings, key) -> name.matcher(settings.get(key)).matches() ? 0 : -1);
    }

    static SettingRule text(int most) {
        return new SettingRule(
                "a string of at most " + most + " characters",
                (settings, name) -> settings.get(name).length() > most ? -1 : 0);
    }

    /** Words, as a list or separated by commas. */
    static SettingRule words() {
        return entries("words", true);
    }

    /** Rules. Some are read by a regular expression that is quadratic in their length. */
    static SettingRule rules() {
        return entries("rules", false);
    }

    private static SettingRule entries(String what, boolean commas) {
        return new SettingRule(
                "at most " + MAX_ENTRIES + " " + what + " of at most " + MAX_ENTRY + " characters",
                (settings, name) -> {
                    List<String> entries = settings.getAsList(name, List.of(), commas);
                    return entries.size() > MAX_ENTRIES || isLong(entries, MAX_ENTRY) ? -1 : entries.size();
                });
    }

    /** Each word of a rule may replace each other one. */
    static SettingRule synonyms() {
        return new SettingRule(
                "at most " + MAX_ENTRIES + " rules of at most " + MAX_SYNONYMS + " characters", (settings, name) -> {
                    List<String> rules = settings.getAsList(name, List.of(), false);
                    return rules.size() > MAX_ENTRIES || isLong(rules, MAX_SYNONYMS)
                            ? -1
                            : rules.stream().mapToLong(SettingRule::pairs).sum();
                });
    }

    private static boolean isLong(List<String> entries, int most) {
        return entries.stream().anyMatch(entry -> entry.length() > most);
    }

    private static long pairs(String rule) {
        long words = rule.chars().filter(c -> c == ',').count() + 1;
        return words * words;
    }

    /** A regular expression of the JDK. */
    static SettingRule linearPattern() {
        return new SettingRule(LinearPattern.rule(), (settings, name) -> LinearPattern.is(settings.get(name)) ? 0 : -1);
    }

    /** A regular expression of Lucene, which becomes an automaton. */
    static SettingRule automaton() {
        return new SettingRule(
                "a regular expression of at most " + LinearPattern.MAX_LENGTH
                        + " characters without [<], [~] and [&], whose counts multiply to " + MAX_COUNTS + " at most",
                (settings, name) -> states(settings.get(name)));
    }

    private static long states(String pattern) {
        if (pattern.length() > LinearPattern.MAX_LENGTH || pattern.matches("(?s).*[<~&].*")) {
            return -1;
        }
        double counts = 1;
        for (Matcher found = COUNTS.matcher(pattern); found.find(); ) {
            counts *= Math.max(count(found.group(1)), count(found.group(2)));
        }
        // A remaining brace is a count that is not understood here.
        boolean isRead = COUNTS.matcher(pattern).replaceAll("").indexOf('{') < 0;
        return counts > MAX_COUNTS || isRead == false ? -1 : (long) (counts * pattern.length());
    }

    /** At least one. */
    private static int count(String digits) {
        return digits == null || digits.isEmpty() ? 1 : Math.max(1, Integer.parseInt(digits));
    }

    /** The size, or negative if the setting breaks the rule. */
    long sizeOf(Settings settings, String name) {
        try {
            return size.applyAsLong(settings, name);
        } catch (RuntimeException e) {
            return -1;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an element in its page, by its attributes. Class names and ids are split into words ({@code entry-content}, {@code
 * navBar_left}) and looked up in word lists, as in Readability. Whole words keep {@code shadow} from being an {@code ad}.
 *
 * @param hidden not shown to readers
 * @param foreign named like a part that is never in an article: comments, consent, recommendations, sidebars
 * @param intrusive named like an overlay or insertion that is never the article: consent, newsletter, advertisement
 * @param around foreign only by names that describe its content, such as {@code with-sidebar}
 * @param minor named like a part that may be in an article without being its text: byline, share buttons, tags
 * @param textual named like a container of text, so {@code minor} does not count
 * @param body declared as the article's body
 * @param role the ARIA role, or empty
 * @param className the {@code class} attribute, or empty
 */
record Hints(
        boolean hidden,
        boolean foreign,
        boolean intrusive,
        boolean around,
        boolean minor,
        boolean textual,
        boolean body,
        String role,
        String className) {

    static final Hints NONE = new Hints(false, false, false, false, false, false, false, "", "");

    /** Letters up to the next capital after a small letter. */
    private static final Pattern WORD = Pattern.compile("[A-Z]+[a-z]*|[a-z]+");

    /** A longer id is an anchor made of a heading. */
    private static final int MOST_WORDS_OF_ID = 3;

    /** Beginnings of words. */
    private static final String[] FOREIGN = """
            advert alsoread breadcrumb comentario comment consent cookie didomi disqus footer gdpr kommentar login masthead
            modal mostread navbar navig newsletter offcanvas onetrust outbrain overlay pagination popular popup publicid
            publicit readmore recirc recommend related seealso sidebar signup skiplink sponsor subscri taboola
            trending usercentrics werbung""".split("\\s+");

    /** Beginnings of words; all are foreign too. */
    private static final String[] INTRUSIVE = """
            advert consent cookie didomi gdpr newsletter onetrust outbrain subscri taboola usercentrics werbung""".split("\\s+");

    private static final Set<String> MINOR = Set.of("""
            abo ad addthis ads adv affiliate also anzeige aside author banner banners bio bookmarks buttons byline
            categories category catlinks channels contributors copyright credit credits date dateline disclaimer
            discussion donate editsection email extra facebook follow forum further headlines hidden info jump
            keywords latest legal license menu meta metadata more nav navbox next noprint pager paging poll prev
            previous print privacy promo promotion promotions published rail rating ratings register remote reply
            respond rss share sharebar sharer shares sharing signin social sticky submenu tag taglist tags teaser
            teasers timestamp toc toolbar tools topics twitter upsell whatsapp widget""".split("\\s+"));

    private static final Set<String> TEXTUAL = Set.of("""
            article blog body column container content entry has main no page paragraph post story text with wrapper""".split("\\s+"));

    /** Not readers' comments. */
    private static final Set<String> OPINIONS = Set.of("commentaries", "commentary");

    /** The word after one of these describes the content of the block. */
    private static final Set<String> AROUND = Set.of("has", "with");

    private static final Set<String> ARTICLE = Set.of("article", "entry", "post", "story");
    private static final Set<String> BODY = Set.of("body", "content", "text");

    static Hints of(MarkupReader reader) {
        String className = orEmpty(reader.attribute("class"));
        String id = orEmpty(reader.attribute("id"));
        String role = orEmpty(reader.attribute("role"));
        String label = orEmpty(reader.attribute("aria-label"));
        String style = orEmpty(reader.attribute("style")).replace(" ", "").toLowerCase(Locale.ROOT);
        boolean hidden = isHidden(reader, style);
        boolean body = "articleBody".equals(reader.attribute("itemprop"));
        boolean fixed = style.contains("position:fixed");
        boolean unnamed = className.isEmpty() && id.isEmpty() && role.isEmpty() && label.isEmpty();
        if (unnamed && hidden == false && body == false && fixed == false) {
            return NONE;
        }
        Words words = new Words();
        words.read(className);
        if (WORD.matcher(id).results().count() <= MOST_WORDS_OF_ID) {
            words.read(id);
        }
        boolean intrusive = (words.intrusive && words.itself) || fixed || Words.areIntrusive(label);
        boolean named = words.article && words.body && words.foreign == false;
        return new Hints(
                hidden,
                words.foreign || intrusive,
                intrusive,
                words.foreign && words.itself == false,
                words.minor,
                words.textual,
                body || named,
                role,
                className);
    }

    private static boolean isHidden(MarkupReader reader, String style) {
        if (reader.attribute("hidden") != null || "true".equals(reader.attribute("aria-hidden"))) {
            return true;
        }
        return style.contains("display:none") || style.contains("visibility:hidden");
    }

    /** Whether at least half of the class names are equal, as in the parts of one article. */
    boolean sharesNamesWith(Hints other) {
        if (className.equals(other.className)) {
            return true;
        }
        Set<String> names = new HashSet<>(Arrays.asList(className.split("\\s+")));
        Set<String> others = new HashSet<>(Arrays.asList(other.className.split("\\s+")));
        int larger = Math.max(names.size(), others.size());
        names.retainAll(others);
        return names.size() * 2 >= larger;
    }

    private static String orEmpty(String attribute) {
        return attribute == null ? "" : attribute;
    }

    private static final class Words {

        private boolean foreign;
        private boolean intrusive;
        private boolean itself;
        private boolean minor;
        private boolean textual;
        private boolean article;
        private boolean body;
        private boolean contained;

        void read(String names) {
            Matcher words = WORD.matcher(names);
            while (words.find()) {
                look(words.group().toLowerCase(Locale.ROOT));
            }
        }

        private void look(String word) {
            if (isForeign(word)) {
                foreign = true;
                itself |= contained == false;
                intrusive |= startsLike(word, INTRUSIVE);
            }
            contained = AROUND.contains(word);
            minor |= MINOR.contains(word);
            textual |= TEXTUAL.contains(word);
            article |= ARTICLE.contains(word);
            body |= BODY.contains(word);
        }

        static boolean areIntrusive(String label) {
            Words words = new Words();
            words.read(label);
            return words.intrusive;
        }

        private static boolean isForeign(String word) {
            return startsLike(word, FOREIGN) && OPINIONS.contains(word) == false;
        }

        private static boolean startsLike(String word, String[] stems) {
            for (String stem : stems) {
                if (word.startsWith(stem)) {
                    return true;
                }
            }
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the attributes of an element say about its part in the page. Names of classes and ids are cut into words
 * ({@code entry-content}, {@code navBar_left}) and looked up in lists of the words that page authors use; word lists are
 * what Readability has shown to work, whole words keep {@code shadow} from being an {@code ad}.
 *
 * @param hidden not shown to readers
 * @param foreign named like something that is never part of an article: comments, consent, recommendations, sidebars
 * @param intrusive named like something that is laid over or put between the texts of a page, and never is its article: requests
 *     for consent, newsletters, advertisements
 * @param around foreign only by names that tell what is in it, as {@code with-sidebar}
 * @param minor named like something that may stand in an article without being its text: bylines, share buttons, tags
 * @param textual named like something that holds text, so that {@code minor} is no reason to drop it
 * @param body says that it is the article's body
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

    /** Ends where the letters end, or where a capital follows a small letter. */
    private static final Pattern WORD = Pattern.compile("[A-Z]+[a-z]*|[a-z]+");

    /** A longer id is an anchor made from a heading. */
    private static final int MOST_WORDS_OF_ID = 3;

    /** First letters of words. */
    private static final String[] FOREIGN = """
            advert alsoread breadcrumb comentario comment consent cookie didomi disqus footer gdpr kommentar login masthead
            modal mostread navbar navig newsletter offcanvas onetrust outbrain overlay pagination popular popup publicid
            publicit readmore recirc recommend related seealso sidebar signup skiplink sponsor subscri taboola
            trending usercentrics werbung""".split("\\s+");

    /** Likewise, of what is foreign. */
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

    /** No readers' comments. */
    private static final Set<String> OPINIONS = Set.of("commentaries", "commentary");

    /** What a name tells behind these is in the block, not the block. */
    private static final Set<String> AROUND = Set.of("has", "with");

    private static final Set<String> ARTICLE = Set.of("article", "entry", "post", "story");
    private static final Set<String> BODY = Set.of("body", "content", "text");

    /** The hints of the reader's current start tag. */
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

    /** Whether at least half of the class names are the same, as among the parts of one article. */
    boolean sharesNamesWith(Hints other) {
        if (className.equals(other.className)) {
            return true;
        }
        Set<String> names = new HashSet<>(Arrays.asList(className.split("\\s+")));
        Set<String> others = new HashSet<>(Arrays.asList(other.className.split("\\s+")));
        int most = Math.max(names.size(), others.size());
        names.retainAll(others);
        return names.size() * 2 >= most;
    }

    private static String orEmpty(String attribute) {
        return attribute == null ? "" : attribute;
    }

    /** What the words of an element's names say, taken together. */
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

        /** Whether what a block is called for those who do not see it says so. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.Set;

/**
 * Which blocks of a page are no part of its article, by what they say about themselves: their element, ARIA role, and
 * names. Each level believes less than the one before, for pages that say what is not so.
 */
enum Boilerplate {

    /** Elements, roles, hidden blocks and names. */
    BY_NAME,

    /** Elements and roles. */
    BY_ELEMENT,

    /** Elements and roles, of blocks that hold less than half of the page's running text. */
    BY_SIZE;

    private static final Set<String> ELEMENTS = Set.of("""
            aside button datalist dialog footer menu nav optgroup option select textarea title""".split("\\s+"));

    private static final Set<String> ROLES = Set.of("""
            alert alertdialog banner complementary contentinfo dialog menu menubar navigation search toolbar tooltip""".split("\\s+"));

    private static final Set<String> SET_APART = Set.of("aside", "dialog");

    private static final Set<String> DIALOGS = Set.of("alertdialog", "dialog");

    /** A block with more of a page's letters outside links has got its name for another reason. */
    private static final double MOST_OF_A_PAGE = 0.95;

    /** Three lines of text: what is named like a byline or a share box and is longer has got the name for another reason. */
    private static final int LONGEST_MINOR = 300;

    private static final int LONGEST_MINOR_WITH_LINKS = 1000;

    private static final double MANY_LINKS = 0.3;

    /** Mass of some 700 letters in one container: more than a site says about itself beside each of its articles. */
    static final double ARTICLE = 300;

    /** Mass of some 1,500 letters in one container. */
    private static final double LONGEST_INTRUSION = 900;

    private static final double SMALL_PART = 0.25;

    /**
     * Whether a measured block is boilerplate.
     *
     * @param page what it is a part of, measured
     */
    boolean contains(Block block, Block page) {
        boolean smallerPart = block.mass() * 2 <= page.mass();
        if (isIntrusive(block, page)) {
            return true;
        }
        if (ELEMENTS.contains(block.tag()) || ROLES.contains(block.hints().role())) {
            return smallerPart || (this != BY_SIZE && isWhereTheArticleIs(block, page) == false);
        }
        if (this != BY_NAME) {
            return false;
        }
        return block.hints().hidden()
                ? smallerPart
                : isNamedSo(block, smallerPart || (block.hints().around() == false && leavesAnArticle(block, page)));
    }

    /**
     * Whether a block is something that readers click away, at every level and of whatever length: a short story has less text than
     * what asks for consent beside it. Not where nothing else has text, where the article itself is in there, or of a whole article's
     * length: that has got its name for another reason.
     */
    private static boolean isIntrusive(Block block, Block page) {
        Hints hints = block.hints();
        boolean named = hints.intrusive() || SET_APART.contains(block.tag()) || DIALOGS.contains(hints.role());
        return named
                && block.isParagraph() == false
                && block.mass() < LONGEST_INTRUSION
                && page.plainLength() - block.plainLength() >= TextRun.SHORTEST_PROSE
                && holdsTheArticle(block, page) == false;
    }

    private static boolean holdsTheArticle(Block block, Block page) {
        return isWhereTheArticleIs(block, page)
                || block.isArticle()
                || block.plainLength() > MOST_OF_A_PAGE * page.plainLength();
    }

    /** Whether a block holds the article's body, or the page's only headline: a consent dialog beside an article may have one, too. */
    private static boolean isWhereTheArticleIs(Block block, Block page) {
        return block.hasBody() || (block.hasHeadline() && block.headlines() == page.headlines());
    }

    /**
     * Whether a block that holds most of a page's text can be named rightly, as a long thread of comments is: the rest of the page
     * is an article by its size, or is a short one and no small part.
     */
    private static boolean leavesAnArticle(Block block, Block page) {
        double rest = page.mass() - block.mass();
        return rest >= ARTICLE || (rest >= Block.SHORT_ARTICLE && rest >= SMALL_PART * page.mass());
    }

    private static boolean isNamedSo(Block block, boolean expendable) {
        boolean longArticle = block.tag().equals("article") && block.prose() > LONGEST_MINOR;
        boolean paragraph = block.isParagraph() && block.prose() > 0;
        if (block.hasHeadline() || block.hasBody() || longArticle || paragraph) {
            return false;
        }
        Hints hints = block.hints();
        return (hints.foreign() && expendable) || (hints.minor() && hints.textual() == false && isSlight(block));
    }

    private static boolean isSlight(Block block) {
        return block.prose() < LONGEST_MINOR
                || (block.prose() < LONGEST_MINOR_WITH_LINKS && block.linkDensity() > MANY_LINKS);
    }
}

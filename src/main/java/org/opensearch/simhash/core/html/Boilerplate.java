/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Set;

/**
 * Decides by element, ARIA role and names which blocks are not part of the article. Each level trusts fewer of these
 * hints, since some pages name blocks wrongly.
 */
enum Boilerplate {

    /** Elements, roles, hidden blocks and names. */
    BY_NAME,
    BY_ELEMENT,

    /** Elements and roles, for blocks with less than half of the page's prose. */
    BY_SIZE;

    private static final Set<String> ELEMENTS = Set.of("""
            aside button datalist dialog footer menu nav optgroup option select textarea title""".split("\\s+"));

    private static final Set<String> ROLES = Set.of("""
            alert alertdialog banner complementary contentinfo dialog menu menubar navigation search toolbar tooltip""".split("\\s+"));

    private static final Set<String> SET_APART = Set.of("aside", "dialog");

    private static final Set<String> DIALOGS = Set.of("alertdialog", "dialog");

    /** With a larger share of the letters outside links, the name of a block is wrong. */
    private static final double MOST_OF_A_PAGE = 0.95;

    /** Three lines of text. With more, a block named like a byline or share box is something else. */
    private static final int LONGEST_MINOR = 300;

    private static final int LONGEST_MINOR_WITH_LINKS = 1000;

    private static final double MANY_LINKS = 0.3;

    /** Mass of about 700 letters in one container: more than a site's own text beside each article. */
    static final double ARTICLE = 300;

    /** Mass of about 1,500 letters in one container. */
    private static final double LONGEST_INTRUSION = 900;

    private static final double SMALL_PART = 0.25;

    /** Whether a measured block of a measured page is boilerplate. */
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
     * Whether readers would close a block, at every level and any length: a consent dialog may be longer than a short story. False when
     * nothing else has text, when the article is inside, or when the block is as long as an article: then its name is wrong.
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

    /** Whether a block holds the article's body or the page's only headline. */
    private static boolean isWhereTheArticleIs(Block block, Block page) {
        return block.hasBody() || (block.hasHeadline() && block.headlines() == page.headlines());
    }

    /**
     * Whether the name of a block with most of the page's text can be right, as for many comments: the rest is an
     * article by size, or a short one with a considerable share.
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

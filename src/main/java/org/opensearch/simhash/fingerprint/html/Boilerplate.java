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

    /** Three lines of text: what is named like a byline or a share box and is longer has got the name for another reason. */
    private static final int LONGEST_MINOR = 300;

    private static final int LONGEST_MINOR_WITH_LINKS = 1000;

    private static final double MANY_LINKS = 0.3;

    /**
     * Whether a measured block is boilerplate.
     *
     * @param pageMass the page's {@link Block#mass}
     */
    boolean contains(Block block, double pageMass) {
        boolean smallerPart = block.mass() * 2 <= pageMass;
        if (ELEMENTS.contains(block.tag()) || ROLES.contains(block.hints().role())) {
            return this != BY_SIZE || smallerPart;
        }
        if (this != BY_NAME) {
            return false;
        }
        return block.hints().hidden()
                ? smallerPart
                : isNamedSo(block, smallerPart || pageMass - block.mass() >= Block.SHORT_ARTICLE);
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

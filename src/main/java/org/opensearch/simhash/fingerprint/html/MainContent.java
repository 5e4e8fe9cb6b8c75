/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.opensearch.simhash.memory.Account;

/**
 * Finds the article of a page: text is kept, and navigation, header, footer, sidebars, advertisements, comments, consent
 * banners and teasers are dropped.
 *
 * <p>The signals are those of the literature, all taken from the markup alone: length of text and density of links per
 * block (Kohlschütter, Fankhauser, Nejdl, "Boilerplate Detection using Shallow Text Features", WSDM 2010), elements, roles
 * and names as hints that sizes may overrule, and milder rules when strict ones leave too little (Barbaresi,
 * "Trafilatura", ACL 2021). Lengths are counted in letters, not words, so that they mean the same in all scripts.
 *
 * <ol>
 *   <li>Blocks that say that they are something else are discarded ({@link Boilerplate}).
 *   <li>From the page down, as long as one block holds most of the running text of the block around it, go into it.
 *   <li>Up again, while the block around has paragraphs of its own, or siblings of the same kind with text ({@link
 *       WholeArticle}): parts of one article.
 *   <li>The running text between the headline and that block belongs to it: the lead.
 *   <li>Inside, lists of links, paragraphs that are a link, and captions are left out.
 * </ol>
 */
final class MainContent {

    /** Where one block has less of the text than this, the article is spread over several. */
    private static final double MOST = 0.7;

    /** Shorter results are compared with those of milder rules. */
    private static final int SHORT_ARTICLE = 250;

    private MainContent() {}

    /** @param memory as for {@link HtmlExtraction#apply(String, LongConsumer)} */
    static String of(String html, LongConsumer memory) {
        if (PlainText.hasMarkup(html) == false) {
            return PlainText.of(html);
        }
        try (Account account = new Account(memory)) {
            return of(html, PageReader.read(html, account));
        }
    }

    private static String of(String html, Block page) {
        Block part = declared(page);
        ArticleText article = find(part, Boilerplate.BY_NAME);
        for (Boilerplate milder : EnumSet.of(Boilerplate.BY_ELEMENT, Boilerplate.BY_SIZE)) {
            if (article.length() < SHORT_ARTICLE) {
                ArticleText other = find(part, milder);
                article = other.length() > 2 * article.length() ? other : article;
            }
        }
        return isLeftOver(article, part) ? PlainText.of(html) : article.text();
    }

    /**
     * The part of the page that says that it is the main one, or its only article, if it has running text and there is no whole article
     * beside it; else the page. A short story in there needs not have more text than what is around it.
     */
    private static Block declared(Block page) {
        keepAll(page);
        page.measure();
        discard(page, Boilerplate.BY_NAME, page);
        page.measure();
        List<Block> mains = new ArrayList<>();
        collect(
                page,
                block -> block.tag().equals("main") || block.hints().role().equals("main"),
                mains);
        if (mains.isEmpty()) {
            collect(page, Block::isArticle, mains);
        }
        Block part = mains.size() == 1 ? mains.getFirst() : page;
        boolean isTold =
                part.plainLength() >= TextRun.SHORTEST_PROSE && page.mass() - part.mass() < Boilerplate.ARTICLE;
        return isTold ? part : page;
    }

    /** The outermost blocks that are kept and are so. */
    private static void collect(Block block, Predicate<Block> wanted, List<Block> found) {
        for (Content child : block.content()) {
            if (child instanceof Block inner && inner.isDiscarded() == false) {
                if (wanted.test(inner)) {
                    found.add(inner);
                } else {
                    collect(inner, wanted, found);
                }
            }
        }
    }

    /** Whether the text has no sentence and is next to nothing of the page's: it then is a list of links, or the like. */
    private static boolean isLeftOver(ArticleText article, Block page) {
        keepAll(page);
        page.measure();
        discard(page, Boilerplate.BY_SIZE, page);
        page.measure();
        return article.prose() == 0 && article.length() <= page.length() / 10;
    }

    private static ArticleText find(Block page, Boilerplate rules) {
        keepAll(page);
        page.measure();
        discard(page, rules, page);
        page.measure();
        return ArticleText.of(WholeArticle.around(heaviest(page)));
    }

    private static void keepAll(Block block) {
        block.keep();
        for (Content child : block.content()) {
            if (child instanceof Block inner) {
                keepAll(inner);
            }
        }
    }

    private static void discard(Block block, Boilerplate rules, Block page) {
        for (Content child : block.content()) {
            if (child instanceof Block inner) {
                if (rules.contains(inner, page)) {
                    inner.discard();
                } else {
                    discard(inner, rules, page);
                }
            }
        }
    }

    private static Block heaviest(Block page) {
        Block block = page;
        while (true) {
            Block heaviest = null;
            for (Content child : block.content()) {
                if (child instanceof Block inner
                        && inner.isDiscarded() == false
                        && inner.isParagraph() == false
                        && (heaviest == null || inner.mass() > heaviest.mass())) {
                    heaviest = inner;
                }
            }
            if (heaviest == null || holdsMost(heaviest, block) == false) {
                return block;
            }
            block = heaviest;
        }
    }

    /** By running text; where there is little, by all text outside links, too: reference pages have mostly short lines. */
    private static boolean holdsMost(Block inner, Block block) {
        return inner.mass() > 0
                && inner.mass() >= MOST * block.mass()
                && (inner.mass() >= Block.SHORT_ARTICLE || inner.plainLength() >= MOST * block.plainLength());
    }
}

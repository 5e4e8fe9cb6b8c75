/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.opensearch.simhash.core.html.HtmlExtraction.PlainText;
import org.opensearch.simhash.core.html.WholeArticle.ArticleText;
import org.opensearch.simhash.core.memory.Account;

/**
 * Finds the article of a page. Drops navigation, header, footer, sidebars, advertisements, comments, consent banners and teasers.
 *
 * <p>All signals come from the markup: text length and link density per block (Kohlschütter, Fankhauser, Nejdl, "Boilerplate Detection
 * using Shallow Text Features", WSDM 2010), elements, roles and names as hints that sizes may overrule, and milder rules when strict ones
 * leave too little (Barbaresi, "Trafilatura", ACL 2021). Lengths are in letters, which works for all scripts.
 *
 * <p>It discards the blocks that declare to be something else ({@link Boilerplate}). From the page down, it enters a block that holds most
 * of the prose around it, and goes up again while the block around has its own paragraphs or siblings of the same kind ({@link
 * WholeArticle}). It adds the lead between headline and block, and leaves out lists of links, linked paragraphs and captions.
 */
final class MainContent {

    /** Below this share in any one block, the article is spread over several. */
    private static final double MOST = 0.7;

    /** Shorter results are compared with those of milder rules. */
    private static final int SHORT_ARTICLE = 250;

    private MainContent() {}

    static String of(String html, LongConsumer memory) {
        if (PlainText.hasMarkup(html) == false) {
            return PlainText.of(html);
        }
        try (Account account = new Account(memory)) {
            return of(html, PageReader.read(html, account));
        }
    }

    /** All texts of a page but those that are mostly links. */
    static String withoutLinks(String html, LongConsumer memory) {
        if (PlainText.hasMarkup(html) == false) {
            return PlainText.of(html);
        }
        try (Account account = new Account(memory)) {
            StringBuilder text = new StringBuilder();
            writeUnlinked(PageReader.read(html, account), text);
            return text.toString();
        }
    }

    private static void writeUnlinked(Block block, StringBuilder text) {
        for (Content child : block.content()) {
            switch (child) {
                case Block inner -> writeUnlinked(inner, text);
                case TextRun run -> {
                    if (2 * run.linkLength() <= run.length()) {
                        text.append(run.text()).append('\n');
                    }
                }
            }
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

    /** The block declared as main part or only article, if it has prose and no whole article beside it; else the page. */
    private static Block declared(Block page) {
        measure(page, Boilerplate.BY_NAME);
        List<Block> mains = new ArrayList<>();
        collect(
                page,
                block -> block.tag().equals("main") || block.hints().role().equals("main"),
                mains);
        if (mains.isEmpty()) {
            collect(page, Block::isArticle, mains);
        }
        Block part = mains.size() == 1 ? mains.getFirst() : page;
        boolean holdsThePage =
                part.plainLength() >= TextRun.SHORTEST_PROSE && page.mass() - part.mass() < Boilerplate.ARTICLE;
        return holdsThePage ? part : page;
    }

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

    /** Whether the text has no sentence and is a small part of the page, such as a list of links. */
    private static boolean isLeftOver(ArticleText article, Block page) {
        measure(page, Boilerplate.BY_SIZE);
        return article.prose() == 0 && article.length() <= page.length() / 10;
    }

    private static ArticleText find(Block page, Boilerplate rules) {
        measure(page, rules);
        return ArticleText.of(WholeArticle.around(heaviest(page)));
    }

    /** Measures a page without what the rules discard. */
    private static void measure(Block page, Boilerplate rules) {
        keepAll(page);
        page.measure();
        discard(page, rules, page);
        page.measure();
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

    /** Compares prose. If there is little, it compares all text outside links, since reference pages have short lines. */
    private static boolean holdsMost(Block inner, Block block) {
        return inner.mass() > 0
                && inner.mass() >= MOST * block.mass()
                && (inner.mass() >= Block.SHORT_ARTICLE || inner.plainLength() >= MOST * block.plainLength());
    }
}

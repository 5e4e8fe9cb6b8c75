/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

/** Goes from the block with most of a page's text up to the whole article. */
final class WholeArticle {

    /** Parts of an article have at least this share of each other's weight, unless they are paragraphs. */
    private static final double SMALLEST_PART = 0.1;

    private static final double FEW_LINKS = 0.3;

    private WholeArticle() {}

    /** The outermost block around a part that has more of the article, or the part. One with one block only is skipped. */
    static Block around(Block part) {
        Block whole = part;
        Block block = part;
        boolean wrapped = false;
        while (block.parent() != null && block.isArticle() == false) {
            boolean more = wrapped ? hasParagraphsBeside(block) : hasMoreBeside(block);
            if (more == false && isAlone(block) == false) {
                break;
            }
            wrapped |= more == false;
            block = block.parent();
            whole = more ? block : whole;
        }
        return whole;
    }

    private static boolean isAlone(Block part) {
        return part.parent().content().stream()
                .allMatch(child -> child == part || (child instanceof Block block && block.isDiscarded()));
    }

    private static boolean hasMoreBeside(Block part) {
        return part.parent().content().stream()
                .anyMatch(child ->
                        isRunningText(child, part) || (child instanceof Block sibling && isSameKind(sibling, part)));
    }

    /** Below a headline only later siblings count; earlier ones are the lead. */
    private static boolean hasParagraphsBeside(Block part) {
        boolean counts = withHeadline(part) == null;
        for (Content child : part.parent().content()) {
            counts |= child == part;
            if (counts && isRunningText(child, part)) {
                return true;
            }
        }
        return false;
    }

    /** The innermost block around a part that has a headline, or the part; null if none has. */
    private static Block withHeadline(Block part) {
        Block block = part;
        while (block != null && block.hasHeadline() == false) {
            block = block.parent();
        }
        return block;
    }

    private static boolean isRunningText(Content child, Block part) {
        return switch (child) {
            case TextRun run -> run.prose() > 0;
            case Block block ->
                block != part && block.isDiscarded() == false && isParagraph(block) && block.prose() > 0;
        };
    }

    private static boolean isParagraph(Block block) {
        return block.tag().equals("p")
                || block.tag().equals("blockquote")
                || block.tag().equals("pre");
    }

    private static boolean isSameKind(Block sibling, Block part) {
        return sibling != part
                && sibling.isDiscarded() == false
                && isParagraph(sibling) == false
                && isNotTooSmall(sibling, part)
                && sibling.tag().equals(part.tag())
                && sibling.linkDensity() < FEW_LINKS
                && sibling.hints().sharesNamesWith(part.hints());
    }

    /** Paragraphs may have any size. Cells without blocks are layout columns. */
    private static boolean isNotTooSmall(Block sibling, Block part) {
        boolean paragraphs =
                sibling.isLeaf() && part.isLeaf() && sibling.prose() > 0 && Tags.isCell(part.tag()) == false;
        return paragraphs || sibling.mass() > SMALLEST_PART * part.mass();
    }

    /** Writes the text of an article: lead and body, without link lists, linked paragraphs and captions. */
    static final class ArticleText {

        /** A block with a larger share of links is a list of pages, unless most text is in such blocks. */
        private static final double LINK_LIST = 0.5;

        private static final double LINK_ONLY = 0.9;

        private final double mostLinks;
        private final StringBuilder text = new StringBuilder();
        private int length;
        private int prose;
        private boolean belowHeadline;
        private boolean bodyReached;

        private ArticleText(double mostLinks) {
            this.mostLinks = mostLinks;
        }

        static ArticleText of(Block body) {
            ArticleText article = new ArticleText(body.mass() >= Block.SHORT_ARTICLE ? LINK_LIST : LINK_ONLY);
            article.writeLead(body);
            article.write(body);
            return article;
        }

        String text() {
            return text.toString();
        }

        /** As {@link TextRun#length}. */
        int length() {
            return length;
        }

        /** As {@link TextRun#prose}. */
        int prose() {
            return prose;
        }

        /** Writes the prose between headline and body, if the headline is outside the body. */
        private void writeLead(Block body) {
            Block around = withHeadline(body);
            if (around != null && around != body) {
                writeLead(around, body);
            }
        }

        private void writeLead(Block block, Block body) {
            bodyReached |= block == body;
            if (bodyReached || block.isDiscarded() || block.tag().equals("figcaption")) {
                return;
            }
            boolean headline = block.tag().equals("h1");
            belowHeadline |= headline;
            for (Content child : block.content()) {
                switch (child) {
                    case TextRun run -> {
                        if (belowHeadline && headline == false && run.prose() > 0 && bodyReached == false) {
                            write(run);
                        }
                    }
                    case Block inner -> writeLead(inner, body);
                }
            }
        }

        private void write(Block block) {
            for (Content child : block.content()) {
                switch (child) {
                    case TextRun run -> write(run);
                    case Block inner -> {
                        if (isKept(inner)) {
                            write(inner);
                        }
                    }
                }
            }
        }

        private boolean isKept(Block block) {
            if (block.isDiscarded() || block.tag().equals("figcaption")) {
                return false;
            }
            double links = block.linkDensity();
            return block.tag().equals("p")
                    ? links <= LINK_ONLY
                    : block.isParagraph() || Tags.isCell(block.tag()) || links <= mostLinks;
        }

        private void write(TextRun run) {
            text.append(text.isEmpty() ? "" : "\n").append(run.text());
            length += run.length();
            prose += run.prose();
        }
    }
}

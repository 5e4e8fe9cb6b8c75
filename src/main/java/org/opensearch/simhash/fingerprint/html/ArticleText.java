/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** Writes the text of an article: lead and body, without link lists, linked paragraphs and captions. */
final class ArticleText {

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
        Block around = body;
        while (around != null && around.hasHeadline() == false) {
            around = around.parent();
        }
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

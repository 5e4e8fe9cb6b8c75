/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A block element of a page: its texts and blocks in document order, and the measures by which the article is found.
 * {@link #measure} takes them for the whole tree below, leaving discarded blocks out; before it they are 0.
 */
final class Block implements Content {

    /** From this on, a container's text counts nearly in full; a teaser of 200 letters counts a sixth. */
    private static final double LONG_TEXT = 1000;

    /** A block whose heading is a link, and that has less running text than this, leads to another page. */
    private static final int LONGEST_TEASER = 1000;

    private static final double LINKED = 0.9;

    /** Mass of an article of some 500 letters in one container. */
    static final double SHORT_ARTICLE = 200;

    private final Block parent;
    private final String tag;
    private final Hints hints;
    private List<Content> content = List.of();

    private boolean discarded;
    private int length;
    private int linkLength;
    private int plainLength;
    private int prose;
    private int ownProse;
    private double mass;
    private int headlines;
    private boolean leaf;
    private boolean body;

    private Block(Block parent, String tag, Hints hints) {
        this.parent = parent;
        this.tag = tag;
        this.hints = hints;
    }

    static Block page() {
        return new Block(null, "", Hints.NONE);
    }

    Block addBlock(String childTag, Hints childHints) {
        Block child = new Block(this, childTag, childHints);
        add(child);
        return child;
    }

    void addText(TextRun text) {
        add(text);
    }

    private void add(Content child) {
        if (content.isEmpty()) {
            content = new ArrayList<>(2);
        }
        content.add(child);
    }

    /** Ends the block, which vanishes if it is empty; returns its parent. */
    Block closed() {
        if (content.isEmpty()) {
            parent.content.removeLast();
        }
        return parent;
    }

    /** Null for the page. */
    Block parent() {
        return parent;
    }

    String tag() {
        return tag;
    }

    Hints hints() {
        return hints;
    }

    List<Content> content() {
        return content;
    }

    boolean isParagraph() {
        return Tags.isParagraph(tag);
    }

    /** Whether the element itself says that it holds an article or the main part of the page. */
    boolean isArticle() {
        return tag.equals("article") || tag.equals("main") || hints.role().equals("main");
    }

    /** Says that the block is no part of the article. */
    void discard() {
        discarded = true;
    }

    void keep() {
        discarded = false;
    }

    boolean isDiscarded() {
        return discarded;
    }

    /** Share of the letters that are inside links, 0 to 1. */
    double linkDensity() {
        return length == 0 ? 0 : (double) linkLength / length;
    }

    /** Letters, as {@link TextRun#length}. */
    int length() {
        return length;
    }

    /** Letters outside links and teasers. */
    int plainLength() {
        return plainLength;
    }

    /** Letters of running text, as {@link TextRun#prose}. */
    int prose() {
        return prose;
    }

    /**
     * Letters of running text, where 2,000 in one container (directly in a block, or in paragraphs directly in it) weigh
     * more than ten times 200: an article outweighs many teasers.
     */
    double mass() {
        return mass;
    }

    /** Whether there is no block in here. */
    boolean isLeaf() {
        return leaf;
    }

    /** Whether the page's headline is in here. */
    boolean hasHeadline() {
        return headlines > 0;
    }

    /** Headlines in here: a page may have one of its own and one of its site. */
    int headlines() {
        return headlines;
    }

    /** Whether a block that says that it is the article's body is in here. */
    boolean hasBody() {
        return body;
    }

    void measure() {
        length = 0;
        linkLength = 0;
        plainLength = 0;
        prose = 0;
        ownProse = 0;
        mass = 0;
        headlines = tag.equals("h1") ? 1 : 0;
        body = tag.equals("main");
        leaf = true;
        boolean leadsElsewhere = false;
        for (Content child : content) {
            switch (child) {
                case TextRun run -> {
                    add(run.length(), run.linkLength(), run.prose(), run.prose());
                    plainLength += run.length() - run.linkLength();
                }
                case Block inner -> {
                    inner.measure();
                    if (inner.discarded == false) {
                        add(inner.length, inner.linkLength, inner.prose, inner.isParagraph() ? inner.ownProse : 0);
                        plainLength += inner.plainLength;
                        mass += inner.mass;
                        leaf = false;
                        headlines += inner.headlines;
                        body |= inner.body;
                        leadsElsewhere |= Tags.isHeading(inner.tag) && inner.linkDensity() > LINKED;
                    }
                }
            }
        }
        if (leadsElsewhere && prose < LONGEST_TEASER) {
            plainLength = 0;
            ownProse = 0;
            mass = 0;
        }
        if (isParagraph() == false) {
            mass += ownProse * (ownProse / (ownProse + LONG_TEXT));
        }
        body |= hints.body() && mass >= SHORT_ARTICLE;
    }

    private void add(int letters, int linked, int running, int runningHere) {
        length += letters;
        linkLength += linked;
        prose += running;
        ownProse += runningHere;
    }
}

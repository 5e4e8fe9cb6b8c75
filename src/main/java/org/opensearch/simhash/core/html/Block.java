/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A block element: its texts and blocks in document order, and the measures by which the article is found.
 * {@link #measure} computes them for the whole tree without discarded blocks; before, they are 0.
 */
final class Block implements Content {

    /** Length from which a container's text counts nearly in full. A teaser of 200 letters counts a sixth. */
    private static final double LONG_TEXT = 1000;

    /** A block with less prose whose heading is a link leads to another page. */
    private static final int LONGEST_TEASER = 1000;

    private static final double LINKED = 0.9;

    /** Mass of an article of about 500 letters in one container. */
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

    void add(Content child) {
        if (content.isEmpty()) {
            content = new ArrayList<>(2);
        }
        content.add(child);
    }

    /** Ends the block, removes it if it is empty, and returns its parent. */
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

    /** Whether the markup declares the element as an article or the main part. */
    boolean isArticle() {
        return tag.equals("article") || tag.equals("main") || hints.role().equals("main");
    }

    /** Excludes the block from the article. */
    void discard() {
        discarded = true;
    }

    void keep() {
        discarded = false;
    }

    boolean isDiscarded() {
        return discarded;
    }

    /** Share of the letters that are in links, 0 to 1. */
    double linkDensity() {
        return length == 0 ? 0 : (double) linkLength / length;
    }

    /** As {@link TextRun#length}. */
    int length() {
        return length;
    }

    /** Letters outside links and teasers. */
    int plainLength() {
        return plainLength;
    }

    /** As {@link TextRun#prose}. */
    int prose() {
        return prose;
    }

    /**
     * Letters of prose, weighted so that 2,000 in one container count more than ten times 200. So an article outweighs
     * many teasers. A container is a block with direct text or paragraphs.
     */
    double mass() {
        return mass;
    }

    boolean isLeaf() {
        return leaf;
    }

    boolean hasHeadline() {
        return headlines > 0;
    }

    /** A page may have its own and one of the site. */
    int headlines() {
        return headlines;
    }

    /** Whether it contains a block declared as the article's body. */
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

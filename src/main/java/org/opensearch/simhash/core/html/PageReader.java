/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.opensearch.simhash.core.memory.Account;

/**
 * Builds the tree of blocks. Inline elements only add link lengths; empty blocks are dropped; an unclosed block ends with its parent.
 *
 * <p>A tag looks at no more than {@link #MAX_DEPTH} open blocks. Text that is deeper, or comes after
 * {@link #MAX_BLOCKS}, goes into the open block. Not thread-safe: one reader per page.
 */
final class PageReader {

    /** Four times the deepest of 650 real pages. Also bounds recursion. */
    static final int MAX_DEPTH = 200;

    /** Fifty times the largest of 650 real pages. Bounds memory. */
    private static final int MAX_BLOCKS = 200_000;

    /** A {@link Block} with its tag, hints, list, and entry in the parent's list. */
    private static final int BYTES_PER_BLOCK = 192;

    /** A {@link TextRun} with its string (without characters), and its entry in the block's list. */
    private static final int BYTES_PER_RUN = 80;

    private static final Set<String> PARAGRAPH = Set.of("p");
    private static final int NO_LINK = -1;

    private final MarkupReader reader;
    private final Account memory;
    private final RunBuilder run = new RunBuilder();
    private final Block page = Block.page();
    private Block open = page;
    private int depth;
    private int blocks;
    private int notBuilt;
    private int preformatted;
    private final Map<String, Integer> openTags = new HashMap<>();
    private int linkDepth = NO_LINK;
    private boolean lineBroken;

    private PageReader(String html, Account memory) {
        this.reader = new MarkupReader(html);
        this.memory = memory;
    }

    /** The block of the whole page. Memory is that of the tree, without the characters of texts. */
    static Block read(String html, Account memory) {
        return new PageReader(html, memory).read();
    }

    private Block read() {
        for (MarkupReader.Token token = reader.next(); token != MarkupReader.Token.EOF; token = reader.next()) {
            switch (token) {
                case START -> start(reader.name());
                case END -> end(reader.name());
                default -> text();
            }
        }
        endRun();
        close(depth);
        return page;
    }

    private void text() {
        if (Tags.showsText(reader.name())) {
            String text = reader.text();
            run.append(text, linkDepth != NO_LINK, preformatted > 0);
            lineBroken = lineBroken && text.isBlank();
        }
    }

    private void start(String tag) {
        if (tag.equals("a")) {
            linkDepth = leadsElsewhere(reader.attribute("href")) ? depth : NO_LINK;
        } else if (tag.equals("br")) {
            breakLine();
        } else if (Tags.isBlock(tag)) {
            endRun();
            if (Tags.endsParagraph(tag)) {
                closeOpen(PARAGRAPH, Tags.fenceOfEnd("p"));
            }
            closeOpen(Tags.endedBy(tag), Tags.fenceOf(tag));
            if (tag.equals("hr") == false) {
                open(tag);
            }
        }
    }

    /** False for an anchor without target, and for a script that unfolds content. */
    private static boolean leadsElsewhere(String href) {
        return href != null && href.startsWith("javascript:") == false;
    }

    private void end(String tag) {
        if (tag.equals("a")) {
            linkDepth = NO_LINK;
        } else if (Tags.isBlock(tag)) {
            endRun();
            if (notBuilt > 0) {
                notBuilt--;
            } else {
                closeOpen(Set.of(tag), Tags.fenceOfEnd(tag));
            }
        }
    }

    private void open(String tag) {
        if (depth == MAX_DEPTH || blocks == MAX_BLOCKS) {
            notBuilt++;
            return;
        }
        memory.take(BYTES_PER_BLOCK);
        open = open.addBlock(tag, Hints.of(reader));
        openTags.merge(tag, 1, Integer::sum);
        depth++;
        blocks++;
        preformatted += tag.equals("pre") ? 1 : 0;
    }

    /** Closes the innermost open block with one of these names, and all blocks inside it, unless a fence is inside. */
    private void closeOpen(Set<String> tags, Set<String> fence) {
        if (tags.stream().noneMatch(openTags::containsKey)) {
            return;
        }
        int levels = 1;
        for (Block block = open; block != page; block = block.parent()) {
            if (tags.contains(block.tag())) {
                close(levels);
                return;
            }
            if (fence.contains(block.tag())) {
                return;
            }
            levels++;
        }
    }

    private void close(int levels) {
        endRun();
        for (int i = 0; i < levels; i++) {
            preformatted -= open.tag().equals("pre") ? 1 : 0;
            openTags.computeIfPresent(open.tag(), (tag, count) -> count == 1 ? null : count - 1);
            if (open.content().isEmpty()) {
                memory.give(BYTES_PER_BLOCK);
            }
            open = open.closed();
            depth--;
        }
        if (depth < linkDepth) {
            linkDepth = NO_LINK;
        }
    }

    /** Two line breaks separate paragraphs on older pages. */
    private void breakLine() {
        if (lineBroken) {
            endRun();
        } else {
            run.lineBreak();
            lineBroken = true;
        }
    }

    private void endRun() {
        lineBroken = false;
        TextRun text = run.take();
        if (text != null) {
            memory.take(BYTES_PER_RUN);
            open.add(text);
        }
    }

    /** Collects the characters of one {@link TextRun}. Collapses white space, except line breaks in {@code pre}. */
    static final class RunBuilder {

        private final StringBuilder text = new StringBuilder();
        private boolean space;
        private int length;
        private int linkLength;

        void append(String characters, boolean link, boolean lines) {
            int codePoint;
            for (int i = 0; i < characters.length(); i += Character.charCount(codePoint)) {
                codePoint = characters.codePointAt(i);
                if (lines && codePoint == '\n') {
                    lineBreak();
                } else if (isSpace(codePoint)) {
                    space = true;
                } else {
                    if (space && text.isEmpty() == false && text.charAt(text.length() - 1) != '\n') {
                        text.append(' ');
                    }
                    space = false;
                    text.appendCodePoint(codePoint);
                    int weight = TextRun.weight(codePoint);
                    length += weight;
                    linkLength += link ? weight : 0;
                }
            }
        }

        void lineBreak() {
            if (text.isEmpty() == false) {
                text.append('\n');
            }
            space = false;
        }

        /** The run so far, or null if it is empty. Starts again. */
        TextRun take() {
            int end = text.length();
            while (end > 0 && text.charAt(end - 1) == '\n') {
                end--;
            }
            TextRun run = end == 0 ? null : new TextRun(text.substring(0, end), length, linkLength);
            text.setLength(0);
            space = false;
            length = 0;
            linkLength = 0;
            return run;
        }

        private static boolean isSpace(int codePoint) {
            return codePoint <= ' ' || Character.isSpaceChar(codePoint) || Character.isWhitespace(codePoint);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** Collects the characters of one {@link TextRun}. Collapses white space, except line breaks in {@code pre}. */
final class RunBuilder {

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

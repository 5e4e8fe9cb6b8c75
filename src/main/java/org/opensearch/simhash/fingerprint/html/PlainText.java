/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.fingerprint.html;

/** All texts of a page, one line per block. Inline elements do not split words. */
final class PlainText {

    private final MarkupReader reader;
    private final RunBuilder run = new RunBuilder();
    private final StringBuilder lines = new StringBuilder();
    private int preformatted;

    private PlainText(String html) {
        this.reader = new MarkupReader(html);
    }

    static String of(String html) {
        return hasMarkup(html) ? new PlainText(html).read() : CharacterReferences.decode(html, 0, html.length());
    }

    /** False for plain text, in which white space has meaning. */
    static boolean hasMarkup(String html) {
        MarkupReader reader = new MarkupReader(html);
        reader.next();
        reader.next();
        return reader.sawMarkup();
    }

    private String read() {
        for (MarkupReader.Token token = reader.next(); token != MarkupReader.Token.EOF; token = reader.next()) {
            if (token == MarkupReader.Token.TEXT) {
                if (Tags.showsText(reader.name())) {
                    run.append(reader.text(), false, preformatted > 0);
                }
            } else if (reader.name().equals("br")) {
                run.lineBreak();
            } else if (Tags.isBlock(reader.name())) {
                endLine();
                if (reader.name().equals("pre")) {
                    preformatted = Math.max(0, preformatted + (token == MarkupReader.Token.START ? 1 : -1));
                }
            }
        }
        endLine();
        return lines.toString();
    }

    private void endLine() {
        TextRun line = run.take();
        if (line != null) {
            lines.append(lines.isEmpty() ? "" : "\n").append(line.text());
        }
    }
}

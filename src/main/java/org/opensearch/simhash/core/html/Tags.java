/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.util.Set;

/** The meaning of HTML element names for the flow of text. */
final class Tags {

    /** Elements whose content is characters up to their end tag. */
    static final Set<String> RAW = Set.of("""
            audio canvas iframe noembed noframes noscript object script style svg template textarea title video xmp""".split("\\s+"));

    /** Raw elements with visible content. The others are programs and graphics. */
    private static final Set<String> SHOWN_RAW = Set.of("textarea", "title", "xmp");

    private static final Set<String> BLOCKS = Set.of("""
            address article aside blockquote button caption center datalist dd details dialog dir div dl dt fieldset
            figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol
            optgroup option p plaintext pre search section select summary table tbody td textarea tfoot th thead
            title tr ul xmp""".split("\\s+"));

    /** Blocks of prose: the block around them is its container. */
    private static final Set<String> PARAGRAPHS = Set.of("""
            blockquote dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre""".split("\\s+"));

    private static final Set<String> TABLE_PARTS = Set.of("caption", "tbody", "td", "tfoot", "th", "thead", "tr");
    private static final Set<String> LEAVES_PARAGRAPH_OPEN =
            Set.of("button", "caption", "legend", "option", "optgroup", "select");

    private static final Set<String> NONE = Set.of();
    private static final Set<String> TABLE = Set.of("table");
    private static final Set<String> CELLS = Set.of("caption", "table", "td", "th");

    private Tags() {}

    /** Whether the element starts and ends a line. Names with a hyphen are custom elements, mostly containers. */
    static boolean isBlock(String tag) {
        return BLOCKS.contains(tag) || tag.indexOf('-') >= 0;
    }

    static boolean isParagraph(String tag) {
        return PARAGRAPHS.contains(tag);
    }

    static boolean isCell(String tag) {
        return tag.equals("td") || tag.equals("th");
    }

    static boolean isHeading(String tag) {
        return tag.length() == 2 && tag.charAt(0) == 'h' && tag.charAt(1) >= '1' && tag.charAt(1) <= '6';
    }

    /** Whether the text in a raw element is shown. True for the empty name: text outside raw elements. */
    static boolean showsText(String rawElement) {
        return rawElement.isEmpty() || SHOWN_RAW.contains(rawElement);
    }

    /** The open elements that {@code tag} ends, besides a paragraph. */
    static Set<String> endedBy(String tag) {
        return switch (tag) {
            case "li" -> Set.of("li");
            case "dd", "dt" -> Set.of("dd", "dt");
            case "option", "optgroup" -> Set.of("option");
            case "td", "th" -> Set.of("td", "th");
            case "tr" -> Set.of("tr");
            case "tbody", "tfoot", "thead" -> Set.of("tbody", "tfoot", "thead");
            default -> NONE;
        };
    }

    /** The open elements at which {@link #endedBy} stops: a nested list has its own items. */
    static Set<String> fenceOf(String tag) {
        return switch (tag) {
            case "li" -> Set.of("dir", "menu", "ol", "table", "td", "th", "ul");
            case "dd", "dt" -> Set.of("dl", "table", "td", "th");
            case "option", "optgroup" -> Set.of("datalist", "select");
            default -> TABLE;
        };
    }

    static boolean endsParagraph(String tag) {
        return LEAVES_PARAGRAPH_OPEN.contains(tag) == false && tag.indexOf('-') < 0;
    }

    /** The open elements that an end tag cannot cross: a stray {@code </div>} does not leave its table cell. */
    static Set<String> fenceOfEnd(String tag) {
        if (tag.equals("table")) {
            return NONE;
        }
        return TABLE_PARTS.contains(tag) ? TABLE : CELLS;
    }
}

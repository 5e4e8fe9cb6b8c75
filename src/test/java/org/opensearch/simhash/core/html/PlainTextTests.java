/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.List;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "inline elements do not split words  | <p>un<b>believ</b>able</p>                     | unbelievable",
                "an optional break does not split    | <p>Donau<wbr>dampf</p>                         | Donaudampf",
                "blocks split words                  | <div>one</div><div>two</div>                   | one/two",
                "unclosed paragraphs and items split | <p>one<p>two<ul><li>three<li>four</ul>         | one/two/three/four",
                "cells split                         | <table><tr><td>1<td>2<tr><td>3</table>         | 1/2/3",
                "a line break splits                 | <p>one<br>two<br/>three</p>                    | one/two/three",
                "white space is one space            | <p>  one \t\t two\u00A0&nbsp;three </p>        | one two three",
                "scripts are away                    | a<script>if (a < b) '<p>no</p>'</script>b      | ab",
                "styles are away                     | <style>p > a { color: red }</style><p>x        | x",
                "a script that is never closed       | <p>x</p><script>document.write('y')            | x",
                "a slash of an unquoted value        | a<script data-cdn=/x/>var y</script>b          | ab",
                "templates, fallbacks, graphics away | <template><p>1</template><noscript>2</noscript><svg><text>3</text></svg><iframe>4</iframe>x | x",
                "a graphic in a graphic is away      | <svg><svg><g/></svg><text>LABEL</text></svg>x  | x",
                "a graphic that is closed at once    | <svg><svg width=1 /><text>LABEL</text></svg>x  | x",
                "an object in an object is away      | <object><OBJECT a='>'>1</OBJECT >2</object>x   | x",
                "a template in a template is away    | <template><template>1</template>2</template>x  | x",
                "videos and audios in theirs are     | <video><video>1</video>2</video><audio><audio>1</audio>2</audio>x | x",
                "what only looks nested is not       | <template><!-- <template> -->1</template><object><objects>2</object>x | x",
                "what is never closed inside         | <object><object>1</object>x<object>2</object>y | xy",
                "a graphic ends where HTML goes on   | <svg><path><p>one</p><svg><g></svg><svg><path></div>two | one/two",
                "no path is a paragraph              | <svg><path/><desc><p>1</p></desc><text>2</text><foreignObject/></svg>x | x",
                "HTML in a graphic is of the graphic | <svg><foreignObject><div>1</div><svg/></foreignObject><!-- <p> -->2</svg>x | x",
                "comments are away                   | one<!-- <p>no</p> --> two<!----> three<!--> four | one two three four",
                "comments may end with a mark        | one<!-- no --!> two<!----!> three<!--- no -- > no ---!> four<!--x--><p>--!>five | one two three four/--!>five",
                "the mark needs hyphens of its own   | one<!--!> no --> two<!---!> no --> three       | one two three",
                "declarations are away               | <!DOCTYPE html><?xml version='1.0'?><p>x       | x",
                "character data stays                | <item><![CDATA[a < b]]></item>                 | a < b",
                "markup in character data is markup  | <item><![CDATA[<p>Hello <b>World</b> &amp; all</p>]]></item>x | Hello World & all/x",
                "what no tag ends is text in it      | <p><![CDATA[if (a <b && c) ]]>x > y<![CDATA[]]></p> | if (a <b && c) x > y",
                "its brackets split no word          | a<![CDATA[b]]]]><![CDATA[>c]]>d                | ab]]>cd",
                "its end may be inside of a tag      | <![CDATA[a<c x='>]]>'>d]]>                     | ad]]>",
                "titles of feeds                     | <title><![CDATA[A &amp; <i>B</i>]]></title>x   | A & B/x",
                "never closed, it takes nothing      | <![CDATA[a > <p>b                              | a >/b",
                "the title stays                     | <head><title>A &amp; B</title></head><p>x      | A & B/x",
                "a text area is text                 | <textarea><b>x</b></textarea>                  | <b>x</b>",
                "a greater-than in an attribute      | <p title=\"a > b\">x                           | x",
                "an unquoted attribute with a slash  | <a href=/a/b>x</a>y                            | xy",
                "a self-closed graphic ends at once  | <svg/>x<svg width=1 />y                        | xy",
                "capitals, spaces in tags            | <P >one</P\t><DiV\tclass = x>two</DIV>         | one/two",
                "elements nobody knows               | a<o:p></o:p>b<my-box>c</my-box>                | ab/c",
                "wrong nesting                       | <b><p>one</b>two</p></i></div></table>three    | onetwo/three",
            })
    void testMarkupGoesAndTextStays(String what, String html, String expected) {
        assertEquals(expected, HtmlExtraction.TEXT.apply(html).replace('\n', '/'), what);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "named                             | caf&eacute; &amp; &lt;b&gt;   | caf\u00E9 & <b>",
                "numbered                          | &#233;&#xE9;&#XE9;            | \u00E9\u00E9\u00E9",
                "beyond the basic plane            | &#x1F600;                     | \uD83D\uDE00",
                "of two characters                 | &NotEqualTilde;               | \u2242\u0338",
                "old names need no semicolon       | &copy 2020 &AMPx &notit;       | \u00A9 2020 &x \u00ACit;",
                "new names do                      | &hellip and &hellip;          | &hellip and \u2026",
                "numbers need none                 | &#65B                         | AB",
                "windows-1252 numbers              | &#150; &#x80;                 | \u2013 \u20AC",
                "no characters                     | &#0; &#xD800; &#x110000;      | \uFFFD \uFFFD \uFFFD",
                "numbers that overflow             | &#99999999999999999999;       | \uFFFD",
                "not references                    | AT&T, a&b; &; &#; &#x; & &nonsense; | AT&T, a&b; &; &#; &#x; & &nonsense;",
                "decoded once                      | &amp;lt;                      | &lt;",
                "in a query string                 | a?b=1&amp;c=2                 | a?b=1&c=2",
            })
    void testCharacterReferencesAreDecoded(String what, String html, String expected) {
        assertEquals(expected, HtmlExtraction.TEXT.apply("<p>" + html), what);
        assertEquals(expected, HtmlExtraction.TEXT.apply(html), what + ", without markup");
    }

    @Test
    void testPreformattedLinesStay() {
        String html = "<p>a\nb</p><pre>one\n  two\n\n<b>three</b>\n</pre><p>c\nd</p>";
        assertEquals("a b\none\ntwo\n\nthree\nc d", HtmlExtraction.TEXT.apply(html));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "no markup",
                " two\n\n  lines\t",
                "a < b and b > c",
                "x <- y",
                "<3",
                "1<2",
                "5 <",
                "AT&T",
                "if (a <b && c) return;",
                "\u4E2D\u6587\u3002",
                "\uD800 lone surrogate"
            })
    void testPlainTextComesBackAsItIs(String text) {
        for (HtmlExtraction extraction : HtmlExtraction.values()) {
            assertEquals(text, extraction.apply(text), extraction::name);
        }
    }

    @Test
    void testNoneLeavesEverything() {
        String html = "<p>a &amp; b</p>";
        assertSame(html, HtmlExtraction.NONE.apply(html));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<p>kept</p><!-- never closed <p>text</p>",
                "<p>kept</p><title>never closed <p>text</p>",
                "<p>kept</p><svg><p>text</p>",
                "<p>kept</p><![CDATA[ <p>text</p>",
                "<p>kept</p><a href=\"never closed>link</a><p>text</p>",
                "<p>kept</p><p class='never closed>text</p>",
                "<p>kept</p><p>text <b",
                "<p>kept</p><p>text </",
                "<p>kept</p><p>text <!",
            })
    void testWhatIsNeverClosedLosesNoText(String html) {
        String text = HtmlExtraction.TEXT.apply(html);
        assertEquals(List.of(true, true), List.of(text.contains("kept"), text.contains("text")), text);
    }

    @Test
    void testDeclaredCharsetIsIgnored() {
        assertEquals("Z\u00FCrich", HtmlExtraction.TEXT.apply("<meta charset=koi8-r><p>Z\u00FCrich"));
        assertEquals("Z\u00FCrich", HtmlExtraction.TEXT.apply("<?xml encoding='utf-16'?><p>Z\u00FCrich"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"news.html", "news-old-layout.html", "manual.html", "news-zh.html"})
    void testReadsTheSameWordsAsJsoup(String page) {
        String html = TestPages.read(page).replaceAll("(?s)<noscript>.*?</noscript>", "");
        assertEquals(words(Jsoup.parse(html).text()), words(HtmlExtraction.TEXT.apply(html)));
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.trim().split("\\s+"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.desk.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** A picture is well-formed, says in words what it shows, and runs nothing that stands in an answer. */
class PictureTests {

    private static Map<String, Object> share(Object estimate, double low, double high) {
        Map<String, Object> share = new HashMap<>();
        share.put("estimate", estimate);
        share.put("low", low);
        share.put("high", high);
        return share;
    }

    private static Map<String, Object> answer(String field) {
        List<Map<String, Object>> distances = new ArrayList<>();
        for (int distance = 0; distance <= 24; distance++) {
            distances.add(Map.of(
                    "precision",
                    distance == 0 ? share(null, 0, 1) : share(0.9, 0.8, 1.0),
                    "recall",
                    share(distance / 24.0, 0, 1)));
        }
        return Map.of(
                "field",
                field,
                "distances",
                distances,
                "suggestion",
                Map.of("max_distance", 11, "why", "11 bits find <most> & \"more\"."));
    }

    private static Document parse(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void testAPictureSaysWhatItShows() throws Exception {
        String svg = Picture.svg(answer("simhash"));
        Document document = parse(svg);
        assertEquals("img", document.getDocumentElement().getAttribute("role"));
        assertEquals(
                "simhash: 11 bits find <most> & \"more\".",
                document.getElementsByTagName("desc").item(0).getTextContent());
        // A legend and a line for each; what has no estimate has no point.
        assertEquals(4, document.getElementsByTagName("polyline").getLength());
        assertEquals(2, document.getElementsByTagName("polygon").getLength());
        String[] points = document.getElementsByTagName("polyline")
                .item(2)
                .getAttributes()
                .getNamedItem("points")
                .getNodeValue()
                .split(" ", -1);
        assertEquals(24, points.length);
        assertTrue(svg.contains("suggested: 11"), svg);
        assertTrue(svg.contains("prefers-color-scheme: dark"), svg);
    }

    @Test
    void testTextsStayTexts() throws Exception {
        String svg = Picture.svg(answer("</title><script>alert(1)</script>"));
        assertEquals(0, parse(svg).getElementsByTagName("script").getLength());
        assertFalse(svg.contains("<script"), svg);
    }

    @Test
    void testSeveralFieldsHaveAChartEach() throws Exception {
        Map<String, Object> empty = Map.of("field", "none", "distances", List.of());
        String svg = Picture.svg(Map.of("fields", List.of(answer("old"), answer("new"), empty)));
        assertEquals(4, parse(svg).getElementsByTagName("polygon").getLength());
        assertTrue(svg.contains("0 0 720 1200"), svg);
        assertTrue(svg.contains("none: nothing was compared."), svg);
    }
}

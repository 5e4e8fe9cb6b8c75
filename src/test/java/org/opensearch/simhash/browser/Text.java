/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.browser;

import java.util.List;
import java.util.Map;
import org.opensearch.simhash.node.Json;

/** Texts inside JSON and scripts. */
final class Text {

    private Text() {}

    /** As a literal of JSON, which is one of JavaScript, too. */
    static String quoted(String text) {
        String list = Json.write(Map.of("text", List.of(text)));
        return list.substring(list.indexOf('[') + 1, list.lastIndexOf(']'));
    }
}

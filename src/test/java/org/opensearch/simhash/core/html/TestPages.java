/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The pages in the test resources, all written for these tests. */
final class TestPages {

    private TestPages() {}

    static String read(String name) {
        try (InputStream page = TestPages.class.getResourceAsStream("/html/" + name)) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

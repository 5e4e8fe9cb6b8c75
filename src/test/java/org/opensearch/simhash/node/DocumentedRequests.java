/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The requests of one section of a page of the documentation, as they stand there. */
record DocumentedRequests(List<ReadmeRequests.Request> requests) {

    /**
     * Reads a section.
     *
     * @param page below {@code docs/}
     * @param heading of the section, as it stands there
     */
    static DocumentedRequests of(String page, String heading) {
        try {
            Path docs = Path.of(System.getProperty("project.basedir", ".")).resolve("docs");
            String text = Files.readString(docs.resolve(page));
            int start = text.indexOf("\n## " + heading + "\n");
            if (start < 0) {
                throw new IllegalArgumentException("no [" + heading + "] in " + page);
            }
            int end = text.indexOf("\n## ", start + 1);
            return new DocumentedRequests(ReadmeRequests.parse(text.substring(start, end < 0 ? text.length() : end)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The request that writes, or reads, by a path that has something in it. */
    ReadmeRequests.Request to(String part) {
        return requests.stream()
                .filter(request -> request.path().contains(part))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no request to [" + part + "] in " + requests));
    }

    /** Sends all of them in their order. */
    void send(RestClient client) {
        requests.forEach(request -> client.must(request.method(), request.path(), request.body()));
    }
}

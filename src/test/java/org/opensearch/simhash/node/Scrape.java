/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Metrics as a node writes them.
 *
 * @param type of the content
 */
public record Scrape(int status, String type, String text) {

    public static Scrape of(RestClient node, String path) {
        return of(node, path, "*/*");
    }

    static Scrape of(RestClient node, String path, String accept) {
        try (HttpClient http = HttpClient.newBuilder()
                .proxy(HttpClient.Builder.NO_PROXY)
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(node.address().resolve(path))
                            .header("Accept", accept)
                            .build(),
                    BodyHandlers.ofString());
            return new Scrape(
                    answer.statusCode(),
                    answer.headers().firstValue("content-type").orElse(""),
                    answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** By name and labels, as they are written. */
    public Map<String, Double> samples() {
        return text.lines()
                .filter(line -> line.isEmpty() == false && line.startsWith("#") == false)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
    }

    /** 0 where there is no such sample. */
    public double value(String sample) {
        return samples().getOrDefault(sample, 0.0);
    }
}

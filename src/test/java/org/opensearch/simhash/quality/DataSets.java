/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.quality;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.opensearch.simhash.node.Json;
import org.tukaani.xz.XZInputStream;

/**
 * The labelled data sets: files {@code NAME.tar.xz}, each with a folder {@code NAME} of files with one JSON object a line.
 *
 * @param folder where they are
 */
public record DataSets(Path folder) {

    /** Those of the system property {@code simhash.data}. */
    public static DataSets configured() {
        Path project = Path.of(System.getProperty("project.basedir", "."));
        return new DataSets(project.resolve(System.getProperty("simhash.data", "../shared/data"))
                .normalize());
    }

    public boolean has(String set) {
        return Files.exists(archive(set));
    }

    /** The objects of one file of a set, in their order. */
    public List<Map<String, Object>> read(String set, String file) {
        String path = set + "/" + file;
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(Files.newInputStream(archive(set))))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.getName().equals(path)) {
                    return lines(tar);
                }
            }
            throw new IllegalArgumentException("no [" + path + "] in [" + archive(set) + "]");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path archive(String set) {
        return folder.resolve(set + ".tar.xz");
    }

    @SuppressWarnings("unchecked") // each line is an object
    private static List<Map<String, Object>> lines(TarArchiveInputStream tar) {
        return new BufferedReader(new InputStreamReader(tar, StandardCharsets.UTF_8))
                .lines()
                .map(line -> (Map<String, Object>) Json.parse(line))
                .toList();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFoldersTests {

    @TempDir
    private Path folder;

    @Test
    void testIsElsewhereAndStillRemovedWhereThereIsWhiteSpaceInThePath() throws IOException {
        Path cluster = folder.resolve("my projects");
        Path node = Files.createDirectories(cluster.resolve("node-0"));
        Path tmp = NodeFolders.tmp(node);
        assertFalse(tmp.toString().contains(" "), tmp.toString());
        assertTrue(Files.isDirectory(tmp));
        assertEquals(tmp, NodeFolders.tmp(node), "when the node is started again");
        Files.writeString(tmp.resolve("file"), "x");
        Distribution.deleteCluster(cluster);
        assertFalse(Files.exists(tmp));
        assertFalse(Files.exists(cluster));
        Distribution.deleteCluster(cluster);
    }

    @Test
    void testDataInMemoryIsFoundAgainAndRemovedWithTheCluster() throws IOException {
        Path node = Files.createDirectories(folder.resolve("cluster/node-0"));
        Path data = NodeFolders.data(node, true);
        Files.writeString(data.resolve("file"), "x");
        assertEquals(data, NodeFolders.data(node, false), "when the node is started again");
        assertTrue(Files.exists(node.resolve("data/file")));
        Distribution.deleteCluster(folder.resolve("cluster"));
        assertFalse(Files.exists(data));
    }

    @Test
    void testForeignLinksAreLeftAlone() throws IOException {
        Path other = Files.createDirectories(folder.resolve("other"));
        Path node = Files.createDirectories(folder.resolve("cluster/node-0"));
        Files.createSymbolicLink(node.resolve("tmp"), other);
        Distribution.deleteCluster(folder.resolve("cluster"));
        assertTrue(Files.exists(other));
    }
}

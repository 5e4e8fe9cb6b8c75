/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opensearch.simhash.core.RandomSeed;

class LinkTreeTests {

    @RegisterExtension
    final RandomSeed seed = new RandomSeed();

    /** Documents 0 and 1 are connected by 2 and 3. */
    @Test
    void testEachMemberHasTheLinkByWhichItIsConnected() {
        ChainLinkage.LinkTree tree = new ChainLinkage.LinkTree(4);
        DisjointSets sets = new DisjointSets(4);
        tree.unite(sets, 2, 3, 0.9);
        tree.unite(sets, 0, 2, 0.87);
        tree.unite(sets, 3, 1, 0.95);
        tree.root(0);
        assertEquals(List.of(Double.NaN, 0.95, 0.87, 0.9), similarities(tree, 4));
        tree.root(1);
        assertEquals(List.of(0.87, Double.NaN, 0.9, 0.95), similarities(tree, 4));
    }

    @Test
    void testOfATreeEveryLinkIsOneDocumentsWhateverItsRoot() {
        var random = new Random(seed.value());
        for (int round = 0; round < 200; round++) {
            int count = 1 + random.nextInt(40);
            ChainLinkage.LinkTree tree = new ChainLinkage.LinkTree(count);
            DisjointSets sets = new DisjointSets(count);
            List<int[]> links = new ArrayList<>();
            for (int i = 0; i < 3 * count; i++) {
                int a = random.nextInt(count);
                int b = random.nextInt(count);
                if (sets.root(a) != sets.root(b)) {
                    tree.unite(sets, a, b, links.size());
                    links.add(new int[] {a, b});
                }
            }
            int root = random.nextInt(count);
            tree.root(root);
            var documents = new TreeMap<Integer, Integer>();
            for (int document = 0; document < count; document++) {
                double link = tree.similarity(document);
                if (Double.isNaN(link) == false) {
                    int[] ends = links.get((int) link);
                    assertTrue(Arrays.stream(ends).anyMatch(List.of(document)::contains), "one of its own");
                    documents.put((int) link, document);
                }
            }
            assertEquals(links.size(), documents.size(), "each once");
            assertTrue(Double.isNaN(tree.similarity(root)));
        }
    }

    private static List<Double> similarities(ChainLinkage.LinkTree tree, int count) {
        List<Double> similarities = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            similarities.add(tree.similarity(i));
        }
        return similarities;
    }
}

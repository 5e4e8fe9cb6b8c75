/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.opensearch.index.mapper.KeywordFieldMapper.KeywordFieldType;

class ApartTests {

    @Test
    void testTwoAreApartWhileEachNamesTheOther() {
        Apart a = Apart.of("a", List.of("b", "c"));
        Apart b = Apart.of("b", List.of("a"));
        Apart changed = Apart.of("c", List.of());
        assertTrue(a.isFrom(b) && b.isFrom(a));
        assertFalse(a.isFrom(changed) || changed.isFrom(a));
        assertFalse(a.isFrom(Apart.of(null, List.of("a"))));
        assertFalse(a.isFrom(a));
    }

    @Test
    void testReadsDocValues() throws IOException {
        try (var directory = new ByteBuffersDirectory();
                var writer = new IndexWriter(directory, new IndexWriterConfig())) {
            for (List<String> named : List.of(List.<String>of(), List.of("b", "c"))) {
                Document document = new Document();
                named.forEach(id -> document.add(new SortedSetDocValuesField("simhash.apart", new BytesRef(id))));
                writer.addDocument(document);
            }
            writer.commit();
            try (var reader = DirectoryReader.open(directory)) {
                LeafReader leaf = reader.leaves().getFirst().reader();
                Apart.Leaf read = Apart.open(leaf, new KeywordFieldType("simhash.apart"));
                assertEquals(Set.of(), read.of(0, "x").named());
                assertEquals(new Apart("a", Set.of("b", "c")), read.of(1, "a"));
                assertEquals(
                        Set.of(),
                        Apart.open(leaf, new KeywordFieldType("other"))
                                .of(1, "a")
                                .named());
                assertEquals(Set.of(), Apart.open(leaf, null).of(1, "a").named());
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.util.BytesRef;
import org.opensearch.simhash.core.fingerprint.LongHash;

/** The hashes of 256 bits of a leaf's documents, in ascending order: of the type {@code binary}, or Base64 text as a dynamic mapping keeps it. */
public abstract class LongHashValues {

    private final DocIdSetIterator all;

    private LongHashValues(DocIdSetIterator all) {
        this.all = all;
    }

    public static LongHashValues open(LeafReader reader, String field) throws IOException {
        FieldInfo info = reader.getFieldInfos().fieldInfo(field);
        return info == null || info.getDocValuesType() == DocValuesType.BINARY
                ? new Bytes(DocValues.getBinary(reader, field))
                : new Texts(DocValues.getSortedSet(reader, field));
    }

    final DocIdSetIterator documents() {
        return all;
    }

    abstract boolean advanceExact(int doc) throws IOException;

    /** Call on a document before {@link #next}. */
    abstract void open() throws IOException;

    /** The next hash of the document, the same object each time; null behind the last one. */
    abstract BytesRef next() throws IOException;

    /** The hashes of a document. Somebody may have written shorter or longer values. */
    public final List<LongHash> of(int doc) throws IOException {
        List<LongHash> hashes = new ArrayList<>();
        if (advanceExact(doc)) {
            open();
            for (BytesRef bytes = next(); bytes != null; bytes = next()) {
                if (bytes.length == LongHash.MOST_BITS / Byte.SIZE) {
                    hashes.add(LongHash.fromBytes(bytes.bytes, bytes.offset, bytes.length));
                }
            }
        }
        return hashes;
    }

    private static final class Bytes extends LongHashValues {

        private final BinaryDocValues documents;
        private final BinaryValues several = new BinaryValues();

        Bytes(BinaryDocValues documents) {
            super(documents);
            this.documents = documents;
        }

        @Override
        boolean advanceExact(int doc) throws IOException {
            return documents.advanceExact(doc);
        }

        @Override
        void open() throws IOException {
            several.of(documents.binaryValue());
        }

        @Override
        BytesRef next() {
            return several.next();
        }
    }

    private static final class Texts extends LongHashValues {

        private final SortedSetDocValues documents;
        private final BytesRef decoded = new BytesRef();
        private int left;

        Texts(SortedSetDocValues documents) {
            super(documents);
            this.documents = documents;
        }

        @Override
        boolean advanceExact(int doc) throws IOException {
            return documents.advanceExact(doc);
        }

        @Override
        void open() {
            left = documents.docValueCount();
        }

        @Override
        BytesRef next() throws IOException {
            if (left == 0) {
                return null;
            }
            left--;
            BytesRef text = documents.lookupOrd(documents.nextOrd());
            try {
                decoded.bytes = Base64.getDecoder().decode(BytesRef.deepCopyOf(text).bytes);
            } catch (IllegalArgumentException e) {
                decoded.bytes = BytesRef.EMPTY_BYTES; // somebody wrote another text there
            }
            decoded.length = decoded.bytes.length;
            return decoded;
        }
    }

    /** The values of a document in a field of OpenSearch's type {@code binary}: their number, then length and bytes of each. One thread. */
    public static final class BinaryValues {

        private final ByteArrayDataInput input = new ByteArrayDataInput();
        private final BytesRef value = new BytesRef();
        private int left;

        /** @param written doc value of the document */
        public void of(BytesRef written) {
            input.reset(written.bytes, written.offset, written.length);
            value.bytes = written.bytes;
            left = input.readVInt();
        }

        /** The next value, the same object each time; null behind the last one. */
        public BytesRef next() {
            if (left-- == 0) {
                return null;
            }
            value.length = input.readVInt();
            value.offset = input.getPosition();
            input.skipBytes(value.length);
            return value;
        }
    }
}

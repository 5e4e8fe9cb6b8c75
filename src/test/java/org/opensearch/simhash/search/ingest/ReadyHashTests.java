/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.search.ingest;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.OpenSearchParseException;
import org.opensearch.index.VersionType;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Pipeline;
import org.opensearch.ingest.Processor;
import org.opensearch.simhash.core.fingerprint.SegmentLayout;
import org.opensearch.simhash.core.image.TestImages;
import org.opensearch.test.OpenSearchTestCase;

/** From a hash in a document, or an image, to the fields that near ones are found by. */
public class ReadyHashTests extends OpenSearchTestCase {

    private Map<String, Processor.Factory> processors;

    @Override
    public void setUp() throws Exception {
        super.setUp();
        processors = AnalysisModules.processors();
    }

    public void testEveryFormatOfAHashGivesTheSameFields() throws Exception {
        for (int round = 0; round < 50; round++) {
            long bits = round == 0 ? 0 : round == 1 ? -1 : round == 2 ? Long.MIN_VALUE : randomLong();
            String hex = HexFormat.of().toHexDigits(bits);
            BigInteger unsigned = new BigInteger(Long.toUnsignedString(bits));
            String binary = String.format(Locale.ROOT, "%64s", Long.toBinaryString(bits))
                    .replace(' ', '0');
            List<Object> signedShorts = new ArrayList<>();
            List<Object> unsignedShorts = new ArrayList<>();
            for (int shift = 48; shift >= 0; shift -= 16) {
                signedShorts.add((int) (short) (bits >> shift));
                unsignedShorts.add(String.valueOf((bits >> shift) & 0xFFFF));
            }
            Map<String, Object> expected = new HashMap<>(Map.of("hash", hex, "bits", bits, "scheme", "given-phash-64"));
            String[] terms = new SegmentLayout(4).terms(bits);
            for (int i = 0; i < 4; i++) {
                expected.put("segment_" + i, terms[i]);
            }
            assertEquals(expected, picture("hex", hex));
            assertEquals(expected, picture(null, hex.toUpperCase(Locale.ROOT)));
            assertEquals(expected, picture("hex", "0x" + hex));
            assertEquals(expected, picture("hex", Long.toHexString(bits)));
            assertEquals(expected, picture("hex", "0x" + Long.toHexString(bits)));
            assertEquals(expected, picture("unsigned", unsigned));
            assertEquals(expected, picture("unsigned", unsigned.toString()));
            assertEquals(expected, picture("signed", bits));
            assertEquals(expected, picture("signed", String.valueOf(bits)));
            assertEquals(expected, picture("bits", binary));
            assertEquals(expected, picture("shorts", signedShorts));
            assertEquals(expected, picture("shorts", unsignedShorts));
            assertEquals(expected, picture("shorts", signedShorts.toArray()));
        }
        assertEquals(17L, ((Map<?, ?>) picture("unsigned", 17)).get("bits"));
    }

    public void testEveryFormatOfALongHashGivesTheSameFields() throws Exception {
        for (int round = 0; round < 50; round++) {
            int length = 256;
            byte[] bytes = new byte[length / 8];
            random().nextBytes(bytes);
            if (round < 2) {
                Arrays.fill(bytes, (byte) -round);
            }
            BigInteger unsigned = new BigInteger(1, bytes);
            String hex = HexFormat.of().formatHex(bytes);
            Map<String, Object> expected = new HashMap<>(Map.of(
                    "hash", hex, "bits_" + length, Base64.getEncoder().encodeToString(bytes), "scheme", "given-x"));
            for (int i = 0; i < length / 16; i++) {
                expected.put("segment_" + i, hex.substring(4 * i, 4 * i + 4));
            }
            List<Object> signedBytes = new ArrayList<>();
            List<Object> unsignedBytes = new ArrayList<>();
            for (byte one : bytes) {
                signedBytes.add((int) one);
                unsignedBytes.add(one & 0xFF);
            }
            List<Object> shorts = new ArrayList<>();
            List<Object> longs = new ArrayList<>();
            for (int i = 0; i < length / 16; i++) {
                shorts.add((int) ByteBuffer.wrap(bytes).getShort(2 * i));
            }
            for (int i = 0; i < length / 64; i++) {
                longs.add(ByteBuffer.wrap(bytes).getLong(8 * i));
            }
            assertEquals(expected, longHash(length, "hex", hex));
            assertEquals(expected, longHash(length, null, "0X" + unsigned.toString(16)));
            assertEquals(expected, longHash(length, "unsigned", unsigned.toString()));
            assertEquals(expected, longHash(length, "signed", new BigInteger(bytes)));
            assertEquals(
                    expected,
                    longHash(
                            length,
                            "bits",
                            "0".repeat(length - unsigned.bitLength())
                                    + (unsigned.signum() == 0 ? "" : unsigned.toString(2))));
            assertEquals(
                    expected, longHash(length, "base64", Base64.getEncoder().encodeToString(bytes)));
            assertEquals(
                    expected,
                    longHash(
                            length,
                            "base64",
                            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)));
            assertEquals(expected, longHash(length, "bytes", signedBytes));
            assertEquals(expected, longHash(length, "bytes", unsignedBytes));
            assertEquals(expected, longHash(length, "shorts", shorts));
            assertEquals(expected, longHash(length, "longs", longs));
        }
    }

    public void testALongHashOfAnotherLengthIsTheFailureOfItsDocument() {
        Map<String, List<Object>> wrong = Map.of(
                "hex", List.of("0".repeat(65), "x", "", 7),
                "bits", List.of("0".repeat(255), "0".repeat(257), "0".repeat(64)),
                "base64", List.of("A".repeat(42), "A".repeat(44) + "AAA=", "AAAA", "", "?".repeat(44), 7),
                "bytes", List.of(List.of(), List.of(1, 2), Collections.nCopies(32, 256), Collections.nCopies(33, 1)),
                "shorts", List.of(List.of(1, 2, 3, 4), Collections.nCopies(16, 70_000)),
                "longs", List.of(List.of(1, 2), List.of(1, 2, 3, 1.5), "1,2,3,4"));
        Map<String, String> rules = Map.of(
                "hex", "1 to 64 hex digits",
                "bits", "256 characters 0 or 1",
                "base64", "32 bytes in Base64",
                "bytes", "an array of 32 whole numbers between -128 and 255",
                "shorts", "an array of 16 whole numbers between -32768 and 65535",
                "longs", "an array of four whole numbers between -9223372036854775808 and 18446744073709551615");
        wrong.forEach((format, values) -> values.forEach(value -> {
            Exception e = expectThrows(Exception.class, () -> longHash(256, format, value));
            String message = e.getCause().getMessage();
            String start = "field [h] must be " + rules.get(format) + ", as [hash_format] says, got: ";
            assertTrue(message, message.startsWith(start));
        }));
    }

    private Object longHash(int length, String format, Object value) throws Exception {
        Map<String, Object> options = options("hash_field", "h", "hash_scheme", "x", "hash_bits", length);
        if (format != null) {
            options.put("hash_format", format);
        }
        return run("simhash", options, options("h", value)).get("simhash");
    }

    public void testAnImageGetsTheFieldsOfItsLongHash() throws Exception {
        String image = TestImages.base64(TestImages.write("jpeg", TestImages.draw(3, 200, 100)));
        for (int length : List.of(256)) {
            Map<?, ?> hash =
                    (Map<?, ?>) run("image_hash", options("field", "i", "hash_bits", length), options("i", image))
                            .get("simhash");
            assertEquals("phash-" + length + "-v1", hash.get("scheme"));
            assertEquals(length / 4, ((String) hash.get("hash")).length());
            assertTrue((int) hash.get("quality") >= 50);
            assertEquals(
                    hash.get("hash"),
                    HexFormat.of().formatHex(Base64.getDecoder().decode((String) hash.get("bits_" + length))));
            assertFalse(hash.containsKey("bits"));
            assertTrue(hash.containsKey("segment_" + (length / 16 - 1)));
        }
    }

    /** A dynamic mapping makes a long of the first number, which takes none above 2^63. */
    public void testUnsignedNumbersBecomeStrings() throws Exception {
        Map<String, Object> options =
                options("hash_field", "meta.phash", "hash_format", "unsigned", "hash_scheme", "x");
        for (Object number : List.of(12, 12L, new BigInteger("18446744073709551615"), "18446744073709551615")) {
            Map<String, Object> document = options("meta", options("phash", number));
            Map<?, ?> meta =
                    (Map<?, ?>) run("simhash", copy(options), copy(document)).get("meta");
            assertEquals(number.toString(), meta.get("phash"));
        }
        Map<String, Object> signed = copy(options);
        signed.put("hash_format", "signed");
        Map<?, ?> meta = (Map<?, ?>)
                run("simhash", signed, options("meta", options("phash", 12))).get("meta");
        assertEquals(12, meta.get("phash"));
    }

    /** Those that fit into no {@code long}, and those beside them. */
    public void testWideNumbersBecomeStrings() throws Exception {
        BigInteger wide = BigInteger.TWO.pow(63);
        Map<String, Object> options =
                options("hash_field", "h", "hash_format", "signed", "hash_scheme", "x", "hash_bits", 256);
        assertEquals(
                wide.toString(),
                run("simhash", copy(options), options("h", wide)).get("h"));
        assertEquals("-5", run("simhash", copy(options), options("h", -5)).get("h"));
        options.put("hash_format", "longs");
        List<Object> longs = List.of(wide, -5, 0, 1);
        List<String> texts = List.of(wide.toString(), "-5", "0", "1");
        for (Object value : List.of(longs, longs.toArray(), texts)) {
            assertEquals(
                    texts, run("simhash", copy(options), options("h", value)).get("h"));
        }
        List<Object> bytes = Collections.nCopies(32, 7);
        options.put("hash_format", "bytes");
        assertEquals(bytes, run("simhash", options, options("h", bytes)).get("h"));
    }

    public void testAWrongHashIsTheFailureOfItsDocument() {
        String rule = "must be 1 to 16 hex digits";
        for (Object wrong : List.of(
                "",
                "0123456789abcdef0",
                "0123456789abcdeg",
                "0x",
                "x1",
                "0x0x1",
                " 0123456789abcdef",
                "-123456789abcdef",
                "+123456789abcdef",
                1234567890123456L,
                1.5,
                true,
                List.of("0123456789abcdef"),
                Map.of("a", 1),
                "\u0660123456789abcdef")) {
            assertRefused("hex", wrong, rule);
        }
        rule = "must be a whole number between 0 and 18446744073709551615";
        for (Object wrong : List.of(
                "",
                "-1",
                -1,
                -1L,
                "18446744073709551616",
                new BigInteger("18446744073709551616"),
                1.0,
                1e18,
                "1.0",
                "1e5",
                "0x1",
                "+1",
                " 1",
                "9".repeat(1_000_000),
                List.of(1),
                true,
                "ff",
                Float.NaN)) {
            assertRefused("unsigned", wrong, rule);
        }
        rule = "must be a whole number between -9223372036854775808 and 9223372036854775807";
        for (Object wrong : List.of(
                "9223372036854775808",
                "-9223372036854775809",
                new BigInteger("9223372036854775808"),
                0.0,
                "--1",
                "-")) {
            assertRefused("signed", wrong, rule);
        }
        rule = "must be 64 characters 0 or 1";
        for (Object wrong :
                List.of("0".repeat(63), "0".repeat(65), "2" + "0".repeat(63), "", 0, List.of("0".repeat(64)))) {
            assertRefused("bits", wrong, rule);
        }
        rule = "must be an array of four whole numbers between -32768 and 65535";
        for (Object wrong : List.of(
                List.of(),
                List.of(1, 2, 3),
                List.of(1, 2, 3, 4, 5),
                List.of(1, 2, 3, 65536),
                List.of(-32769, 1, 2, 3),
                List.of(1, 2, 3, 4.0),
                Arrays.asList(1, 2, 3, null),
                List.of(1, 2, 3, List.of(4)),
                List.of(1, 2, 3, "x"),
                "1,2,3,4",
                7)) {
            assertRefused("shorts", wrong, rule);
        }
    }

    private void assertRefused(String format, Object value, String rule) {
        Exception e = expectThrows(Exception.class, () -> picture(format, value));
        String message = e.getCause().getMessage();
        assertTrue(message, message.startsWith("field [phash] " + rule + ", as [hash_format] says, got: "));
        assertTrue(message.length() + " characters", message.length() < 300);
    }

    public void testAMissingHashIsAnErrorUnlessIgnored() throws Exception {
        for (String type : List.of("simhash", "image_hash")) {
            Map<String, Object> options = type.equals("simhash")
                    ? options("hash_field", "meta.phash", "hash_scheme", "x")
                    : options("field", "meta.phash");
            for (Map<String, Object> document : List.of(options("a", 1), options("meta", options("phash", null)))) {
                Exception e = expectThrows(Exception.class, () -> run(type, copy(options), copy(document)));
                assertTrue(
                        e.getCause().getMessage(),
                        e.getCause().getMessage().startsWith("document has no field [meta.phash]"));
                Map<String, Object> lenient = copy(options);
                lenient.put("ignore_missing", true);
                assertEquals(document, run(type, lenient, copy(document)));
            }
        }
    }

    /** For the mapping they are one object. */
    public void testAHashBelowANameWithDotsBesideAnObjectIsSeen() throws Exception {
        String image = TestImages.base64(TestImages.write("png", TestImages.draw(3, 200, 100)));
        Map<String, Object> document = options(
                "a",
                options("title", "x"),
                "a.hash",
                "0123456789abcdef",
                "a.shorts",
                List.of(1, 2, 3, 4),
                "a.image",
                image);
        Map<?, ?> hash = (Map<?, ?>) run("simhash", options("hash_field", "a.hash", "hash_scheme", "x"), copy(document))
                .get("simhash");
        assertEquals("0123456789abcdef", hash.get("hash"));
        Map<?, ?> shorts = (Map<?, ?>) run(
                        "simhash",
                        options("hash_field", "a.shorts", "hash_scheme", "x", "hash_format", "shorts"),
                        copy(document))
                .get("simhash");
        assertEquals("0001000200030004", shorts.get("hash"));
        assertEquals(
                run("image_hash", options("field", "i"), options("i", image)).get("simhash"),
                run("image_hash", options("field", "a.image"), copy(document)).get("simhash"));
    }

    public void testOptionsThatDoNotGoTogetherRefuseThePipeline() {
        assertPipeline(
                "[hash_format] must be one of [hex, unsigned, signed, bits, base64, bytes, shorts, longs], got: octal",
                options("hash_field", "h", "hash_scheme", "x", "hash_format", "octal"));
        String rule =
                "[hash_scheme] must say what made the hashes of [hash_field], in 1 to 58 letters, digits, dots, hyphens"
                        + " and underscores, got: ";
        assertPipeline(rule + "none", options("hash_field", "h"));
        for (String wrong : List.of("", "a b", "\u00E4", "x/y")) {
            assertPipeline(rule + wrong, options("hash_field", "h", "hash_scheme", wrong));
        }
        assertPipeline(rule + "a".repeat(59), options("hash_field", "h", "hash_scheme", "a".repeat(59)));
        for (String option : List.of(
                "field",
                "fields",
                "html",
                "analyzer",
                "analyzers",
                "language_field",
                "language_detection",
                "min_shingle_size",
                "max_shingle_size",
                "weighting",
                "hash_function",
                "feature_weights",
                "min_features")) {
            assertPipeline(
                    "[" + option + "] goes with [field] or [fields], not with [hash_field], got: v",
                    options("hash_field", "h", "hash_scheme", "x", option, "v"));
        }
        assertPipeline("[hash_format] needs [hash_field], got: hex", options("field", "a", "hash_format", "hex"));
        assertPipeline("[hash_scheme] needs [hash_field], got: x", options("field", "a", "hash_scheme", "x"));
        assertPipeline(
                "[hash_field] must name a field, got an empty name", options("hash_field", "", "hash_scheme", "x"));
        assertPipeline(
                "[hash_field] must be a string, got: [h]", options("hash_field", List.of("h"), "hash_scheme", "x"));
        assertPipeline(
                "[target_field] must be apart from the fields that are read, got: simhash beside simhash.hash",
                options("hash_field", "simhash.hash", "hash_scheme", "x"));
        assertPipeline(
                "[segments] must be between 2 and 8, got: 9",
                options("hash_field", "h", "hash_scheme", "x", "segments", 9));
        assertPipeline(
                "[segments] of a hash of 256 bits must be a multiple of 4 between 8 and 16, got: 10",
                options("hash_field", "h", "hash_scheme", "x", "hash_bits", 256, "segments", 10));
        assertPipeline(
                "[hash_bits] must be 64 or 256, got: 128",
                options("hash_field", "h", "hash_scheme", "x", "hash_bits", 128));
        assertPipeline("[hash_bits] needs [hash_field], got: 256", options("field", "a", "hash_bits", 256));
        assertPipeline("unknown option [feild]", options("hash_field", "h", "hash_scheme", "x", "feild", 9));
    }

    private void assertPipeline(String message, Map<String, Object> options) {
        OpenSearchParseException e = expectThrows(OpenSearchParseException.class, () -> pipeline("simhash", options));
        assertTrue(e.getMessage(), e.getMessage().startsWith(message));
    }

    public void testWrongOptionsOfImagesRefuseThePipeline() {
        Map<String, Map<String, Object>> wrong = Map.of(
                "[field] is required, got: none", options(),
                "[algorithm] must be one of [phash, ahash, pdq], got: dhash",
                        options("field", "i", "algorithm", "dhash"),
                "[max_pixels] must be between 1 and 200000000, got: 0", options("field", "i", "max_pixels", 0),
                "[max_bytes] must be between 1 and 100000000, got: 100000001",
                        options("field", "i", "max_bytes", 100_000_001),
                "[segments] must be between 2 and 8, got: 1", options("field", "i", "segments", 1),
                "[hash_bits] of [algorithm] ahash must be 64, got: 256",
                        options("field", "i", "algorithm", "ahash", "hash_bits", 256),
                "[hash_bits] of [algorithm] pdq must be 256, got: 64",
                        options("field", "i", "algorithm", "pdq", "hash_bits", 64),
                "[hash_bits] must be 64 or 256, got: 128", options("field", "i", "hash_bits", 128),
                "[target_field] must be apart from the fields that are read, got: i beside i",
                        options("field", "i", "target_field", "i"));
        wrong.forEach((message, options) -> {
            OpenSearchParseException e =
                    expectThrows(OpenSearchParseException.class, () -> pipeline("image_hash", options));
            assertEquals(message, e.getMessage());
        });
    }

    public void testAnImageGetsTheFieldsOfItsHash() throws Exception {
        String image = TestImages.base64(TestImages.write("jpeg", TestImages.draw(3, 200, 100)));
        Map<?, ?> phash = (Map<?, ?>)
                run("image_hash", options("field", "i"), options("i", image)).get("simhash");
        assertEquals("phash-v1", phash.get("scheme"));
        assertEquals(
                List.of(8, false, false),
                List.of(phash.size(), phash.containsKey("digest"), phash.containsKey("features")));
        assertEquals(phash.get("bits"), HexFormat.fromHexDigitsToLong((String) phash.get("hash")));
        Map<?, ?> again = (Map<?, ?>) run(
                        "image_hash",
                        options("field", "i", "target_field", "p"),
                        options("i", "data:image/png;base64," + image))
                .get("p");
        assertEquals(phash, again);
        String white = TestImages.base64(TestImages.write("png", TestImages.draw(3, 1, 1)));
        assertEquals(
                Map.of("scheme", "phash-v1", "quality", 0),
                run("image_hash", options("field", "i"), options("i", white)).get("simhash"));
        Map<?, ?> pdq = (Map<?, ?>) run("image_hash", options("field", "i", "algorithm", "pdq"), options("i", image))
                .get("simhash");
        assertEquals("without [hash_bits]", 64, ((String) pdq.get("hash")).length());
        Map<?, ?> ahash =
                (Map<?, ?>) run("image_hash", options("field", "i", "algorithm", "ahash"), options("i", image))
                        .get("simhash");
        assertEquals("ahash-v1", ahash.get("scheme"));
        assertEquals(phash.keySet(), ahash.keySet());
        assertEquals(phash.get("quality"), ahash.get("quality"));
        assertEquals(pdq.get("quality"), phash.get("quality"));
        for (Object wrong : List.of(List.of(image), Map.of("a", image), 17, "x")) {
            Exception e =
                    expectThrows(Exception.class, () -> run("image_hash", options("field", "i"), options("i", wrong)));
            assertTrue(e.getCause().getMessage(), e.getCause().getMessage().startsWith("field [i] must be an image"));
        }
    }

    /** A number of 64 bits is what JavaScript rounds. */
    public void testBitsAreTextWhereTheyShallBeNoNumber() throws Exception {
        String image = TestImages.base64(TestImages.write("png", TestImages.draw(3, 200, 100)));
        String text = "a text of more than eight features is one of nine words or more";
        Map<String, Map<String, Object>> byType = Map.of(
                "image_hash",
                options("field", "i"),
                "simhash",
                randomBoolean() ? options("field", "t") : options("hash_field", "h", "hash_scheme", "x"));
        for (String type : byType.keySet()) {
            Map<String, Object> source = options("i", image, "t", text, "h", "fffffffffffffffe");
            Map<String, Object> number =
                    new HashMap<>(object(run(type, new HashMap<>(byType.get(type)), new HashMap<>(source))));
            Map<String, Object> options = new HashMap<>(byType.get(type));
            options.put("bits", false);
            Map<String, Object> digits = object(run(type, options, new HashMap<>(source)));
            assertEquals(number.get("bits").toString(), digits.get("bits"));
            number.put("bits", digits.get("bits"));
            assertEquals(number, digits);
        }
        Exception e = expectThrows(
                OpenSearchParseException.class, () -> pipeline("minhash", options("field", "t", "bits", false)));
        assertTrue(e.getMessage(), e.getMessage().contains("[bits]"));
    }

    @SuppressWarnings("unchecked") // from JSON
    private static Map<String, Object> object(Map<String, Object> document) {
        return (Map<String, Object>) document.get("simhash");
    }

    private Object picture(String format, Object value) throws Exception {
        Map<String, Object> options =
                options("hash_field", "phash", "hash_scheme", "phash-64", "target_field", "picture");
        if (format != null) {
            options.put("hash_format", format);
        }
        return run("simhash", options, options("phash", value)).get("picture");
    }

    private Map<String, Object> run(String type, Map<String, Object> options, Map<String, Object> source)
            throws Exception {
        IngestDocument document = new IngestDocument("docs", "1", null, null, VersionType.INTERNAL, source);
        List<Exception> failures = new ArrayList<>();
        document.executePipeline(pipeline(type, options), (result, failure) -> {
            if (failure != null) {
                failures.add(failure);
            }
        });
        if (failures.isEmpty() == false) {
            throw failures.getFirst();
        }
        Map<String, Object> fields = new HashMap<>(document.getSourceAndMetadata());
        for (IngestDocument.Metadata metadata : IngestDocument.Metadata.values()) {
            fields.remove(metadata.getFieldName());
        }
        return fields;
    }

    private Pipeline pipeline(String type, Map<String, Object> options) throws Exception {
        Map<String, Object> config = new HashMap<>();
        config.put("processors", List.of(new HashMap<>(Map.of(type, options))));
        return Pipeline.create("p", config, processors, null);
    }

    private static Map<String, Object> copy(Map<String, Object> options) {
        return new HashMap<>(options);
    }

    private static Map<String, Object> options(Object... keysAndValues) {
        Map<String, Object> options = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return options;
    }
}

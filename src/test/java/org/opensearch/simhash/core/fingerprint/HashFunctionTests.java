/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.fingerprint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published test vectors: fingerprints that other systems made with these functions must stay comparable. */
class HashFunctionTests {

    /** From the FNV reference code, test vectors of FNV-1a 64. */
    @ParameterizedTest
    @CsvSource({
        "'', cbf29ce484222325",
        "a, af63dc4c8601ec8c",
        "foob, dd120e790c2512af",
        "fooba, cac165afa2fef40a",
        "foobar, 85944171f73967e8"
    })
    void testFnv1aIsThePublishedOne(String text, String hash) {
        assertEquals(hash, hex(HashFunction.FNV1A, text));
    }

    /** First eight bytes of the 128-bit values that Guava's tests quote from the reference implementation. */
    @ParameterizedTest
    @CsvSource({
        "'', 0000000000000000",
        "abc, b4963f3f3fad7867",
        "The quick brown fox jumps over the lazy dog, e34bbc7bbc071b6c",
        "The quick brown fox jumps over the lazy cog, 658ca970ff85269a"
    })
    void testMurmur3IsThePublishedOne(String text, String hash) {
        assertEquals(hash, hex(HashFunction.MURMUR3, text));
    }

    /** From the reference implementation, with our seed. */
    @ParameterizedTest
    @CsvSource({
        "'', 8cbe2e6d3167fa95",
        "a, dd615a43cce7c8c0",
        "abc, f54af99d82fea871",
        "The quick brown fox jumps over the lazy dog, 626f568ef7a2eb0e"
    })
    void testXxh3IsThePublishedOne(String text, String hash) {
        assertEquals(hash, hex(HashFunction.XXH3, text));
    }

    private static String hex(HashFunction function, String text) {
        byte[] padded = ("--" + text + "--").getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().toHexDigits(function.hash(padded, 2, padded.length - 4));
    }
}

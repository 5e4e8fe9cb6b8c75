/* SPDX-License-Identifier: Apache-2.0 */
package org.opensearch.simhash.core.image;

import java.util.HexFormat;

/** The numbers of the format VP8, from its description (RFC 6386). Nobody may change the arrays. */
final class Vp8Tables {

    static final int TYPES = 4;
    static final int BANDS = 8;
    static final int CONTEXTS = 3;
    static final int TOKENS = 11;

    /** Steps of quantization of the mean of a block (14.1). */
    static final int[] DC = numbers(2, """
            0405060708090a0a0b0c0d0e0f101111121314141515161617171819191a1b1c1d1e1f20212223242525262728292a2b2c2d2e2e2f30313233343536
            3738393a3b3c3d3e3f404142434445464748494a4b4c4c4d4e4f505152535455565758595b5d5f6062646566686a6c6e707274767a7c7e8082848688
            8a8c8f9194979a9d
            """);

    /** And of its other frequencies. */
    static final int[] AC = numbers(3, """
            00400500600700800900a00b00c00d00e00f01001101201301401501601701801901a01b01c01d01e01f02002102202302402502602702802902a02b
            02c02d02e02f03003103203303403503603703803903a03c03e04004204404604804a04c04e05005205405605805a05c05e06006206406606806a06c
            06e07007207407707a07d08008308608908c08f09209509809b09e0a10a40a70aa0ad0b10b50b90bd0c10c50c90cd0d10d50d90dd0e10e50ea0ef0f5
            0f90fe10310810d11211711c
            """);

    /** Of a block's mode, by that of the block above, then by that of the one to the left (11.5): 9 each. */
    static final int[] MODES = numbers(2, """
            e7783059737178987098b3407eaa762e465faf458f505552489b67383a0aabdabd110d9890470a26abd590221a721a11a32cc3150aad791850c31a3e
            2c4055aa2e371388a021ce473f14087272d00c09e251280b60b6541d102486b7598962656aa59448bb64829d6f204b504266a7634a3e28ea80293509
            b2f18d1a086b684f0c1bd9ff5711074a2b1a9249a631179d412669a033341f73805744472c72330fba172f290e6eb6b71511c2422d1966c5bd171216
            585893962a2e2dc4cd2b61b775552623b33d2735c8571a152be8ab3822336872661d5d4d6b36201a3301512b1f271c55ab3aa55a6240221674ce1722
            2ba64944196a1640ab24e1722213156684bc104c7c3e124e5f5539323033c165239fd76f592e6f3c941facdbe415126f70714d55b3ff267872282a01
            c4f5d10a196d6450082b9a01331a47582b1d8ca6d5252b9a3d3f1e9b432d4401d18e4e4e10ff8022c5ab29280566d3b70401dd333211a8d1c0171952
            7d622a58685575af525f543559806471652d4b4f7b2f338051ab013911054766393529317315020a66ffa6170626210d7939491a0155290a438a4d6e
            5a2f72651d100a558065c41a39120a6666d522142b75140f24a38044011a8a1f24ab1ba6262ce543573aa952731a3bb33f3b5ab43ba65d499a282815
            748fd12227af392e161880013611252f0f10b722df312db72e1121b706620f20b7412049731c801780cd2803097333c01206df572509733b4d40152f
            68372cda09363582e2405a46cd2829171a39363970b8052926a6d51e221a8598740a20864b200c33c0ffa02b33271335dd1a722049ff1f0941ea020f
            017649581f2343665537ba553815176f3bcd2d25c03726467c4966012262663d472522351ff3c0453c472649771cde25442d8022012f0bf5ab3e1113
            469255373e464b0f090940ffb87710252b259a64a355a0013f095c881c4020c95556061c0540ff19f8013808118489ff3774803a0f145287391a7928
            a4321f899a851923da33672c83837b1f069e5628408794e02db780161a1183f09a0e01d1530c0d36c0ff442f1c2d10155b40de0701c53815279b3c8a
            1766d5551a555580802092ab120b073f90ab0404f6231b0a92aeab0c1a80be502363b4507e362d557e2f57b033291420654b808b769274805538290f
            b0ec5525093e9224131eabff611b14471e117776ff11128a65263c8a37462b1a8e8a2d3d3edb0151bc4020291475978e1415a370130c3dc380300418
            """);

    /** Of tokens (13.5), by type, band and context: 11 each. */
    static final int[] COEFFICIENTS = numbers(2, """
            808080808080808080808080808080808080808080808080808080808080808080fd88feffe4db8080808080bd81f2ffe3d5ffdb8080806a7ee3fcd6
            d1ffff8080800162f8ffece2ffff808080b585eefeddeaff9a8080804e86caf7c6b4ffdb80808001b9f9fff3ff8080808080b896f7ffece080808080
            804d6ed8ffece680808080800165fbfff1ff8080808080aa8bf1fcecd1ffff8080802574c4f3e4ffffff80808001ccfefff5ff8080808080cfa0faff
            ee8080808080806667e7ffd3ab80808080800198fcfff0ff8080808080b187f3ffeae180808080805081d3ffc2e080808080800101ff808080808080
            8080f601ff8080808080808080ff80808080808080808080c623eddfc1bba2a0919b3e832dc6ddacb0dc9dfcdd01442f92d095a7dda2ffdf800195f1
            ffdde0ffff808080b88deafddedcffc78080805163b5f2b0bef9caffff800181e8fdd6c5f2c4ffff806379d2fac9c6ffca808080175ba3f2aabbf7d2
            ffff8001c8f6ffeaff80808080806db2f1ffe7f5ffff8080802c82c9fdcdc0ffff8080800184effbdbd1ffa58080805e88e1fbdabeffff8080801664
            aef5baa1ffc780808001b6f9ffe8eb80808080807c8ff1ffe3ea8080808080234db5fbc1d3ffcd808080019df7ffece7ffff808080798debffe1e3ff
            ff8080802d63bcfbc3d9ffe08080800101fbffd5ff8080808080cb01f8ffff8080808080808901b1ffe0ff8080808080fd09f8fbcfd0ffc0808080af
            0de0f3c1b9f9c6ffff804911abdda1b3eca7ffea80015ff7fdd4b7ffff808080ef5af4fad3d1ffff8080809b4dc3f8bcc3ffff8080800118effbdadb
            ffcd808080c933dbffc4ba8080808080452ebeefc9daffe480808001bffbffff808080808080dfa5f9ffd5ff80808080808d7cf8ffff808080808080
            0110f8ffff808080808080be24e6ffecff80808080809501ff808080808080808001e2ff8080808080808080f7c0ff8080808080808080f080ff8080
            8080808080800186fcffff808080808080d53efaffff808080808080375dff8080808080808080808080808080808080808080808080808080808080
            808080808080808080808080ca18d5ebbabfdca0f0afff7e26b6e8a9b8e4aeffbb803d2e8adb97b2f0aaffd8800170e6fac7bff79fffff80a66de4fc
            d3d7ffae808080274da2e8acb4f5b2ffff800134dcf6c6c7f9dcffff807c4abff3b7c1faddffff80184782db9aaaf3b6ffff8001b6e1f9dbf0ffe080
            80809596e2fcd8cdffab8080801c6caaf2b7c2fedfffff800151e6fccccbffc08080807b66d1f7bcc4ffe9808080145f99f3a4adffcb80808001def8
            ffd8d58080808080a8aff6fcebcdffff8080802f74d7ffd3d4ffff8080800179ecfdd4d6ffff8080808d54d5fcc9caffdb8080802a50a0f0a2b9ffcd
            8080800101ff8080808080808080f401ff8080808080808080ee01ff8080808080808080
            """);

    /** That one of them is another in a file (13.4). */
    static final int[] UPDATES = numbers(2, """
            ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffb0f6ffffffffffffffffffdff1fcfffffffffffffffff9fdfdffff
            fffffffffffffff4fcffffffffffffffffeafefefffffffffffffffffdfffffffffffffffffffffff6feffffffffffffffffeffdfeffffffffffffff
            fffefffefffffffffffffffffff8fefffffffffffffffffbfffefffffffffffffffffffffffffffffffffffffffffdfefffffffffffffffffbfefeff
            fffffffffffffffefffefffffffffffffffffffefdfffefffffffffffffafffefffefffffffffffffeffffffffffffffffffffffffffffffffffffff
            ffffffffffffffffffffffffffffffffffffffffffffffffd9ffffffffffffffffffffe1fcf1fdfffffeffffffffeafaf1fafdfffdfefffffffffeff
            ffffffffffffffffdffefeffffffffffffffffeefdfefefffffffffffffffff8fefffffffffffffffff9feffffffffffffffffffffffffffffffffff
            fffffffffdfffffffffffffffffff7fefffffffffffffffffffffffffffffffffffffffffffdfefffffffffffffffffcffffffffffffffffffffffff
            fffffffffffffffffffffefefffffffffffffffffdfffffffffffffffffffffffffffffffffffffffffffffefdfffffffffffffffffaffffffffffff
            fffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffbafbfaffffffffffffffffea
            fbf4fefffffffffffffffbfbf3fdfefffefffffffffffdfeffffffffffffffffecfdfefffffffffffffffffbfdfdfefefffffffffffffffefeffffff
            fffffffffffefefefffffffffffffffffffffffffffffffffffffffffefffffffffffffffffffefefffffffffffffffffffeffffffffffffffffffff
            fffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
            ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
            fffffffffffffffffffffffff8fffffffffffffffffffffafefcfefffffffffffffff8fef9fdfffffffffffffffffdfdfffffffffffffffff6fdfdff
            fffffffffffffffcfefbfefefffffffffffffffefcfffffffffffffffff8fefdfffffffffffffffffdfffefefffffffffffffffffbfeffffffffffff
            fffff5fbfefffffffffffffffffdfdfefffffffffffffffffffbfdfffffffffffffffffcfdfefffffffffffffffffffefffffffffffffffffffffcff
            fffffffffffffffff9fffefffffffffffffffffffffefffffffffffffffffffffdfffffffffffffffffaffffffffffffffffffffffffffffffffffff
            fffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffff
            """);

    private Vp8Tables() {}

    /** @param digits of each number */
    private static int[] numbers(int digits, String hex) {
        String all = hex.replace("\n", "");
        int[] numbers = new int[all.length() / digits];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = HexFormat.fromHexDigits(all, i * digits, (i + 1) * digits);
        }
        return numbers;
    }
}

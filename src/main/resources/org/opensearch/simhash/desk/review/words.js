// SPDX-License-Identifier: Apache-2.0
// Cuts a text into what is compared: words; in scripts that do not write spaces, characters as people see them. Runs in the worker.
"use strict";

const WITHOUT_SPACES =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}" +
  "\\p{Script=Tibetan}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Javanese}" +
  "\\p{Script=Balinese}";

const TOKEN = new RegExp(
  `(?:[${WITHOUT_SPACES}]\\p{M}*)+` +
    "|\\p{Extended_Pictographic}(?:\\u200d\\p{Extended_Pictographic}|[\\ufe0f\\u{1f3fb}-\\u{1f3ff}])*" +
    "|\\s+|[\\p{L}\\p{N}_][\\p{L}\\p{N}\\p{M}_]*|.",
  "gsu",
);
const STARTS_WITHOUT_SPACES = new RegExp(`^[${WITHOUT_SPACES}]`, "u");

// A word of that length is none: a key, or a picture as text.
const LONGEST_WORD = 100;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function cutWords(text) {
  const words = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (STARTS_WITHOUT_SPACES.test(token)) {
      for (const { segment } of graphemes.segment(token)) {
        words.push(segment);
      }
    } else if (token.length > LONGEST_WORD) {
      for (const character of token) {
        words.push(character);
      }
    } else {
      words.push(token);
    }
  }
  return words;
}

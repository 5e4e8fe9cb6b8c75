// SPDX-License-Identifier: Apache-2.0
// The words that two texts share in long runs, merged over small differences as in the evidence of a search. Runs in the worker.
"use strict";

// A passage goes on over so many words that differ, if so many equal ones follow.
const MOST_GAP = 3;
const RESUMED = 8;

// Of the places with the same words so many are tried; of all passages so many are shown, the longest.
const MOST_TRIED = 64;
const MOST_PASSAGES = 100;

const MARKUP = /<[/!]?[a-z-][^<>]*>/giu;
const A_WORD = /[\p{L}\p{N}]/u;

// What counts as a word, without case, marks and markup; and where each begins and ends.
function countedWords(text) {
  const found = { words: [], from: [], to: [] };
  const markup = [...text.matchAll(MARKUP)];
  let at = 0;
  let next = 0;
  for (const token of cutWords(text)) {
    while (next < markup.length && markup[next].index + markup[next][0].length <= at) {
      next++;
    }
    if (A_WORD.test(token) && !(next < markup.length && markup[next].index <= at)) {
      found.words.push(token.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
      found.from.push(at);
      found.to.push(at + token.length);
    }
    at += token.length;
  }
  return found;
}

function runAt(words, at, least) {
  return words.slice(at, at + least).join(" ");
}

// The places of each run of so many words.
function runsOf({ words }, least) {
  const runs = new Map();
  for (let at = 0; at + least <= words.length; at++) {
    const run = runAt(words, at, least);
    const places = runs.get(run);
    if (places === undefined) {
      runs.set(run, [at]);
    } else if (places.length < MOST_TRIED) {
      places.push(at);
    }
  }
  return runs;
}

// How far two texts are equal from two places on (by is 1) or before them (-1), but for small differences: [on the left, on the
// right, equal words].
function reach(left, i, right, j, by, least) {
  const word = (words, at, low) => (at - (by < 0 ? 1 : 0) < low ? undefined : words[at - (by < 0 ? 1 : 0)]);
  const equal = (x, y, most) => {
    let count = 0;
    while (count < most && word(left, x + by * count, 0) !== undefined && word(left, x + by * count, 0) === word(right, y + by * count, least)) {
      count++;
    }
    return count;
  };
  let words = 0;
  for (let [x, y] = [i, j]; ; ) {
    const count = equal(x, y, Infinity);
    [x, y, words] = [x + by * count, y + by * count, words + count];
    let gap = null;
    for (let wide = 1; wide <= 2 * MOST_GAP && gap === null; wide++) {
      for (let one = Math.max(0, wide - MOST_GAP); one <= Math.min(wide, MOST_GAP) && gap === null; one++) {
        gap = equal(x + by * one, y + by * (wide - one), RESUMED) === RESUMED ? [one, wide - one] : null;
      }
    }
    if (gap === null) {
      return [x, y, words];
    }
    [x, y] = [x + by * gap[0], y + by * gap[1]];
  }
}

// Passages in the order of the right text: [from, to) on the left, [start, end) on the right, in characters, and the equal words.
function passagesOf(a, runs, b, least) {
  const found = [];
  for (let [at, done] = [0, 0]; at + least <= b.words.length; ) {
    const ways = (runs.get(runAt(b.words, at, least)) ?? []).map((place) => [place, reach(a.words, place, b.words, at, 1, done)]);
    if (ways.length === 0) {
      at++;
      continue;
    }
    const [place, [to, end, words]] = ways.reduce((best, way) => (way[1][2] > best[1][2] ? way : best));
    const [from, start, before] = reach(a.words, place, b.words, at, -1, done);
    found.push({ from: a.from[from], to: a.to[to - 1], start: b.from[start], end: b.to[end - 1], words: words + before });
    at = done = end;
  }
  return found.sort((x, y) => y.words - x.words).slice(0, MOST_PASSAGES).sort((x, y) => x.start - y.start);
}

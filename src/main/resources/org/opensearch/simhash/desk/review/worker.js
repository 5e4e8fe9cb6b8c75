// SPDX-License-Identifier: Apache-2.0
// Compares in the background, so that the page of the review answers keys meanwhile.
"use strict";

// Milliseconds for all differences of a group; each text still has its least time.
const ALTOGETHER = 20000;

// One text against many. Each answer is of one of them, so that the first ones are shown while the others are compared.
self.onmessage = ({ data: { left, rights, least } }) => {
  if (least !== undefined) {
    const own = countedWords(left);
    const runs = runsOf(own, least);
    rights.forEach((right, at) => self.postMessage({ at, ranges: [], passages: passagesOf(own, runs, countedWords(right), least) }));
    return;
  }
  const words = cutWords(left);
  const end = Date.now() + ALTOGETHER;
  rights.forEach((right, at) => {
    self.postMessage({ at, ranges: difference(left, words, right, Math.max(BLOCK_PATIENCE, Math.min(PATIENCE, end - Date.now()))) });
  });
};

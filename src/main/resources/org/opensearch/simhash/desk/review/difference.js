// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, as ranges of both.
"use strict";

// Milliseconds for all of a difference, and for one block of it. What takes longer is shown as changed as a whole.
const PATIENCE = 6000;
const BLOCK_PATIENCE = 1000;

// So many words of both sides are compared at once; of more, first those sentences that both have once.
const AT_ONCE = 4000;

// Equal words are one number, so that comparing them is comparing numbers.
function numbered(lists) {
  const numbers = new Map();
  return lists.map((list) =>
    list.map((item) => {
      let number = numbers.get(item);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(item, number);
      }
      return number;
    }),
  );
}

// [equal, items on the left, items on the right] after one another; null when there is no time for it.
function compare(left, right, patience) {
  if (left.length === 0 || right.length === 0) {
    return [[false, left.length, right.length]];
  }
  const changes = diffArrays(left, right, { timeout: patience });
  if (changes === undefined) {
    return null;
  }
  const steps = [];
  for (const change of changes) {
    const equal = !change.added && !change.removed;
    const last = steps.at(-1);
    const onLeft = change.added ? 0 : change.count;
    const onRight = change.removed ? 0 : change.count;
    if (last && last[0] === equal) {
      last[1] += onLeft;
      last[2] += onRight;
    } else {
      steps.push([equal, onLeft, onRight]);
    }
  }
  return steps;
}

// Words to sentences, or lines: what ends with one of these, and the white space behind it.
function sentences(words) {
  const found = [];
  let start = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const ends = word.includes("\n") || /^[.!?。！？।؟]$/u.test(word);
    if (ends || i - start > 200 || i === words.length - 1) {
      found.push(words.slice(start, i + 1));
      start = i + 1;
    }
  }
  return found;
}

// Items that each side has once, in an order that both have: what is between them is compared by itself (patience difference).
function anchors(left, right) {
  const places = new Map();
  const note = (items, side) =>
    items.forEach((item, at) => {
      const place = places.get(item) ?? [-1, -1];
      place[side] = place[side] === -1 ? at : -2;
      places.set(item, place);
    });
  note(left, 0);
  note(right, 1);
  const common = [...places.values()].filter(([l, r]) => l >= 0 && r >= 0).sort(([l], [r]) => l - r);
  // The longest ascending part of the places on the right.
  const ends = [];
  const before = new Array(common.length);
  common.forEach(([, place], at) => {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (common[ends[middle]][1] < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    before[at] = low > 0 ? ends[low - 1] : -1;
    ends[low] = at;
  });
  const found = [];
  for (let at = ends.length > 0 ? ends.at(-1) : -1; at >= 0; at = before[at]) {
    found.push(common[at]);
  }
  return found.reverse();
}

function wordSteps(left, right, deadline) {
  const patience = Math.min(BLOCK_PATIENCE, deadline - Date.now());
  const [a, b] = numbered([left, right]);
  const steps = patience > 0 ? compare(a, b, patience) : null;
  return steps ?? [[false, left.length, right.length]];
}

// Compares what is between the anchors. Each item is a list of words.
function between(a, b, names, deadline, compareGap) {
  const fine = [];
  let i = 0;
  let j = 0;
  const count = (items) => items.reduce((sum, words) => sum + words.length, 0);
  for (const [l, r] of [...anchors(names(a), names(b)), [a.length, b.length]]) {
    if (l > i || r > j) {
      fine.push(...compareGap(a.slice(i, l).flat(), b.slice(j, r).flat(), deadline));
    }
    if (l < a.length) {
      fine.push([true, count([a[l]]), count([b[r]])]);
    }
    i = l + 1;
    j = r + 1;
  }
  return fine;
}

function gapSteps(left, right, deadline) {
  if (left.length + right.length <= AT_ONCE) {
    return wordSteps(left, right, deadline);
  }
  const single = (words) => words.map((word) => [word]);
  return between(single(left), single(right), (items) => items.map(([word]) => word), deadline, wordSteps);
}

function steps(left, right, deadline) {
  if (left.length + right.length <= AT_ONCE) {
    return wordSteps(left, right, deadline);
  }
  return between(sentences(left), sentences(right), (items) => items.map((words) => words.join("")), deadline, gapSteps);
}

// Ranges: [equal, length on the left, length on the right] in UTF-16 units, which add up to both texts. The words of the left text
// are cut once for all texts that are compared with it.
function difference(left, a, right, patience) {
  if (left === right) {
    return [[true, left.length, right.length]];
  }
  const deadline = Date.now() + patience;
  const b = cutWords(right);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    start++;
  }
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
    end++;
  }
  const all = [
    [true, start, start],
    ...steps(a.slice(start, a.length - end), b.slice(start, b.length - end), deadline),
    [true, end, end],
  ];
  const ranges = [];
  let i = 0;
  let j = 0;
  const add = (equal, onLeft, onRight) => {
    const last = ranges.at(-1);
    if (last && last[0] === equal) {
      last[1] += onLeft;
      last[2] += onRight;
    } else {
      ranges.push([equal, onLeft, onRight]);
    }
  };
  const length = (words, from, to) => {
    let sum = 0;
    for (let at = from; at < to; at++) {
      sum += words[at].length;
    }
    return sum;
  };
  for (const [equal, onLeft, onRight] of all) {
    if (onLeft + onRight > 0) {
      add(equal, length(a, i, i + onLeft), length(b, j, j + onRight));
    }
    i += onLeft;
    j += onRight;
  }
  return ranges;
}

// SPDX-License-Identifier: Apache-2.0
// Many differences from one text become places of that text, each with the readings that the other texts have there.
"use strict";

// A text of which less than this share is that of the survivor is compared by itself: it would make one place of everything.
const LEAST_SHARED = 0.4;

// Texts that short are never too different.
const SHORT = 200;

// A change is moved that far at most.
const MOST_SLIDE = 200;

// Between two changed parts, this does not make two of them.
const GAP = /^[\s\p{P}]{0,3}$/u;

// Changed parts: [from, to) in the text, [start, end) in the other one.
function changes(text, otherText, ranges) {
  const found = [];
  let [at, other] = [0, 0];
  for (const [isEqual, left, right] of ranges) {
    if (!isEqual) {
      const last = found.at(-1);
      if (last && GAP.test(text.slice(last.to, at))) {
        Object.assign(last, { to: at + left, end: other + right });
      } else {
        found.push({ from: at, to: at + left, start: other, end: other + right });
      }
    }
    at += left;
    other += right;
  }
  found.forEach((change, i) => {
    trim(text, otherText, change);
    slide(text, otherText, change, i === 0 ? 0 : found[i - 1].to + 1, found[i + 1] ? found[i + 1].from - 1 : text.length);
  });
  return found;
}

// What was only put in or left out may begin at several characters: best at a line, then at a sentence, then at a word.
function slide(text, otherText, change, least, most) {
  if (change.from < change.to && change.start < change.end) {
    return;
  }
  const [whole, begin, end] = change.from === change.to ? [otherText, change.start, change.end] : [text, change.from, change.to];
  const worth = (at) => {
    const before = text.slice(Math.max(0, at - 2), at);
    const isEnd = /[.!?।؟]$/u.test(before) && (at === text.length || /\s/.test(text[at]));
    return before === "" || before.endsWith("\n") ? 4 : /[.!?।؟]\s$|[。！？]$/u.test(before) ? 3 : isEnd ? 2 : /\s$/.test(before) ? 1 : 0;
  };
  let [best, by] = [worth(change.from), 0];
  const look = (move) => {
    if (worth(change.from + move) > best) {
      [best, by] = [worth(change.from + move), move];
    }
  };
  for (let i = 1; i <= MOST_SLIDE && change.from - i >= least && text[change.from - i] === whole[end - i]; i++) {
    look(-i);
  }
  for (let i = 0; i < MOST_SLIDE && change.to + i < most && text[change.to + i] === whole[begin + i]; i++) {
    look(i + 1);
  }
  for (const side of ["from", "to", "start", "end"]) {
    change[side] += by;
  }
}

// White space that both have at an end is not changed.
function trim(text, otherText, change) {
  while (change.from < change.to && change.start < change.end && /\s/.test(text[change.from]) && text[change.from] === otherText[change.start]) {
    change.from++;
    change.start++;
  }
  while (change.from < change.to && change.start < change.end && /\s/.test(text[change.to - 1]) && text[change.to - 1] === otherText[change.end - 1]) {
    change.to--;
    change.end--;
  }
}

function isTooDifferent(text, other, ranges) {
  const shared = ranges.reduce((sum, [isEqual, left]) => sum + (isEqual ? left : 0), 0);
  return Math.max(text.length, other.length) > SHORT && shared < LEAST_SHARED * Math.min(text.length, other.length);
}

// The part of the other text that stands for [from, to) of the text, whose ends are in no change of it.
function reading(text, variant, from, to) {
  let [at, words] = [from, ""];
  for (const change of changesIn(variant, from, to)) {
    words += text.slice(at, change.from) + variant.text.slice(change.start, change.end);
    at = change.to;
  }
  return words + text.slice(at, to);
}

// Its changes within [from, to]. They are in order, so that the first one is searched by halves.
function changesIn(variant, from, to) {
  let low = 0;
  for (let high = variant.changes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (variant.changes[middle].from < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found = [];
  for (; low < variant.changes.length && variant.changes[low].to <= to; low++) {
    found.push(variant.changes[low]);
  }
  return found;
}

// Places in order: {from, to, readings}, each reading {text, variants}: the commonest first, the survivor's own not among them.
function placesOf(text, variants) {
  const spans = variants.flatMap((variant) => variant.changes).sort((a, b) => a.from - b.from || a.to - b.to);
  const places = [];
  for (const { from, to } of spans) {
    const last = places.at(-1);
    if (last && from <= last.to) {
      last.to = Math.max(last.to, to);
    } else {
      places.push({ from, to });
    }
  }
  const readers = places.map(() => new Map());
  for (const variant of variants) {
    let at = 0;
    for (const { from } of variant.changes) {
      while (at < places.length && places[at].to < from) {
        at++;
      }
      readers[at].set(variant, true);
    }
  }
  places.forEach((place, at) => {
    const readings = new Map();
    for (const variant of readers[at].keys()) {
      const words = reading(text, variant, place.from, place.to);
      if (!readings.has(words)) {
        readings.set(words, { text: words, variants: [] });
      }
      readings.get(words).variants.push(variant);
    }
    const documents = (each) => each.variants.reduce((sum, variant) => sum + variant.docs.length, 0);
    place.readings = [...readings.values()].sort((a, b) => documents(b) - documents(a));
  });
  return places;
}

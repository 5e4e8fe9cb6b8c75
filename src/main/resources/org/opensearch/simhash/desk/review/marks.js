// SPDX-License-Identifier: Apache-2.0
// Draws the survivor's text once with its places, the readings beside it, and where they are.
"use strict";

const MOST_PLACES = 300;
const MOST_READINGS = 8;
const HEAD = 2000;

// The part of a text that all have, folded where it is long.
function appendShared(parent, text, isFirst, isLast, what = "equal characters") {
  appendLong(parent, text, isFirst ? 0 : AROUND, isLast ? 0 : AROUND, HARMFUL, what);
}

function markOf(group, place, at) {
  const { view } = group;
  const variant = view.rows[group.row]?.variant;
  const text = view.survivor.variant.text.slice(place.from, place.to);
  const own = place.readings.find((each) => each.variants.includes(variant));
  const mark = element("mark", { id: `place-${at}`, class: own || group.row === 0 ? "own" : "other" });
  const put = (name, words) => {
    const part = element(name);
    appendLong(part, words, HEAD, 0, INVISIBLE);
    mark.append(part);
  };
  if (own) {
    if (text !== "") {
      put("del", text);
    }
    if (own.text !== "") {
      put("ins", own.text);
    }
  } else if (text === "") {
    mark.append(element("span", { class: "gap", title: "nothing here" }, "▵"));
  } else {
    put("span", text);
  }
  mark.append(element("sup", {}, String(at + 1)));
  return mark;
}

// The survivor's text with all places; in those where the opened member reads something else, this stands beside it.
function showText(group) {
  const { view } = group;
  const row = view.rows[group.row] ?? view.rows[0];
  const base = view.survivor.variant;
  const shown = document.createDocumentFragment();
  const state = $("text-state");
  state.textContent = "";
  if (base === undefined) {
    appendShort(state, `The survivor ${KINDS[view.survivor.kind]}${view.survivor.why ? `: ${view.survivor.why}` : ""}.`);
    if (row.variant) {
      appendLong(shown, row.variant.text, HEAD, 0, HARMFUL);
    }
  } else if (row.variant?.passages) {
    const { passages } = row.variant;
    state.textContent = `${count(passages.length, "passage")} in common, ${count(wordsIn(passages), "word")}: in the survivor's text, then in this member's.`;
    for (const [whole, from, to] of [[base.text, "from", "to"], [row.variant.text, "start", "end"]]) {
      const text = element("div", { class: "passages", dir: "auto" });
      appendPassages(text, whole, passages, from, to, (...part) => appendShared(...part, "more characters"));
      shown.append(text);
    }
  } else if (row.variant?.isApart) {
    state.textContent = "This member differs throughout: the two texts, one in the other.";
    showWhole(shown, base.text, row.variant);
  } else if (view.places.length === 0) {
    appendLong(shown, base.text, HEAD, 0, HARMFUL);
  } else {
    let at = 0;
    const { places } = view;
    const show = (most) => {
      const part = document.createDocumentFragment();
      const until = Math.min(most, places.length);
      for (; at < until; at++) {
        const before = places[at - 1]?.to ?? 0;
        appendShared(part, base.text.slice(before, places[at].from), at === 0, false);
        part.append(markOf(group, places[at], at));
      }
      if (at === places.length) {
        appendShared(part, base.text.slice(places.at(-1).to), false, true);
      } else {
        const more = element("button", { type: "button", class: "more" }, `— ${count(places.length - at, "more difference")} —`);
        more.addEventListener("click", () => {
          more.replaceWith(show(at + MOST_PLACES));
        });
        part.append(more);
      }
      return part;
    };
    shown.append(show(Math.max(MOST_PLACES, group.place + 1)));
  }
  if (base !== undefined && row.kind !== "text") {
    appendShort(state, `${row.docs.length === 1 ? "This member" : "Each of these members"} ${KINDS[row.kind]}${row.docs[0].why ? `: ${row.docs[0].why}` : ""}.`);
  } else if (!row.isSurvivor && row.variant && row.variant === base) {
    state.textContent = "Same text as the survivor.";
  }
  if (page.answer.part) {
    state.append(" What was compared, without markup and repeated blocks. As they are stored: ");
    [view.survivor, ...(row.isSurvivor ? [] : row.docs.slice(0, 1))].forEach(({ place }, i) => {
      const routing = place.routing ? `?routing=${encodeURIComponent(place.routing)}` : "";
      const link = element("a", { href: `${ROOT}/${encodeURIComponent(place.index)}/_doc/${encodeURIComponent(place.id)}${routing}`, target: "_blank" }, i === 0 ? "the survivor" : "this member");
      state.append(i === 0 ? "" : ", ", link);
    });
    state.append(".");
  }
  $("text").replaceChildren(shown);
}

function wordsIn(passages) {
  return passages.reduce((sum, { words }) => sum + words, 0);
}

// One of two texts; a passage has the same number in both.
function appendPassages(parent, whole, passages, from, to, append) {
  let at = 0;
  for (const [passage, number] of passages.map((each, i) => [each, i + 1]).sort(([a], [b]) => a[from] - b[from])) {
    const start = Math.max(at, passage[from]);
    if (start < passage[to]) {
      append(parent, whole.slice(at, start), at === 0, false);
      const where = `${count(passage.words, "word")}: characters ${passage.from} to ${passage.to}, in this member ${passage.start} to ${passage.end}`;
      const mark = element("mark", { class: "own", title: where });
      appendText(mark, whole.slice(start, passage[to]));
      mark.append(element("sup", {}, String(number)));
      parent.append(mark);
      at = passage[to];
    }
  }
  append(parent, whole.slice(at), at === 0, true);
}

function showWhole(parent, text, variant) {
  let [at, other, isFirst] = [0, 0, true];
  let parts = 0;
  for (const [isEqual, left, right] of variant.ranges) {
    const isLast = at + left === text.length && other + right === variant.text.length;
    if (parts++ > 2 * MOST_PLACES) {
      parent.append(element("span", { class: "quiet" }, " — more differences follow — "));
      return;
    }
    if (isEqual) {
      appendShared(parent, text.slice(at, at + left), isFirst, isLast);
    } else {
      for (const [name, words] of [
        ["del", text.slice(at, at + left)],
        ["ins", variant.text.slice(other, other + right)],
      ]) {
        if (words !== "") {
          const part = element(name);
          appendLong(part, words, HEAD, 0, INVISIBLE);
          parent.append(part);
        }
      }
    }
    at += left;
    other += right;
    isFirst = false;
  }
}

// Who reads so: the documents' first column that tells them apart, or how many they are.
function appendReaders(parent, group, reading) {
  const docs = reading.variants.flatMap((variant) => variant.docs);
  const names = group.view.names;
  if (docs.length <= 3) {
    docs.forEach((doc, i) => {
      parent.append(i > 0 ? ", " : "");
      const name = element("bdi");
      appendShort(name, names(doc), 40);
      parent.append(name);
    });
    parent.append(" · ");
  }
  parent.append(count(docs.length, "document"));
}

// By which column people tell the documents of a group apart.
function namesOf(view) {
  const columns = (page.columns ?? []).map((_, column) => column).reverse();
  const values = (column) => new Set(view.docs.map((doc) => (doc.cells[column] ?? []).join(", ")));
  const distinct = (column) => values(column).size;
  // A name says more than a date.
  const areDates = (column) => [...values(column)].every((value) => /^(\d{4}-\d\d|$)/.test(value));
  const worth = (column) => (areDates(column) ? Math.min(2, distinct(column)) : distinct(column));
  const best = columns.sort((a, b) => worth(b) - worth(a))[0];
  return (doc) => (best !== undefined && distinct(best) > 1 && (doc.cells[best] ?? []).join(", ")) || String(doc.place.id);
}

function cardOf(group, place, at) {
  const text = group.view.survivor.variant.text.slice(place.from, place.to);
  const head = element("h3", {}, element("button", { type: "button", class: "link", click: () => goPlace(at - current().place) }, String(at + 1)));
  if (text === "") {
    head.append(element("span", { class: "quiet" }, "nothing"));
  } else {
    const own = element("bdi");
    appendShort(own, text, 80);
    head.append(own);
  }
  const list = element("ul");
  const show = (from, most) => {
    for (const reading of place.readings.slice(from, most)) {
      const item = element("li");
      if (reading.text === "") {
        item.append(element("span", { class: "quiet" }, "nothing"));
      } else {
        const words = element("b", { dir: "auto" });
        appendLong(words, reading.text, 300, 0, INVISIBLE);
        item.append(words);
      }
      const readers = element("small");
      appendReaders(readers, group, reading);
      item.append(" ", readers);
      list.append(item);
      watch(item, reading);
    }
    if (most < place.readings.length) {
      const more = element("button", { type: "button", class: "link" }, `${count(place.readings.length - most, "more reading")}`);
      more.addEventListener("click", () => {
        more.parentElement.remove();
        show(most, most + 100);
      });
      list.append(element("li", {}, more));
    }
  };
  show(0, MOST_READINGS);
  return element("section", { id: `card-${at}` }, head, list);
}

function showCards(group) {
  watcher.disconnect();
  sights.clear();
  group.view.names = namesOf(group.view);
  const { places } = group.view;
  const cards = document.createDocumentFragment();
  let at = 0;
  const show = (most) => {
    const some = document.createDocumentFragment();
    for (; at < Math.min(most, places.length); at++) {
      some.append(cardOf(group, places[at], at));
    }
    if (at < places.length) {
      const more = element("button", { type: "button" }, count(places.length - at, "more difference"));
      more.addEventListener("click", () => more.replaceWith(show(at + MOST_PLACES)));
      some.append(more);
    }
    return some;
  };
  cards.append(show(Math.max(MOST_PLACES, group.place + 1)));
  $("cards").replaceChildren(cards);
  $("readings").hidden = places.length === 0;
  showStrip(group);
}

// Where in the text the differences are.
function showStrip(group) {
  const { places, survivor } = group.view;
  const length = Math.max(1, survivor.variant?.text.length ?? 1);
  const marks = places.slice(0, 2000).map((place, at) => {
    const mark = element("i", { click: () => goPlace(at - current().place) });
    mark.style.top = `${(100 * place.from) / length}%`;
    mark.style.height = `max(${places.length > 50 ? 2 : 4}px, ${(100 * (place.to - place.from)) / length}%)`;
    return mark;
  });
  $("strip").replaceChildren(...marks);
  $("strip").hidden = places.length === 0;
  showCurrentPlace(group);
}

function showCurrentPlace(group) {
  document.querySelectorAll(".here").forEach((each) => each.classList.remove("here"));
  if (group.place >= 0) {
    [$(`place-${group.place}`), $(`card-${group.place}`), $("strip").children[group.place]].forEach((each) => each?.classList.add("here"));
  }
  $("place").textContent = group.view?.places.length ? `${group.place >= 0 ? `${group.place + 1} of ` : ""}${count(group.view.places.length, "difference")}` : "";
}

function goPlace(by) {
  const group = current();
  const most = group.view?.places.length ?? 0;
  if (most === 0) {
    say("There is no difference.");
    return;
  }
  const to = group.place + by;
  if (to < 0 || to >= most) {
    say(to < 0 ? "This is the first difference." : "This was the last difference.");
    return;
  }
  group.place = to;
  if ($(`place-${to}`) === null) {
    showText(group);
    showCards(group);
  }
  showCurrentPlace(group);
  $(`card-${to}`)?.scrollIntoView({ block: "nearest" });
  $(`place-${to}`)?.scrollIntoView({ block: "nearest" });
  const place = group.view.places[to];
  const own = group.view.survivor.variant.text.slice(place.from, place.to) || "nothing";
  say(`Difference ${to + 1} of ${most}: ${own.slice(0, 80)}. ${place.readings.slice(0, 3).map((each) => `${each.text.slice(0, 80) || "nothing"}, ${count(each.variants.reduce((sum, variant) => sum + variant.docs.length, 0), "document")}`).join(". ")}.`);
  remember();
}

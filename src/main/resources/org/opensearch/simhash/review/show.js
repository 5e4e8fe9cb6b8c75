// SPDX-License-Identifier: Apache-2.0
// Draws a group: its members as rows, the survivor's text once with its places, the readings beside it, and where they are.
"use strict";

const MOST_ROWS = 100;
const MOST_PLACES = 300;
const MOST_READINGS = 8;
const HEAD = 2000;

function words(decision) {
  return { accepted: "Accepted", rejected: "Rejected", skipped: "Later" }[decision] ?? "Nobody has decided";
}

function showPlace(parent, place) {
  for (const [before, value] of [
    ["", place.id],
    [" in ", place.index],
    [", routing ", place.routing],
  ]) {
    if (value !== undefined && value !== null) {
      const name = element("bdi");
      appendText(name, String(value), INVISIBLE);
      parent.append(before, name);
    }
  }
}

// What the list and the heading call a group.
function appendTitle(parent, group) {
  appendShort(parent, group.title || String(survivorOf(group).id));
}

function showDecision(group) {
  const { decision, decided_by: by, decided_at: at, earlier_decision: earlier, applied_at: applied } = group.source;
  const time = (value) => String(value).slice(0, 16).replace("T", " ");
  const parent = $("decided");
  parent.replaceChildren();
  appendText(parent, `${words(decision)}${decision && by ? ` by ${by}` : ""}${decision && at ? ` at ${time(at)}` : ""}.`, INVISIBLE);
  if (!decision && earlier?.decision) {
    appendText(parent, ` Before its documents changed: ${words(earlier.decision).toLowerCase()}${earlier.decided_by ? ` by ${earlier.decided_by}` : ""}.`, INVISIBLE);
  }
  if (applied) {
    appendText(parent, ` Applied (${group.source.applied_action}) at ${time(applied)}.`, INVISIBLE);
  }
  if (group.gone) {
    appendText(parent, " This group is not there any more.");
  }
}

// ---- members ----

function stateOf(row, group) {
  if (row.isSurvivor) {
    return ["good", "stays"];
  }
  if (row.kind === "gone") {
    return ["apart", "gone"];
  }
  return row.isApart || group.source.decision === "rejected" ? ["apart", "kept apart"] : ["bad", "duplicate"];
}

// One value of all these documents, or how many there are; no value is not an empty one.
function appendCell(parent, docs, column) {
  if (docs[0].text === null && docs[0].cells.length === 0) {
    return; // Nobody knows its fields.
  }
  const values = new Set(docs.map((doc) => (doc.cells[column] ?? []).join(", ")));
  const has = docs.some((doc) => (doc.cells[column] ?? []).length > 0);
  if (!has) {
    parent.append(element("span", { class: "quiet", title: "no such field" }, "no value"));
  } else if (values.size > 1) {
    parent.append(element("span", { class: "quiet" }, `${count(values.size, "value")}`));
  } else {
    const [value] = values;
    appendShort(parent, value === "" ? "“”" : value);
  }
}

function lengthOf(row) {
  return row.variant ? row.variant.text.length.toLocaleString("en") : "";
}

function similarityOf(docs) {
  const values = docs.map((doc) => doc.place.similarity).filter((value) => value !== undefined);
  if (values.length === 0) {
    const distances = docs.map((doc) => doc.place.distance).filter((value) => value !== undefined);
    return distances.length === 0 ? "" : count(Math.max(...distances), "bit");
  }
  const [least, most] = [similarity(Math.min(...values)), similarity(Math.max(...values))];
  return least === most ? least : `${least} – ${most}`;
}

// What is special about a row, in words.
function notesOf(row, group) {
  const base = group.view.survivor.variant;
  const notes = [];
  if (row.kind !== "text") {
    const why = row.docs[0].why;
    notes.push(KINDS[row.kind] + (why ? `: ${why}` : ""));
  } else if (!row.isSurvivor && row.variant === base) {
    notes.push("same text as the survivor");
  } else if (!row.isSurvivor && row.variant?.isApart) {
    notes.push("differs throughout");
  }
  // Tags of an apply are changes, too.
  const changed = group.source.applied_at ? 0 : row.docs.filter((doc) => doc.isChanged).length;
  if (changed > 0) {
    notes.push(row.docs.length === 1 ? "changed since the job, will be left alone" : `${changed} changed since the job`);
  }
  return notes;
}

function rowOf(group, row, at) {
  const [color, state] = stateOf(row, group);
  const isCurrent = at === group.row;
  const made = element("tr", { class: `${color}${isCurrent ? " current" : ""}`, "data-row": at, "aria-current": isCurrent ? "true" : undefined });
  const name = element("button", { type: "button", class: "link", tabindex: isCurrent ? 0 : -1, click: () => actOn(() => goRow(at - current().row)) });
  const few = row.docs.length === 1;
  const isNamed = few && row.docs[0].cells.length > 0;
  if (isNamed) {
    appendCell(name, row.docs, 0);
  } else if (few) {
    appendShort(name, String(row.docs[0].place.id));
  } else {
    name.append(`${row.docs.length.toLocaleString("en")} documents with this text`);
  }
  const isSeen = row.docs.every((doc) => group.seen.has(key(doc.place)));
  const sign = element("td", { class: "sign", "data-sign": at }, row.isSurvivor ? "●" : isSeen ? "✓" : "○");
  sign.title = row.isSurvivor ? "stays" : isSeen ? "seen" : "not seen yet";
  made.append(sign, element("td", { class: "name" }, name));
  if (isNamed) {
    const place = element("span", { class: "quiet id" });
    showPlace(place, row.docs[0].place);
    made.lastChild.append(" ", place);
  }
  (page.columns ?? []).slice(1).forEach((_, column) => {
    const cell = element("td", { "data-label": page.columns[column + 1] });
    appendCell(cell, row.docs, column + 1);
    made.append(cell);
  });
  const notes = notesOf(row, group);
  made.append(element("td", { class: "number", "data-label": "characters" }, lengthOf(row)));
  made.append(element("td", { class: "number", "data-label": "similarity" }, row.isSurvivor ? "–" : similarityOf(row.docs)));
  const last = element("td", {}, element("span", { class: `tag ${color}` }, state));
  for (const note of notes) {
    const words = element("span", { class: "note-in" });
    appendShort(words, note);
    last.append(" ", words);
  }
  if (!few) {
    const isOpen = group.opened.has(row.docs[0].variant ?? row.kind);
    last.append(" ", element("button", { type: "button", class: "link", "aria-expanded": String(isOpen), click: () => openRow(at) }, isOpen ? "fewer" : "each"));
  }
  made.append(last);
  return made;
}

// The documents of a row one by one, each to be kept apart or to be kept.
function singlesOf(group, row) {
  const width = (page.columns ?? []).length + 4;
  const list = element("ul", { class: "singles" });
  const show = (from) => {
    for (const doc of row.docs.slice(from, from + MOST_ROWS)) {
      const item = element("li");
      const name = element("span");
      showPlace(name, doc.place);
      item.append(name);
      (doc.cells ?? []).forEach((values) => {
        item.append(" · ");
        appendShort(item, values.join(", ") || "no value");
      });
      if (!isReport) {
        item.append(" ");
        item.append(element("button", { type: "button", class: "link", click: () => act("x", [doc]) }, row.isApart ? "a duplicate after all" : "no duplicate"));
        item.append(" ", element("button", { type: "button", class: "link", click: () => act("s", [doc]) }, "keep this one"));
      }
      list.append(item);
    }
    if (from + MOST_ROWS < row.docs.length) {
      const more = element("button", { type: "button", class: "link" }, `${row.docs.length - from - MOST_ROWS} more`);
      more.addEventListener("click", () => {
        more.parentElement.remove();
        show(from + MOST_ROWS);
      });
      list.append(element("li", {}, more));
    }
  };
  show(0);
  return element("tr", { class: "of" }, element("td", { colspan: width }, list));
}

function openRow(at) {
  const group = current();
  const row = group.view.rows[at];
  const name = row.docs[0].variant ?? row.kind;
  if (!group.opened.delete(name)) {
    group.opened.add(name);
  }
  showRows(group);
  document.querySelector(`tr[data-row="${at}"] [aria-expanded]`)?.focus();
}

function showRows(group) {
  const { rows, docs, others } = group.view;
  const head = element("tr", {}, element("th", {}, element("span", { class: "unseen" }, "seen")));
  for (const column of (page.columns ?? []).length > 0 ? page.columns : ["document"]) {
    const cell = element("th", { scope: "col" });
    appendShort(cell, column, 40);
    head.append(cell);
  }
  for (const column of ["characters", "similarity", "state"]) {
    head.append(element("th", { scope: "col", class: column === "state" ? "" : "number" }, column));
  }
  const body = element("tbody");
  group.most = Math.max(group.most ?? MOST_ROWS, group.row + 1);
  rows.slice(0, group.most).forEach((row, at) => {
    body.append(rowOf(group, row, at));
    if (row.docs.length > 1 && group.opened.has(row.docs[0].variant ?? row.kind)) {
      body.append(singlesOf(group, row));
    }
  });
  const hadFocus = $("members").contains(document.activeElement);
  $("rows").replaceChildren(element("thead", {}, head), body);
  const more = [];
  if (rows.length > group.most) {
    more.push(["rows", `${count(rows.length - group.most, "more row")}`, () => ((group.most += MOST_ROWS), showRows(group))]);
  }
  if (docs.length - 1 < others) {
    more.push(["docs", `${count(others - docs.length + 1, "member is", "members are")} not read yet: read more`, () => actOn(() => readMore(group))]);
  }
  $("more-rows").replaceChildren(...more.map(([, text, click]) => element("button", { type: "button", click }, text)));
  const now = body.querySelector(".current");
  if (now && $("members").scrollHeight > $("members").clientHeight) {
    const [top, bottom] = [now.offsetTop - 40, now.offsetTop + now.offsetHeight];
    if (top < $("members").scrollTop || bottom > $("members").scrollTop + $("members").clientHeight) {
      $("members").scrollTop = top;
    }
  }
  if (hadFocus) {
    now?.querySelector("button")?.focus({ preventScroll: true });
  }
  showSeen(group);
}

async function readMore(group) {
  group.view = await viewOf(group, group.view.most + MOST_MEMBERS);
  await show();
}

// ---- seen ----

function showSeen(group) {
  const others = othersOf(group).length;
  const seen = seenOf(group);
  const isAll = seen === others;
  $("seen").textContent = others === 0 ? "" : `${seen.toLocaleString("en")} of ${others.toLocaleString("en")} seen`;
  $("seen").className = isAll ? "quiet" : "tag warn";
  $("accept-seen").textContent = isAll || !isUndecided(group) ? "" : ` · ${seen} of ${others} seen`;
  for (const sign of $("rows").querySelectorAll("[data-sign]")) {
    const row = group.view?.rows[Number(sign.dataset.sign)];
    if (row && !row.isSurvivor && row.docs.every((doc) => group.seen.has(key(doc.place)))) {
      sign.textContent = "✓";
      sign.title = "seen";
    }
  }
}

const sights = new Map();
const watcher = new IntersectionObserver(
  (entries) => {
    const group = current();
    let isNew = false;
    for (const entry of entries) {
      const reading = sights.get(entry.target);
      if (entry.isIntersecting && reading && group?.view && !document.hidden) {
        seeReading(group, reading);
        isNew = true;
        watcher.unobserve(entry.target);
      }
    }
    if (isNew) {
      showSeen(group);
    }
  },
  { threshold: 0.5 },
);

function watch(shown, reading) {
  sights.set(shown, reading);
  watcher.observe(shown);
}

// ---- the text and its places ----

// The part of a text that all have, folded where it is long.
function appendShared(parent, text, isFirst, isLast) {
  appendLong(parent, text, isFirst ? 0 : AROUND, isLast ? 0 : AROUND, HARMFUL, "equal characters");
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
  $("text").replaceChildren(shown);
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

// ---- the group ----

function showNames(group) {
  const { size, largest_distance: largest } = group.source;
  const both = range(group)?.map(similarity);
  $("title").replaceChildren();
  appendTitle($("title"), group);
  $("facts").textContent = [
    count(size, "document"),
    both ? `similarity ${both[0] === both[1] ? both[0] : both.join(" – ")}` : "",
    largest === undefined ? "" : `at most ${count(largest, "bit")} apart`,
    group.view && group.view.variants.size > 0 ? count(group.view.variants.size, "text") : "",
  ]
    .filter(Boolean)
    .join(" · ");
  showDecision(group);
  const row = group.view?.rows[group.row];
  button("x").setAttribute("aria-pressed", String(Boolean(row?.isApart)));
  button("s").setAttribute("aria-pressed", String(Boolean(group.source.chosen_survivor)));
  for (const [of, decision] of [
    ["a", "accepted"],
    ["r", "rejected"],
    ["k", "skipped"],
  ]) {
    button(of).setAttribute("aria-pressed", String(group.source.decision === decision));
  }
  button("u").hidden = !group.source.decision || isReport;
  $("where").textContent = `${(page.at + 1).toLocaleString("en")} of ${Math.max(page.total, page.groups.length).toLocaleString("en")}`;
  showSeen(group);
  showItem(page.at);
}

function button(of) {
  return document.querySelector(`button[data-key="${of}"]`);
}

function showAll(group) {
  showRows(group);
  showText(group);
  showCards(group);
}

async function show() {
  const group = current();
  const turn = ++page.shown;
  $("group").hidden = group === undefined;
  $("none").hidden = group !== undefined;
  document.body.classList.toggle("empty", group === undefined);
  showCounts();
  if (group === undefined) {
    comparing?.terminate();
    showEnd();
    return;
  }
  if (group.view === null) {
    showNames(group);
    $("rows").replaceChildren();
    $("text").replaceChildren();
    $("text-state").textContent = "Reading the texts …";
    $("cards").replaceChildren();
    $("strip").replaceChildren();
    await learn();
    await whole(group);
    const view = await viewOf(group);
    group.view = view;
    group.row = Math.max(group.row, 1);
  }
  if (turn !== page.shown) {
    return;
  }
  const { view } = group;
  group.row = Math.min(group.row, view.rows.length - 1);
  if (typed.get("member") !== null && page.firstShown === undefined) {
    group.row = Math.max(group.row, view.rows.findIndex((row) => row.docs.some((doc) => String(doc.place.id) === typed.get("member"))));
  }
  rowsOf(group, view);
  seeShown(group);
  showNames(group);
  if (!view.isPlaced) {
    plain(view);
  }
  showRows(group);
  page.firstShown ??= performance.now();
  remember();
  compare(group, turn).catch(problem);
}

// Until it is known what differs.
function plain(view) {
  const text = view.survivor.variant?.text ?? "";
  $("text").replaceChildren();
  appendText($("text"), text.slice(0, safeEnd(text, 10 * AROUND)));
  $("cards").replaceChildren();
  $("strip").replaceChildren();
}

// Goes on while other keys are pressed; what comes too late is not shown.
async function compare(group, turn) {
  const { view } = group;
  if (!view.isPlaced) {
    $("text-state").textContent = "Comparing …";
    let next = performance.now() + 300;
    await compareAll(view, () => {
      if (turn === page.shown && performance.now() > next) {
        placeAll(view);
        showText(group);
        $("text-state").textContent = `Comparing … ${view.compared} of ${view.variants.size - 1}`;
        next = performance.now() + 1000;
      }
    });
    if (turn !== page.shown) {
      return;
    }
    placeAll(view);
    view.isPlaced = true;
  }
  see(group, view.rows[group.row].docs);
  showAll(group);
  showNames(group);
  if (page.firstCompared === undefined && typed.get("difference") > 0) {
    goPlace(Number(typed.get("difference")) - 1 - group.place);
  }
  page.firstCompared ??= performance.now();
  sayGroup(group);
  document.documentElement.dataset.shown = String(turn);
  prefetch();
}

function sayGroup(group) {
  const { view } = group;
  const row = view.rows[group.row];
  const places = view.places.length;
  const member = row.isSurvivor ? "" : ` Row ${group.row} of ${view.rows.length - 1}: ${row.docs.length === 1 ? String(row.docs[0].place.id).slice(0, 80) : `${row.docs.length} documents with this text`}, ${stateOf(row, group)[1]}${[...notesOf(row, group)].map((note) => `, ${note}`).join("")}.`;
  const equal = view.variants.size > 1 ? "" : " The texts are equal.";
  say(`Group ${$("where").textContent}: ${$("title").textContent}. ${$("facts").textContent}. ${words(group.source.decision)}.${member}${places > 0 ? ` ${count(places, "difference")}.` : equal}`);
}

function prefetch() {
  const next = page.groups[page.at + 1];
  if (next && next.view === null && next.source.members !== undefined && next.source.size <= 20) {
    viewOf(next).then(
      (view) => (next.view ??= view),
      () => {},
    );
  }
}

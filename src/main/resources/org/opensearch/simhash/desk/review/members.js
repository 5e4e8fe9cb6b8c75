// SPDX-License-Identifier: Apache-2.0
// Draws the members of a group as rows, and knows which of them were seen.
"use strict";

const MOST_ROWS = 100;

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
  } else if (!row.isSurvivor && row.variant?.passages) {
    notes.push(`${count(wordsIn(row.variant.passages), "word")} in common`);
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

function documentsOfRow(row) {
  return `${count(row.docs.length, "document")}${row.kind === "text" ? " with this text" : ""}`;
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
    name.append(documentsOfRow(row));
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
      item.append(" ");
      item.append(element("button", { type: "button", class: "link", click: () => act("x", [doc]) }, row.isApart ? "a duplicate after all" : "no duplicate"));
      item.append(" ", element("button", { type: "button", class: "link", click: () => act("s", [doc]) }, "keep this one"));
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

// A member was seen when its text is that of the survivor, when its row was opened, or when each of its readings was in sight. One
// whose text could not be shown was not.
function see(group, docs) {
  docs.filter((doc) => doc.text !== null).forEach((doc) => group.seen.add(key(doc.place)));
}

function seeShown(group) {
  const base = group.view.survivor.variant;
  see(group, group.view.docs.filter((doc) => doc === group.view.survivor || (doc.variant && doc.variant === base)));
}

function seeReading(group, reading) {
  if (!reading.isSeen) {
    reading.isSeen = true;
    for (const variant of reading.variants) {
      variant.unseen--;
      if (variant.unseen === 0) {
        see(group, variant.docs);
      }
    }
  }
}

function seenOf(group) {
  return othersOf(group).filter((place) => group.seen.has(key(place))).length;
}

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

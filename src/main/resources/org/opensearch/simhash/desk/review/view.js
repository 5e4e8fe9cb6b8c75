// SPDX-License-Identifier: Apache-2.0
// The documents of a group, read once: equal texts are one variant, and each variant is compared with the survivor's text once.
"use strict";

// Members that are read at first, and whenever somebody asks for more; the least similar ones first.
const MOST_MEMBERS = 1000;

// Characters of one answer, and of all distinct texts of a group.
const AN_ANSWER = 4 << 20;
const ALL_TEXTS = 24 << 20;

const MOST_COLUMNS = 3;
const MOST_CELL = 200;
const TITLES = /(^|[._])(title|name|subject|headline)$/i;

// ---- fields ----

function fieldsOfText() {
  const fields = typed.get("text");
  return fields ? fields.split(",").filter(Boolean) : (page.answer?.text ?? []);
}

function asked(place, fields) {
  const doc = { _index: place.index, _id: place.id, _source: fields };
  if (place.routing) {
    doc.routing = place.routing;
  }
  return doc;
}

function valuesAt(value, path) {
  if (Array.isArray(value)) {
    return value.flatMap((each) => valuesAt(each, path));
  }
  if (path.length === 0) {
    return value === null || value === undefined ? [] : [value];
  }
  if (value === null || typeof value !== "object") {
    return [];
  }
  // A field may be written with its dots, too.
  return path.flatMap((_, i) => {
    const head = path.slice(0, i + 1).join(".");
    return Object.hasOwn(value, head) ? valuesAt(value[head], path.slice(i + 1)) : [];
  });
}

const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;
const TIMES = /(date|time|published|created|updated|modified|_at)$/i;

// A point in time as people write it, also one in milliseconds.
function cell(value, column) {
  const isTime = Number.isInteger(value) && value > 1e11 && value < 1e13 && TIMES.test(column);
  const found = INSTANT.exec(isTime ? new Date(value).toISOString() : value);
  return found ? `${found[1]} ${found[2]}` : shown(value);
}

function shown(value) {
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

// Null if the document has none of the fields.
function textOf(stored) {
  const fields = fieldsOfText();
  if (fields.length === 0) {
    return JSON.stringify(stored, null, 2);
  }
  const values = fields.flatMap((field) => valuesAt(stored, field.split(".")));
  return values.length === 0 ? null : values.map(shown).join("\n");
}

function isShort(value) {
  return typeof value === "string" && value.length > 0 && value.length <= MOST_CELL && !value.includes("\n");
}

// The first short strings of these documents, a title before all others.
function columnsOf(sources) {
  const found = new Set();
  const own = [page.answer.field, ...fieldsOfText()];
  const look = (object, above) => {
    for (const [name, value] of Object.entries(object)) {
      const path = above + name;
      const one = Array.isArray(value) ? value[0] : value;
      if (own.includes(path) || path.includes(",")) {
        continue;
      }
      if (isShort(one)) {
        found.add(path);
      } else if (above === "" && one !== null && typeof one === "object") {
        look(one, `${path}.`);
      }
    }
  };
  sources.forEach((stored) => look(stored, ""));
  const columns = [...found];
  const title = columns.findIndex((path) => TITLES.test(path));
  if (title > 0) {
    columns.unshift(...columns.splice(title, 1));
  }
  return columns.slice(0, MOST_COLUMNS);
}

// Once for the page, from the first documents: of these, all fields are read.
async function learn() {
  if (page.columns === null) {
    const places = page.groups.slice(0, 3).flatMap((group) => documentsOf(group).slice(0, 2));
    if (places.length === 0) {
      return;
    }
    const { docs } = await server.documents(places.slice(0, 4).map((place) => asked(place, { exclude: [page.answer.field] })));
    page.columns = columnsOf(docs.filter((doc) => doc.found).map((doc) => doc._source ?? {}));
  }
}

// Names in the list: the first column of the survivors.
async function nameGroups(groups) {
  const [title] = page.columns ?? [];
  if (title !== undefined) {
    for (let from = 0; from < groups.length; from += MOST_TITLES) {
      const some = groups.slice(from, from + MOST_TITLES);
      const { docs } = await server.documents(some.map((group) => asked(survivorOf(group), { include: [title] })));
      some.forEach((group, i) => {
        group.title = String(valuesAt(docs[i]._source ?? {}, title.split("."))[0] ?? "");
      });
    }
  }
}

// ---- documents ----

const KINDS = {
  text: "",
  field: "has no such field",
  empty: "has an empty text",
  gone: "deleted since the job",
  error: "cannot be read",
  large: "not read: too much text",
};

// What a document is by now. Its kind says why it has no text. Of a page, the part that was compared is its text.
function documentOf(place, doc, compared) {
  const made = { place, kind: "text", text: null, cells: [], isChanged: false, why: "" };
  if (doc.error || !doc.found) {
    made.kind = doc.error ? "error" : "gone";
    made.why = doc.error?.reason ?? "";
    return made;
  }
  const uuid = page.answer.uuids?.[place.index];
  const isOther = uuid !== undefined && place.index_uuid !== undefined && uuid !== place.index_uuid;
  made.isChanged = isOther || doc._seq_no !== place.seq_no || doc._primary_term !== place.primary_term;
  const stored = doc._source ?? {};
  made.text = compared ?? textOf(stored);
  made.kind = made.text === null ? "field" : made.text === "" ? "empty" : "text";
  made.cells = (page.columns ?? []).map((column) => valuesAt(stored, column.split(".")).map((value) => cell(value, column)));
  return made;
}

// Reads so many at once that an answer stays small; how long texts are shows when the first ones are there.
async function readAll(group, places, view) {
  const fields = fieldsOfText();
  const wanted = fields.length > 0 ? { include: [...fields, ...(page.columns ?? [])] } : { exclude: [page.answer.field] };
  let most = 4;
  for (let from = 0; from < places.length; ) {
    if (view.characters > ALL_TEXTS) {
      places.slice(from).forEach((place) => view.docs.push({ ...documentOf(place, { found: false }), kind: "large" }));
      return;
    }
    const some = places.slice(from, from + most);
    const docs = some.map((place) => asked(place, wanted));
    if (from === 0) {
      docs.push({ _index: group.index, _id: group.id });
    }
    const areParts = page.answer.part && !typed.get("text");
    const [answer, compared] = await Promise.all([server.documents(docs), areParts ? server.texts(page.run, docs.slice(0, some.length)) : null]);
    if (from === 0) {
      renew(group, answer.docs.at(-1));
    }
    let read = 1;
    some.forEach((place, i) => {
      const doc = documentOf(place, answer.docs[i], compared?.texts[i]);
      read += doc.text?.length ?? 0;
      addDocument(view, doc);
    });
    from += some.length;
    most = Math.max(1, Math.min(500, Math.floor((AN_ANSWER * some.length) / read)));
  }
}

function addDocument(view, doc) {
  view.docs.push(doc);
  if (doc.text === null) {
    return;
  }
  let variant = view.variants.get(doc.text);
  if (variant === undefined) {
    variant = { text: doc.text, at: view.variants.size, docs: [], ranges: null, changes: [], isApart: false };
    view.variants.set(doc.text, variant);
    view.characters += doc.text.length;
  }
  doc.variant = variant;
  doc.text = variant.text;
  variant.docs.push(doc);
}

// What somebody else has decided meanwhile.
function renew(group, doc) {
  if (doc.found && doc._source && (doc._seq_no > group.seqNo || doc._primary_term > group.primaryTerm)) {
    counted(group.source.decision, doc._source.decision);
    Object.assign(group, { seqNo: doc._seq_no, primaryTerm: doc._primary_term, source: doc._source });
  }
  group.gone = doc.found === false;
}

function leastSimilarFirst(a, b) {
  return (a.similarity ?? 2) - (b.similarity ?? 2) || (b.distance ?? -1) - (a.distance ?? -1);
}

// All that is shown of a group: {docs, variants, rows, places}.
async function viewOf(group, most = MOST_MEMBERS) {
  await whole(group);
  const survivor = survivorOf(group);
  const others = othersOf(group).sort(leastSimilarFirst);
  const before = documentNames(group);
  const view = { docs: [], variants: new Map(), characters: 0, rows: [], places: [], compared: 0, others: others.length, most };
  await readAll(group, [survivor, ...others.slice(0, most)], view);
  if (documentNames(group) !== before) {
    return viewOf(group, most); // A job or somebody else has written it meanwhile.
  }
  view.survivor = view.docs[0];
  rowsOf(group, view);
  page.textsCame ??= performance.now();
  return view;
}

// The survivor, then members by text and by what is decided about them.
function rowsOf(group, view) {
  const rejected = new Set(rejectedOf(group));
  const rows = new Map();
  for (const doc of view.docs.slice(1)) {
    const isApart = rejected.has(String(doc.place.id));
    const name = `${doc.variant ? doc.variant.at : doc.kind} ${isApart}`;
    if (!rows.has(name)) {
      rows.set(name, { docs: [], isApart, variant: doc.variant ?? null, kind: doc.kind });
    }
    rows.get(name).docs.push(doc);
  }
  view.rows = [{ docs: [view.survivor], isSurvivor: true, variant: view.survivor.variant ?? null, kind: view.survivor.kind }, ...rows.values()];
}

// ---- comparing ----

const WORKER = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
const policy = globalThis.trustedTypes?.createPolicy("simhash-worker", { createScriptURL: (url) => (url === WORKER ? url : "") });
let comparing = null;

// Compares each variant with the survivor's text; says when there is something new to show. Never fails: what cannot be compared is
// different as a whole.
function compareAll(view, progress) {
  const base = view.survivor.variant;
  const variants = [...view.variants.values()].filter((variant) => variant !== base);
  const take = (variant, ranges, passages) => {
    variant.ranges = ranges;
    variant.passages = passages;
    variant.changes = changes(base.text, variant.text, ranges);
    variant.isApart = passages !== undefined || isTooDifferent(base.text, variant.text, ranges);
    view.compared++;
  };
  comparing?.terminate();
  if (base === undefined || variants.length === 0) {
    return Promise.resolve();
  }
  const worker = new Worker(policy ? policy.createScriptURL(WORKER) : WORKER);
  comparing = worker;
  return new Promise((resolve) => {
    const end = () => {
      variants.filter((variant) => variant.ranges === null).forEach((variant) => take(variant, [[false, base.text.length, variant.text.length]]));
      resolve();
    };
    worker.onmessage = ({ data: { at, ranges, passages } }) => {
      take(variants[at], ranges, passages);
      if (view.compared === variants.length) {
        resolve();
      } else {
        progress();
      }
    };
    worker.onerror = end;
    worker.postMessage({ left: base.text, rights: variants.map((variant) => variant.text), least: page.answer.min_words });
  }).finally(() => worker.terminate());
}

function placeAll(view) {
  const base = view.survivor.variant;
  const variants = [...view.variants.values()].filter((variant) => variant !== base && variant.ranges !== null && !variant.isApart);
  view.places = base === undefined ? [] : placesOf(base.text, variants);
  variants.forEach((variant) => (variant.unseen = 0));
  view.places.forEach((place) => place.readings.forEach((each) => each.variants.forEach((variant) => variant.unseen++)));
}

// SPDX-License-Identifier: Apache-2.0
// The page: which group is shown, what keys and buttons do, and what is said about it.
"use strict";

const $ = (id) => document.getElementById(id);

// Texts of so many documents are kept, and so many groups: going back further starts again.
const MOST_TEXTS = 8;
const MOST_GROUPS = 500;

const page = {
  groups: [],
  at: 0,
  dropped: 0,
  next: null,
  runs: [],
  run: null,
  answer: null,
  texts: new Map(),
  shown: 0,
  // Decisions are written one after the other.
  writing: Promise.resolve(),
};

// A report is this page with the groups in it, and without a node to ask.
const data = JSON.parse($("data").textContent || "null");
const isReport = data !== null;

function key(place) {
  return JSON.stringify([place.index, place.id, place.routing ?? null]);
}

const reported = new Map((data?.documents ?? []).map((doc) => [key(doc), doc]));

const source = isReport
  ? {
      groups: async () => data.groups,
      documents: async (docs) => ({
        docs: docs.map((doc) => reported.get(key({ index: doc._index, id: doc._id, routing: doc.routing })) ?? { left: true }),
      }),
    }
  : server;

function say(words) {
  $("status").textContent = words;
}

function problem(error) {
  $("problem").textContent = error ? error.message : "";
  $("problem").hidden = !error;
}

function showPlace(parent, place) {
  parent.replaceChildren();
  const id = element("bdi");
  appendText(id, String(place.id), INVISIBLE);
  const index = element("bdi");
  appendText(index, String(place.index), INVISIBLE);
  parent.append(id, " in ", index);
  if (place.routing) {
    const routing = element("bdi");
    appendText(routing, String(place.routing), INVISIBLE);
    parent.append(", routing ", routing);
  }
}

// ---- groups ----

function documentsOf(group) {
  return [group.source.survivor, ...(group.source.members ?? [])];
}

function survivorOf(group) {
  const chosen = group.source.chosen_survivor;
  return (chosen && documentsOf(group).find((place) => key(place) === key(chosen))) || group.source.survivor;
}

function othersOf(group) {
  const survivor = key(survivorOf(group));
  return documentsOf(group).filter((place) => key(place) !== survivor);
}

function rejectedOf(group) {
  return [group.source.rejected ?? []].flat().map(String);
}

function groupOf(hit) {
  return { index: hit._index, id: hit._id, seqNo: hit._seq_no, primaryTerm: hit._primary_term, source: hit._source, member: 0 };
}

function current() {
  return page.groups[page.at];
}

const FILTERS = ["decision", "min_similarity", "max_similarity", "min_size", "max_size"];

function filters() {
  const wanted = { run: page.run };
  for (const id of FILTERS) {
    wanted[id] = $(id).value.trim();
  }
  return wanted;
}

async function load() {
  const answer = await source.groups({ ...filters(), after: page.next });
  page.answer = { ...page.answer, ...answer };
  if (answer.runs) {
    page.runs = answer.runs;
    page.run = answer.run;
    showRuns();
  }
  page.groups.push(...answer.groups.map(groupOf));
  page.next = answer.next ?? null;
  const over = page.groups.length - MOST_GROUPS;
  if (over > 0 && page.at >= over) {
    page.groups.splice(0, over);
    page.at -= over;
    page.dropped += over;
  }
}

function showRuns() {
  const options = page.runs.map((run) => {
    const option = element("option", { value: run.run });
    option.textContent = `${(run.run_at ?? "").slice(0, 19).replace("T", " ")} · ${run.groups} groups · ${run.run}`;
    return option;
  });
  $("run").replaceChildren(...options);
  $("run").value = page.run;
  $("report").href = `${BASE}?format=report&run=${encodeURIComponent(page.run)}`;
  showProgress();
}

function showProgress() {
  const run = page.runs.find((each) => each.run === page.run);
  if (run) {
    const decided = run.accepted + run.rejected;
    $("progress").max = Math.max(1, run.groups);
    $("progress").value = decided;
    $("progress-text").textContent =
      `${decided} of ${run.groups} decided: ${run.accepted} accepted, ${run.rejected} rejected, ${run.skipped} skipped` +
      (run.applied_at ? `; applied (${run.applied_action}) at ${run.applied_at.slice(0, 19).replace("T", " ")}` : "");
  }
}

function counted(before, after) {
  const run = page.runs.find((each) => each.run === page.run);
  for (const [decision, by] of [
    [before, -1],
    [after, 1],
  ]) {
    if (run && ["accepted", "rejected", "skipped"].includes(decision)) {
      run[decision] += by;
    }
  }
  showProgress();
}

// ---- texts ----

function fieldsOfText() {
  const typed = new URLSearchParams(location.search).get("text");
  return typed ? typed.split(",").filter(Boolean) : (page.answer?.text ?? []);
}

function asked(place) {
  const doc = { _index: place.index, _id: place.id };
  if (place.routing) {
    doc.routing = place.routing;
  }
  const fields = fieldsOfText();
  doc._source = fields.length > 0 ? { include: fields } : { exclude: [page.answer.field] };
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

function textOf(stored) {
  const fields = fieldsOfText();
  if (fields.length === 0) {
    return JSON.stringify(stored, null, 2);
  }
  return fields
    .flatMap((field) => valuesAt(stored, field.split(".")))
    .map((value) => (typeof value === "object" ? JSON.stringify(value, null, 2) : String(value)))
    .join("\n");
}

// What is said of a document that is not as the job read it.
function stateOf(place, doc) {
  if (doc.left) {
    return { text: "", words: "The text is not in this report: see its limit above." };
  }
  if (doc.error) {
    const why = doc.error.reason ?? "";
    return { text: "", words: `Cannot be read: ${why}` };
  }
  if (!doc.found) {
    return { text: "", words: "Deleted since the job: nothing will be done for it." };
  }
  const uuid = page.answer.uuids?.[place.index];
  const isOther = uuid !== undefined && uuid !== place.index_uuid;
  const isChanged = isOther || doc._seq_no !== place.seq_no || doc._primary_term !== place.primary_term;
  return {
    text: textOf(doc._source ?? {}),
    words: isChanged ? "Changed since the job: shown as it is now; nothing will be done with this version." : "",
  };
}

async function texts(group, places) {
  const missing = places.filter((place) => !page.texts.has(key(place)));
  const docs = missing.map(asked);
  if (!isReport) {
    docs.push({ _index: group.index, _id: group.id });
  }
  if (docs.length > 0) {
    const answer = await source.documents(docs);
    missing.forEach((place, i) => page.texts.set(key(place), stateOf(place, answer.docs[i])));
    if (!isReport) {
      renew(group, answer.docs.at(-1));
    }
  }
  const found = places.map((place) => page.texts.get(key(place)));
  // The last ones used stay.
  for (const place of places) {
    const text = page.texts.get(key(place));
    page.texts.delete(key(place));
    page.texts.set(key(place), text);
  }
  for (const old of page.texts.keys()) {
    if (page.texts.size <= MOST_TEXTS) {
      break;
    }
    page.texts.delete(old);
  }
  return found;
}

// What somebody else has decided meanwhile.
function renew(group, doc) {
  if (doc.found && doc._source && (doc._seq_no > group.seqNo || doc._primary_term > group.primaryTerm)) {
    counted(group.source.decision, doc._source.decision);
    group.seqNo = doc._seq_no;
    group.primaryTerm = doc._primary_term;
    group.source = doc._source;
  }
  group.gone = doc.found === false;
}

// ---- differences ----

const WORKER = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
const policy = globalThis.trustedTypes?.createPolicy("simhash-worker", { createScriptURL: (url) => (url === WORKER ? url : "") });
let comparing = null;

function difference(left, right) {
  comparing?.terminate();
  const worker = new Worker(policy ? policy.createScriptURL(WORKER) : WORKER);
  comparing = worker;
  return new Promise((resolve) => {
    const whole = [[false, left.length, right.length]];
    worker.onmessage = ({ data: { ranges } }) => resolve(ranges);
    worker.onerror = () => resolve(whole);
    worker.postMessage({ id: 0, left, right });
  }).finally(() => worker.terminate());
}

// ---- what is shown ----

function words(decision) {
  return { accepted: "Accepted", rejected: "Rejected", skipped: "Skipped" }[decision] ?? "Nobody has decided";
}

function showDecision(group) {
  const { decision, decided_by: by, decided_at: at, earlier_decision: earlier } = group.source;
  const parent = $("decided");
  parent.replaceChildren();
  appendText(parent, `${words(decision)}${decision && by ? ` by ${by}` : ""}${decision && at ? ` at ${at}` : ""}.`, INVISIBLE);
  if (!decision && earlier?.decision) {
    appendText(parent, ` Before its documents changed: ${words(earlier.decision).toLowerCase()}${earlier.decided_by ? ` by ${earlier.decided_by}` : ""}.`, INVISIBLE);
  }
  if (group.gone) {
    appendText(parent, " This group is not there any more.");
  }
}

function showNames(group) {
  const others = othersOf(group);
  const member = others[group.member];
  const rejected = rejectedOf(group);
  const { size, lowest_similarity: lowest, largest_distance: largest } = group.source;
  const place = page.dropped + page.at + 1;
  $("title").textContent =
    `Group ${place}: ${size} documents` +
    (lowest === undefined ? "" : `, lowest similarity ${Number(lowest).toFixed(3)}`) +
    (largest === undefined ? "" : `, largest distance ${largest}`);
  showDecision(group);
  showPlace($("left-name"), survivorOf(group));
  $("left-name").prepend(key(survivorOf(group)) === key(group.source.survivor) ? "Survivor " : "Chosen survivor ");
  if (member) {
    showPlace($("right-name"), member);
    $("right-name").prepend(rejected.includes(String(member.id)) ? "No duplicate " : "Duplicate ");
    $("member").textContent =
      `Member ${group.member + 1} of ${others.length}` +
      (member.similarity === undefined ? "" : `, similarity ${Number(member.similarity).toFixed(3)}`) +
      (member.distance === undefined ? "" : `, distance ${member.distance}`);
  } else {
    $("right-name").textContent = "No member";
    $("member").textContent = "";
  }
  const isRejected = member !== undefined && rejected.includes(String(member.id));
  button("x").setAttribute("aria-pressed", String(isRejected));
  button("s").setAttribute("aria-pressed", String(Boolean(group.source.chosen_survivor)));
  for (const [of, decision] of [
    ["a", "accepted"],
    ["r", "rejected"],
    ["k", "skipped"],
  ]) {
    button(of).setAttribute("aria-pressed", String(group.source.decision === decision));
  }
}

function button(of) {
  return document.querySelector(`button[data-key="${of}"]`);
}

async function show() {
  const group = current();
  const turn = ++page.shown;
  $("group").hidden = group === undefined;
  if (group === undefined) {
    say(page.runs.some((run) => run.groups > 0) ? "No group is left of those that you asked for." : "There is no group here.");
    return;
  }
  showNames(group);
  const member = othersOf(group)[group.member];
  const places = member ? [survivorOf(group), member] : [survivorOf(group)];
  const found = await texts(group, places);
  if (turn !== page.shown) {
    return;
  }
  showNames(group);
  const [left, right] = [found[0], found[1] ?? { text: "", words: "" }];
  $("left-state").textContent = left.words;
  $("right-state").textContent = right.words;
  plain($("left"), left.text);
  plain($("right"), right.text);
  page.firstShown ??= performance.now();
  compare(group, turn, left.text, right.text).catch(problem);
}

// Goes on while other keys are pressed; what comes too late is not shown.
async function compare(group, turn, left, right) {
  say("Comparing …");
  const ranges = await difference(left, right);
  if (turn !== page.shown) {
    return;
  }
  for (const [id, text, side] of [
    ["left", left, 1],
    ["right", right, 2],
  ]) {
    const shown = document.createDocumentFragment();
    showSide(shown, text, ranges, side);
    $(id).replaceChildren(shown);
  }
  const parts = ranges.filter(([equal]) => !equal).length;
  say(`${$("title").textContent}. ${words(group.source.decision)}. ${parts === 0 ? "The texts are equal" : `${parts} parts differ`}.`);
  document.documentElement.dataset.shown = String(turn);
  prefetch();
}

// Until it is known what differs.
function plain(parent, text) {
  parent.replaceChildren();
  appendText(parent, text.slice(0, safeEnd(text, 10 * AROUND)));
}

function prefetch() {
  const next = page.groups[page.at + 1];
  const member = next && othersOf(next)[next.member];
  if (member) {
    texts(next, [survivorOf(next), member]).catch(() => {});
  }
}

// ---- what people do ----

async function go(by) {
  const to = page.at + by;
  if (to < 0) {
    say("This is the first group.");
    return;
  }
  if (to >= page.groups.length && page.next !== null) {
    await load();
  }
  if (page.at + by >= page.groups.length) {
    say("This was the last group.");
    return;
  }
  page.at += by;
  await show();
}

async function goMember(by) {
  const group = current();
  const to = group.member + by;
  if (to < 0 || to >= othersOf(group).length) {
    say(to < 0 ? "This is the first member." : "This was the last member.");
    return;
  }
  group.member = to;
  await show();
}

function plainPlace(place) {
  const { index, id, routing } = place;
  return routing ? { index, id, routing } : { index, id };
}

// What is changed about the group as it is when it is its turn.
async function decide(group, change) {
  const wanted = {
    decision: group.source.decision ?? null,
    rejected: rejectedOf(group),
    chosen_survivor: group.source.chosen_survivor ?? null,
    ...change(group),
  };
  try {
    const stored = await source.decide({
      index: group.index,
      group: group.id,
      if_seq_no: group.seqNo,
      if_primary_term: group.primaryTerm,
      ...wanted,
    });
    counted(group.source.decision, stored.decision);
    group.seqNo = stored._seq_no;
    group.primaryTerm = stored._primary_term;
    Object.assign(group.source, wanted, { decided_by: stored.decided_by, decided_at: stored.decided_at });
    return true;
  } catch (error) {
    if (error.status !== 409) {
      throw error;
    }
    renew(group, await server.group(group.index, group.id));
    const { decided_by: by, decision } = group.source;
    throw new Problem(
      `Somebody else was faster: ${words(decision).toLowerCase()}${by ? ` by ${by}` : ""}. Nothing of yours was stored: look, and decide again.`,
      409,
    );
  }
}

function decideGroup(decision) {
  return async () => {
    const group = current();
    await decide(group, () => ({ decision }));
    if (group === current()) {
      await (decision === null ? show() : go(1));
    }
    if (group === current()) {
      showNames(group);
    }
  };
}

async function rejectMember() {
  const group = current();
  const id = String(othersOf(group)[group.member]?.id);
  await decide(group, () => {
    const rejected = rejectedOf(group);
    return { rejected: rejected.includes(id) ? rejected.filter((each) => each !== id) : [...rejected, id] };
  });
  showNames(group);
  say($("right-name").textContent);
}

async function keepMember() {
  const group = current();
  const member = othersOf(group)[group.member];
  await decide(group, () => ({
    chosen_survivor: group.source.chosen_survivor || !member ? null : plainPlace(member),
    rejected: rejectedOf(group).filter((id) => id !== String((group.source.chosen_survivor ? group.source.survivor : member)?.id)),
  }));
  group.member = 0;
  await show();
}

const KEYS = {
  a: decideGroup("accepted"),
  r: decideGroup("rejected"),
  k: decideGroup("skipped"),
  u: decideGroup(null),
  x: rejectMember,
  s: keepMember,
  n: () => go(1),
  p: () => go(-1),
  ArrowRight: () => goMember(1),
  ArrowLeft: () => goMember(-1),
  m: () => goMember(1),
  b: () => goMember(-1),
};
const WRITES = new Set(["a", "r", "k", "u", "x", "s"]);

// One thing after the other: a key that comes early is not lost.
function act(of) {
  const action = KEYS[of];
  if (action === undefined || (isReport && WRITES.has(of))) {
    return;
  }
  page.writing = page.writing.then(async () => {
    if (current() === undefined) {
      return;
    }
    try {
      problem(null);
      await action();
    } catch (error) {
      problem(error);
      if (current()) {
        showNames(current());
      }
    }
  });
}

async function start() {
  Object.assign(page, { groups: [], at: 0, dropped: 0, next: null, texts: new Map() });
  page.shown++;
  try {
    problem(null);
    await load();
    await show();
  } catch (error) {
    $("group").hidden = true;
    problem(error);
    say("");
  }
}

document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  if (event.key === "?") {
    $("keys").open = !$("keys").open;
    return;
  }
  const of = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (Object.hasOwn(KEYS, of)) {
    event.preventDefault();
    act(of);
  }
});

for (const each of document.querySelectorAll("button[data-key]")) {
  each.addEventListener("click", () => act(each.dataset.key));
}

$("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  page.writing = page.writing.then(start);
});
$("run").addEventListener("change", () => {
  page.run = $("run").value;
  page.writing = page.writing.then(start);
});
$("decision").addEventListener("change", () => {
  page.writing = page.writing.then(start);
});

if (isReport) {
  $("filter").hidden = true;
  $("limit").hidden = false;
  $("limit").textContent = data.limit;
  for (const of of WRITES) {
    button(of).hidden = true;
  }
}
appendText($("dest"), isReport ? data.dest : decodeURIComponent(BASE.split("/").pop()), INVISIBLE);
const typed = new URLSearchParams(location.search);
for (const id of FILTERS.filter((each) => typed.has(each))) {
  $(id).value = typed.get(id);
}
page.run = typed.get("run");
page.writing = page.writing.then(start);

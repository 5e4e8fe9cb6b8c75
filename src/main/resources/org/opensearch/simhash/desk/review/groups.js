// SPDX-License-Identifier: Apache-2.0
// What the page knows: the groups of the filter, where it is, and what a group says of its documents.
"use strict";

const MOST_TITLES = 50;

// Members of groups that far away are read again when somebody comes back.
const NEAR = 100;

const FILTERS = ["decision", "min_similarity", "max_similarity", "min_size", "max_size", "q", "value", "claimed_by"];
const typed = new URLSearchParams(location.search);

const page = {
  groups: [],
  at: 0,
  next: null,
  total: 0,
  runs: [],
  run: typed.get("run"),
  isSample: typed.get("sample") === "true",
  columns: typed.get("columns")?.split(",").filter(Boolean) ?? null,
  answer: null,
  shown: 0,
  // What is done is done one after the other.
  writing: Promise.resolve(),
};

function key(place) {
  return JSON.stringify([place.index, place.id, place.routing ?? null]);
}

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

// Which one stays, and all others.
function documentNames(group) {
  return [survivorOf(group), ...documentsOf(group)].map(key).join();
}

function rejectedOf(group) {
  return [group.source.rejected ?? []].flat().map(String);
}

function similarity(value) {
  // 0.9996 is not 1: equal texts have it alone.
  return (Math.floor(value * 100 + 1e-9) / 100).toFixed(2);
}

// From the least to the most similar member.
function range(group) {
  const { lowest_similarity: lowest } = group.source;
  if (lowest === undefined) {
    return null;
  }
  return [lowest, group.highest ?? lowest];
}

function groupOf(hit) {
  const group = { index: hit._index, id: hit._id, seqNo: hit._seq_no, primaryTerm: hit._primary_term, source: hit._source };
  Object.assign(group, { row: 1, place: -1, opened: new Set(), seen: new Set(), view: null, title: "", gone: false });
  const similarities = (hit._source.members ?? []).map((member) => member.similarity).filter((each) => each !== undefined);
  group.highest = similarities.reduce((most, each) => Math.max(most, each), -Infinity);
  if (group.highest === -Infinity) {
    delete group.highest;
  }
  return group;
}

function current() {
  return page.groups[page.at];
}

// Everything of it, members too.
async function whole(group) {
  if (group.source.members === undefined) {
    const [doc] = (await server.documents([{ _index: group.index, _id: group.id }])).docs;
    group.gone = doc.found === false;
    if (doc._source) {
      Object.assign(group, { source: doc._source, seqNo: doc._seq_no, primaryTerm: doc._primary_term });
    }
  }
}

function forgetFar() {
  page.groups.forEach((group, at) => {
    const distance = Math.abs(at - page.at);
    if (distance > 1) {
      group.view = null;
    }
    if (distance > NEAR) {
      delete group.source.members;
    }
  });
}

function filters() {
  const wanted = { run: page.run };
  if (page.isSample) {
    return { ...wanted, sample: true, seed: typed.get("seed") };
  }
  for (const id of FILTERS) {
    wanted[id] = $(id).value.trim();
  }
  return wanted;
}

async function load() {
  const { groups: before } = page;
  const answer = await server.groups({ ...filters(), after: page.next, size: page.isSample ? 50 - page.groups.length : page.next === null ? 20 : 50 });
  if (before !== page.groups) {
    return []; // Another filter is shown by now.
  }
  page.answer = { ...page.answer, ...answer, uuids: { ...page.answer?.uuids, ...answer.uuids } };
  if (answer.runs) {
    page.runs = answer.runs;
    page.run = answer.run;
    page.total = answer.total;
  }
  const known = new Set(page.groups.map((group) => group.id));
  const groups = answer.groups.map(groupOf).filter((group) => !known.has(group.id));
  page.groups.push(...groups);
  page.next = answer.next ?? null;
  forgetFar();
  return groups;
}

// The group that the address names may be far away in the list, or decided by now.
async function loadNamed(id) {
  if (id !== null && !page.groups.some((group) => group.id === id)) {
    const hit = await server.find(id);
    if (hit !== null) {
      page.groups.unshift(groupOf(hit));
    }
  }
  page.at = Math.max(0, page.groups.findIndex((group) => group.id === id));
}

function runNow() {
  return page.runs.find((run) => run.run === page.run);
}

function counted(before, after) {
  const run = runNow();
  for (const [decision, by] of [
    [before, -1],
    [after, 1],
  ]) {
    if (run && ["accepted", "rejected", "skipped"].includes(decision)) {
      run[decision] += by;
    }
  }
}

// Where somebody is, so that the address brings them back.
function remember() {
  const group = current();
  const now = new URLSearchParams(location.search);
  const row = group?.view?.rows[group.row];
  const place = group && group.place >= 0 ? String(group.place + 1) : "";
  for (const [name, value] of [
    ["run", page.run],
    ...FILTERS.map((id) => [id, $(id).value.trim()]),
    ["sample", page.isSample ? "true" : ""],
    ["group", group?.id],
    ["member", group && group.row > 1 ? row?.docs[0]?.place.id : ""],
    ["difference", place],
  ]) {
    if (value || name === "decision") {
      now.set(name, value);
    } else {
      now.delete(name);
    }
  }
  try {
    history.replaceState(null, "", `?${now}`);
  } catch (e) {
    // A file may have no such address.
  }
}

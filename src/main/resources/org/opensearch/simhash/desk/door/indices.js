// SPDX-License-Identifier: Apache-2.0
// The indices that the user sees, what is in each, the groups of jobs, and what runs.
"use strict";

// What tells the prints, in any object, and what tells other indices of the plugin, in one.
const PRINT_PARTS = { simhash: "bits", minhash: "sketch", passages: "terms" };
const PARTS = { groups: ["members", "seq_no"], archive: ["simhash_archive", "id"] };
const MOST_LISTED = 100;
const MOST_CHECKED = 30;

// What is not allowed is left out, and the rest is shown.
async function orElse(otherwise, request) {
  try {
    return await request;
  } catch (error) {
    if (error.status === 401 || error.status === 0) {
      throw error;
    }
    return otherwise;
  }
}

async function readIndices() {
  const read = [...Object.values(PRINT_PARTS), "scheme", ...Object.values(PARTS).map(([, part]) => part)];
  const filter = read.map((part) => `*.mappings.properties.**.properties.${part}.type`);
  const byIndex = { size: 0, track_total_hits: false, aggs: { indices: { terms: { field: "_index", size: 10000 } } } };
  const [seen, mappings, counts, found, aliases] = await Promise.all([
    ask("GET", `${ROOT}/_resolve/index/*?expand_wildcards=open,closed`),
    orElse({}, ask("GET", `${ROOT}/_mapping?filter_path=${filter.join(",")}`)),
    orElse([], ask("GET", `${ROOT}/_cat/indices?format=json&h=index,docs.count,status`)),
    orElse(null, ask("POST", `${ROOT}/_search?filter_path=aggregations`, byIndex)),
    orElse({}, ask("GET", `${ROOT}/_alias?filter_path=*.aliases.*.filter`)),
  ]);
  // What _cat counts has nested objects, too: it is for closed indices, and for those that may not be searched together.
  const searched = found && new Map(found.aggregations?.indices.buckets.map((bucket) => [bucket.key, bucket.doc_count]));
  const documents = new Map(counts.map((row) => [row.index, { ...row, count: searched && row.status !== "close" ? (searched.get(row.index) ?? 0) : Number(row["docs.count"] ?? 0) }]));
  const filtered = [...new Set(Object.values(aliases).flatMap((each) => Object.keys(each.aliases)))].slice(0, MOST_CHECKED);
  const behind = new Map(await Promise.all(filtered.map(async (alias) => [alias, (await orElse({ count: null }, ask("GET", `${ROOT}/${segment(alias)}/_count`))).count])));
  const properties = (index) => mappings[index]?.mappings?.properties ?? {};
  const kinds = (index) => Object.keys(PARTS).filter((kind) => properties(index)[PARTS[kind][0]]?.properties?.[PARTS[kind][1]]);
  // The parts of each object, by its path.
  const objects = (parts, above = "") =>
    Object.entries(parts).flatMap(([name, each]) => (each.properties ? [[above + name, each.properties], ...objects(each.properties, `${above}${name}.`)] : []));
  // The object with each kind of print: the usual one, or the only other one.
  const prints = (index) => {
    const all = objects(properties(index));
    return Object.entries(PRINT_PARTS).flatMap(([kind, part]) => {
      const found = all.filter(([path, parts]) => parts[part] && (parts.scheme || path === kind)).map(([path]) => path);
      return found.includes(kind) ? [[kind, kind]] : found.length === 1 ? [[kind, found[0]]] : [];
    });
  };
  const inStream = new Set(seen.data_streams.flatMap((stream) => [stream.backing_indices].flat()));
  const made = (type, at, members) => ({
    name: at,
    type,
    members,
    kinds: [...new Set(members.flatMap(kinds))],
    prints: Object.fromEntries(members.flatMap(prints)),
    documents: behind.has(at) ? behind.get(at) : members.every((each) => documents.has(each)) ? members.reduce((sum, each) => sum + documents.get(each).count, 0) : null,
    isClosed: members.some((each) => documents.get(each)?.status === "close"),
  });
  return [
    ...seen.indices.filter((each) => !inStream.has(each.name)).map((each) => made("index", each.name, [each.name])),
    ...seen.aliases.map((each) => made("alias", each.name, [each.indices].flat())),
    ...seen.data_streams.map((each) => made("data stream", each.name, [each.backing_indices].flat())),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isGroups = (index) => index.kinds.includes("groups");
const isArchive = (index) => index.kinds.includes("archive");
const PRINTS = { simhash: "fingerprints", minhash: "sketches", passages: "passages" };
// What its documents are compared by; undefined if there is nothing.
const printOf = (index) => Object.keys(PRINTS).find((kind) => index.prints[kind]);
const hasPrints = (index) => printOf(index) !== undefined;

// What check has said, by index.
const checks = new Map();

let checking = Promise.resolve();

// A small sample of each index with fingerprints, one after the other; what may not be checked stays as it is.
function checkAll(indices, whenOne) {
  checking = checking.catch(() => null).then(() => checkEach(indices, whenOne));
  return checking;
}

async function checkEach(indices, whenOne) {
  for (const index of indices.filter((each) => hasPrints(each) && !checks.has(each.name)).slice(0, MOST_CHECKED)) {
    const field = segment(index.prints[printOf(index)]);
    const answer = await orElse(null, ask("GET", `${ROOT}${PLUGIN}/check/${segment(index.name)}?field=${field}&sample_size=200&text_sample_size=20`));
    // A whole check may have answered meanwhile.
    if (!checks.has(index.name)) {
      checks.set(index.name, answer?.status ?? null);
      whenOne();
    }
  }
}

function stateOf(index) {
  if (isGroups(index)) {
    return { text: "groups", tag: "" };
  }
  if (isArchive(index)) {
    return { text: "archive", tag: "" };
  }
  if (index.isClosed) {
    return { text: "closed", tag: "warn" };
  }
  const status = checks.get(index.name);
  if (hasPrints(index) && status && status !== "ok") {
    return { text: status, tag: status === "error" ? "bad" : "warn" };
  }
  return hasPrints(index) ? { text: PRINTS[printOf(index)], tag: "good" } : { text: "not set up", tag: "" };
}

// The runs in the indices of groups, newest first.
async function readRuns(indices) {
  const all = await Promise.all(
    indices.filter(isGroups).map(async (dest) => {
      const answer = await orElse({ runs: [] }, ask("GET", `${ROOT}${PLUGIN}/review/${segment(dest.name)}/groups?size=1`));
      const first = answer.groups?.[0]?._source;
      return (answer.runs ?? []).map((run) => ({ ...run, dest: dest.name, of: first?.survivor?.index ?? null }));
    }),
  );
  return all.flat().sort((a, b) => (a.run_at < b.run_at ? 1 : -1));
}

async function readSchedules() {
  return (await orElse({ schedules: [] }, ask("GET", `${ROOT}${PLUGIN}/schedules`))).schedules;
}

async function readTasks() {
  const answer = await orElse({ tasks: [] }, ask("GET", `${ROOT}/_tasks?actions=*simhash*&detailed=true&group_by=none`));
  const tasks = Array.isArray(answer.tasks) ? answer.tasks : Object.values(answer.tasks ?? {});
  return tasks.filter((task) => !task.parent_task_id && task.status?.phase);
}

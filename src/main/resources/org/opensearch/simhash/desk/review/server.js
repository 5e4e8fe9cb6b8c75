// SPDX-License-Identifier: Apache-2.0
// Requests to the node that the page came from, with the rights of whoever opened it; what goes wrong, in words.
"use strict";

class Problem extends Error {
  constructor(message, status, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

const WORDS = {
  400: "OpenSearch refuses the request",
  401: "You are not logged in to OpenSearch",
  403: "You do not have the right to do this",
  404: "This is not there",
  409: "Somebody else was faster",
  413: "This is too large",
  429: "OpenSearch has no room for the request at the moment",
  503: "OpenSearch cannot answer at the moment",
};

// Numbers that JavaScript would round stay as they were written.
function exactly(key, value, context) {
  const rounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounded && context?.source ? context.source : value;
}

function reason(answer) {
  const error = answer?.error;
  const cause = error?.root_cause?.[0]?.reason ?? error?.reason ?? error;
  return typeof cause === "string" ? cause : "";
}

// The status and the body; any answer is one.
async function send(method, path, body) {
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join("") : JSON.stringify(body),
    });
    text = await response.text();
  } catch (e) {
    throw new Problem(`No connection to OpenSearch at ${location.host}. What you decide now is not stored. Try again.`, 0);
  }
  let answer = null;
  try {
    answer = JSON.parse(text, exactly);
  } catch (e) {
    // A proxy on the way, perhaps.
  }
  return { status: response.status, ok: response.ok, answer, text };
}

async function ask(method, path, body) {
  const { status, ok, answer } = await send(method, path, body);
  if (!ok || answer === null) {
    const words = WORDS[status] ?? `OpenSearch answers with an error (HTTP ${status})`;
    const why = reason(answer);
    throw new Problem(why ? `${words}: ${why}` : `${words}.`, status, answer);
  }
  return answer;
}

const BASE = location.pathname.replace(/\/+$/, "");
// What a proxy has put before the node's own paths.
const ROOT = BASE.slice(0, Math.max(0, BASE.lastIndexOf("/_plugins/_simhash")));

function names(indices) {
  return indices.map(encodeURIComponent).join(",");
}

function filled(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== "") {
      query.set(name, value);
    }
  }
  return query;
}

function count(number, one, many = `${one}s`) {
  return `${Number(number).toLocaleString("en")} ${Number(number) === 1 ? one : many}`;
}

const server = {
  dest: BASE.split("/").pop(),
  groups: (parameters) => ask("GET", `${BASE}/groups?${filled(parameters)}`),
  documents: (docs) => ask("POST", `${ROOT}/_mget`, { docs }),
  // Of these documents, as they were compared.
  texts: (run, docs) => ask("POST", `${BASE}/texts`, { run, docs: docs.map(({ _index, _id, routing }) => ({ _index, _id, ...(routing ? { routing } : {}) })) }),
  group: (index, id) => ask("GET", `${ROOT}/${encodeURIComponent(index)}/_doc/${encodeURIComponent(id)}`),
  // A group whose index nobody knows yet.
  async find(id) {
    const query = { ids: { values: [id] } };
    const answer = await ask("POST", `${ROOT}/${server.dest}/_search`, { query, seq_no_primary_term: true });
    return answer.hits.hits[0] ?? null;
  },
  async indices(run) {
    const of = (field) => ({ terms: { field, size: 10_000 } });
    const body = { size: 0, query: { term: { run } }, aggs: { survivors: of("survivor.index"), members: of("members.index") } };
    const { aggregations } = await ask("POST", `${ROOT}/${server.dest}/_search`, body);
    const buckets = [...aggregations.survivors.buckets, ...aggregations.members.buckets];
    const all = [...new Set(buckets.map((bucket) => bucket.key))].sort();
    return all.length === 0 ? all : server.there(all);
  },
  // Those of them that exist and are open; all of them if none is, or nobody may know.
  async there(indices) {
    const search = { size: 0, aggs: { there: { terms: { field: "_index", size: indices.length } } } };
    const lines = [{ index: indices, ignore_unavailable: true }, search];
    const answer = await ask("POST", `${ROOT}/_msearch`, lines).catch(() => null);
    const there = (answer?.responses[0].aggregations?.there.buckets ?? []).map((bucket) => bucket.key).sort();
    return there.length > 0 ? there : indices;
  },
  // The question before the tags of a run go: those of what was applied, else of all its groups, if the job itself has tagged.
  async sureToUntag(run, dest = server.dest) {
    const some = async (more, most) => {
      const query = { bool: { filter: [{ term: { run } }, ...more] } };
      const body = { size: 0, track_total_hits: true, query, aggs: { documents: { sum: { field: "size" } } } };
      const { hits, aggregations } = await ask("POST", `${ROOT}/${dest}/_search`, body);
      return { groups: hits.total.value, documents: aggregations.documents.value, most };
    };
    const applied = await some([{ exists: { field: "applied_at" } }], "");
    const { groups, documents, most } = applied.groups > 0 ? applied : await some([], "Up to ");
    return `${most}${count(documents, "document")} of ${count(groups, "group")} lose the tag that this run gave them. Other tags stay.`;
  },
  decide: (decision) => ask("POST", `${BASE}/decide`, reviewer() === null ? decision : { ...decision, reviewer: reviewer() }),
  // Decisions are found by searches from then on.
  refresh: () => ask("POST", `${ROOT}/${server.dest}/_refresh`),
  check: (indices, field) => ask("GET", `${ROOT}/_plugins/_simhash/check/${names(indices)}?${filled({ field, text_sample_size: 100 })}`),
  start: (path, body) => ask("POST", `${path}?wait_for_completion=false`, body),
  task: (task) => ask("GET", `${ROOT}/_tasks/${encodeURIComponent(task)}`),
};

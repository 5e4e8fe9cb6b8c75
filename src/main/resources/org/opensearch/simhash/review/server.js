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
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (e) {
    throw new Problem(`No connection to OpenSearch at ${location.host}. What you decide now would not be stored. Try again.`, 0);
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

const server = {
  groups(parameters) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== null && value !== undefined && value !== "") {
        query.set(name, value);
      }
    }
    return ask("GET", `${BASE}/groups?${query}`);
  },
  documents(docs) {
    return ask("POST", "/_mget", { docs });
  },
  group(index, id) {
    return ask("GET", `/${encodeURIComponent(index)}/_doc/${encodeURIComponent(id)}`);
  },
  decide(decision) {
    return ask("POST", `${BASE}/decide`, decision);
  },
};

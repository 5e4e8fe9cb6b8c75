// SPDX-License-Identifier: Apache-2.0
// Many groups and many people: search, batches, samples, and what was decided before.
"use strict";

const BATCH = 20;
const REVIEWER = "simhash-reviewer";
const JUDGED = { accepted: "right", rejected: "wrong" };

// Whoever has taken a batch is told from others, also where nobody logs in.
function reviewer() {
  try {
    return sessionStorage.getItem(REVIEWER);
  } catch (e) {
    return null;
  }
}

// ---- search ----

async function showValues() {
  const name = $("facet").value;
  const facet = name === "" ? [] : (await server.groups({ ...filters(), value: "", facet: name, size: 1 })).facet;
  const options = facet.map(({ value, groups }) => {
    const option = element("option", { value: `${name}:${value}` });
    option.textContent = `${value} (${groups.toLocaleString("en")})`;
    return option;
  });
  $("value").replaceChildren(element("option", { value: "" }, "all values"), ...options);
  $("value").hidden = name === "";
}

function showColumns() {
  const names = new Set([...$("facet").options].map((option) => option.value));
  for (const name of page.groups.flatMap((group) => group.source.columns ?? [])) {
    if (!names.has(name)) {
      names.add(name);
      $("facet").append(element("option", { value: name }, name));
    }
  }
}

$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
  actOn(start, false);
});
$("facet").addEventListener("change", () =>
  actOn(async () => {
    const had = $("value").value !== "";
    await showValues();
    if (had) {
      await start();
    }
  }, false),
);
$("value").addEventListener("change", () => actOn(start, false));
if (typed.has("value")) {
  $("value").append(element("option", { value: typed.get("value") }, typed.get("value")));
  $("value").hidden = false;
}

// ---- batches ----

function isTaken(group) {
  return new Date(group.source.claimed_until ?? 0) > new Date();
}

function isMine(group) {
  return $("claimed_by").value !== "" && group.source.claimed_by === $("claimed_by").value;
}

function claimOf(group) {
  const until = new Date(group.source.claimed_until).toLocaleTimeString("en", { timeStyle: "short" });
  return `Taken by ${isMine(group) ? "you" : (group.source.claimed_by ?? "somebody")} until ${until}.`;
}

async function takeBatch() {
  if ($("claimed_by").value !== "") {
    // Any decision ends a claim, also none.
    await server.decide({ query: { run: page.run, claimed_by: $("claimed_by").value, decision: "open" }, decision: null });
    $("claimed_by").value = "";
    await refreshed();
    await start();
    return;
  }
  try {
    sessionStorage.setItem(REVIEWER, reviewer() ?? `reviewer ${crypto.getRandomValues(new Uint16Array(1))[0]}`);
  } catch (e) {
    // Nobody knows who it is, then.
  }
  const wanted = Object.fromEntries(filled({ ...filters(), decision: "" }));
  const answer = await server.decide({ ...wanted, batch: BATCH });
  if (answer.groups.length === 0) {
    throw new Problem("No group is left to take: all are decided, or others have taken them.", 0);
  }
  $("claimed_by").value = answer.claimed_by ?? "";
  $("decision").value = "open";
  await refreshed();
  await start();
  tell(`${count(answer.groups.length, "group")} taken for an hour`);
}

$("batch").addEventListener("click", () => actOn(takeBatch, false));

// ---- samples ----

$("sample").addEventListener("click", () =>
  actOn(async () => {
    page.isSample = !page.isSample;
    await start();
  }, false),
);

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

function showWork() {
  showColumns();
  $("batch").textContent = $("claimed_by").value === "" ? `Take ${BATCH}` : "Leave batch";
  $("batch").hidden = page.isSample;
  $("sample").setAttribute("aria-pressed", String(page.isSample));
  $("sample-number").hidden = !page.isSample;
  const { drawn, judged, wrong, share, low, high } = page.answer?.sample ?? {};
  if (drawn !== undefined) {
    const number = judged === 0 ? "" : ` ${wrong} wrong: ${percent(share)} (with 95 % certainty between ${percent(low)} and ${percent(high)}).`;
    $("sample-number").textContent =
      `Sample of ${drawn} of ${count(page.total, "accepted group")} that nobody has seen: ${judged} judged.${number}` +
      `${judged < drawn ? " a: right, r: wrong." : ""}`;
  }
}

async function storeJudged(group, judged) {
  let answer;
  try {
    answer = await server.decide({ ...decisionOn({ group, wanted: {} }), judged });
  } catch (error) {
    if (error.status === 409) {
      await renewed(group);
    }
    throw error;
  }
  Object.assign(group, { seqNo: answer._seq_no, primaryTerm: answer._primary_term });
  Object.assign(group.source, { judged, judged_by: answer.judged_by, judged_at: answer.judged_at });
  await refreshed();
  page.answer.sample = (await server.groups({ ...filters(), size: 50 })).sample;
  showWork();
}

async function judge(decision) {
  const group = current();
  const judged = JUDGED[decision] ?? null;
  const before = group.source.judged ?? null;
  if (decision !== "skipped") {
    try {
      await storeJudged(group, judged);
    } catch (error) {
      if (error.status === 409) {
        await go(1); // Whoever comes back sees what the other one did.
      }
      throw error;
    }
    remembered(`Judged: ${$("title").textContent}`, () => storeJudged(group, before));
    tell(judged === null ? "Not judged" : `Judged ${judged}`);
  }
  if (judged === null && decision !== "skipped") {
    await show();
  } else {
    await go(1);
  }
}

// ---- what was decided before ----

function showHistory(group) {
  const history = group.source.history ?? [];
  $("history").hidden = history.length === 0;
  $("history").firstElementChild.textContent = `History: ${count(history.length, "decision")}`;
  $("history").lastElementChild.replaceChildren(
    ...history.map((entry) => {
      const item = element("li");
      const what = entry.judged ? `Judged ${entry.judged}` : words(entry.decision);
      const seen = entry.seen ? `, ${count(entry.seen.length, "text")} seen` : "";
      const when = entry.decided_at ? ` at ${String(entry.decided_at).slice(0, 16).replace("T", " ")}` : "";
      appendText(item, `${what}${entry.decided_by ? ` by ${entry.decided_by}` : ""}${when}${seen}${entry.note ? `: ${entry.note}` : ""}`, INVISIBLE);
      return item;
    }),
  );
}

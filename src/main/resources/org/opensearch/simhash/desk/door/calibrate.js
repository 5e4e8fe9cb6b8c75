// SPDX-License-Identifier: Apache-2.0
// One calibration: the request, the suggestion, the curve, each row with its intervals, and the pairs that lie at the border.
"use strict";

const BORDER = 2;

const indexName = decodeURIComponent(location.pathname.split("/").pop());
const calibrating = `${PLUGIN}/calibrate/${segment(indexName)}`;
const calibration = { task: new URLSearchParams(location.search).get("task") };

function percent(share) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)} %`;
}

function interval(share) {
  return share && share.estimate !== null && share.estimate !== undefined ? `${percent(share.estimate)} (${(100 * share.low).toFixed(1)}–${(100 * share.high).toFixed(1)})` : "–";
}

function between(row) {
  const [pairs, low, high] = [row.pairs, row.pairs_low, row.pairs_high].map((count) => Number(count).toLocaleString("en"));
  return low === high ? pairs : `${pairs} (${low} to ${high})`;
}

function rowsOf(answer) {
  return answer.distances ?? answer.estimates ?? [];
}

const stepOf = (row) => row.distance ?? row.estimate;

function suggestedStep(answer) {
  return answer.suggestion?.max_distance ?? answer.suggestion?.min_similarity ?? null;
}

function showSuggestion(answer) {
  const { suggestion } = answer;
  if (!suggestion) {
    $("suggestion").replaceChildren(note("warn", "Nothing could be compared, so there is nothing to suggest."));
    return;
  }
  const [line, ...body] = suggestion.next.split("\n");
  const [method, path] = line.split(" ", 2);
  const { expected } = suggestion;
  $("suggestion").replaceChildren(
    element("p", {}, suggestion.why),
    element(
      "dl",
      {},
      ...[
        ["Precision", interval(expected.precision)],
        ["Recall", interval(expected.recall)],
        ["Pairs", Number(expected.pairs).toLocaleString("en")],
      ].flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]),
    ),
    requestPanel({
      method,
      path,
      body: JSON.parse(body.join("\n")),
      label: "Find groups",
      kind: "main",
      isTask: true,
      done: (job) =>
        element("p", {}, `${count(job.groups, "group")} with ${count(job.duplicates, "duplicate")}. `, job.page ? element("a", { class: "button", href: `${ROOT}${job.page}` }, "Review them") : null),
    }),
  );
}

function showRows(answer) {
  const chosen = suggestedStep(answer);
  const heads = [answer.distances ? "Distance" : "Estimate", "Pairs", "Near", "Precision up to here", "Recall up to here"];
  const rows = rowsOf(answer);
  const cells = rows.map((row) => [
    element("th", { scope: "row", class: "number" }, String(stepOf(row)), stepOf(row) === chosen ? " (suggested)" : ""),
    ...[between(row), interval(row.near), interval(row.precision), interval(row.recall)].map(number),
  ]);
  $("rows").replaceChildren(table("Table of distances", heads, cells, { kind: "number", chosen: rows.findIndex((row) => stepOf(row) === chosen) }));
}

// The examples just within the suggestion, and just beyond it.
function showBorder(answer) {
  const chosen = suggestedStep(answer);
  const rows = rowsOf(answer);
  const at = rows.findIndex((row) => stepOf(row) === chosen);
  const near = rows.slice(Math.max(0, at - BORDER + 1), at + BORDER + 1).filter((row) => (row.examples ?? []).length > 0);
  $("border-why").textContent = near.length === 0 ? "There are no examples there." : "These are just within the suggestion, and just beyond it.";
  $("border").replaceChildren(
    ...near.flatMap((row) =>
      row.examples.map((pair) =>
        element(
          "section",
          {},
          element("h3", {}, `${answer.distances ? "Distance" : "Estimate"} ${stepOf(row)}, similarity ${Number(pair.similarity).toFixed(3)}`),
          shownPair(pair),
        ),
      ),
    ),
  );
}

function showAnswer(answer) {
  $("answer").hidden = false;
  showSuggestion(answer);
  showRows(answer);
  showBorder(answer);
  const chosen = answer.suggestion;
  $("curve").alt = chosen
    ? `Precision and recall by distance, with intervals. At the suggestion, ${suggestedStep(answer)}, precision is ${percent(chosen.expected.precision.estimate)} and recall ${percent(chosen.expected.recall.estimate)}.`
    : "Precision and recall by distance: nothing could be compared.";
  document.documentElement.dataset.shown = "true";
}

// A finished one has an address of its own.
async function showTask(id) {
  const answer = await ask("GET", `${ROOT}${calibrating}?task=${segment(id)}`);
  $("curve").src = `${ROOT}${calibrating}?task=${segment(id)}&format=svg`;
  showAnswer(answer);
}

$("home").href = `${ROOT}${PLUGIN}#${segment(indexName)}`;
$("index").textContent = indexName;
$("ask").append(
  requestPanel({
    method: "POST",
    path: calibrating,
    body: { sample_size: 2000, min_similarity: 0.8 },
    label: "Calibrate",
    kind: "main",
    isTask: true,
    started: (id) => {
      calibration.task = id;
    },
    done: async () => {
      const address = new URL(location.href);
      address.searchParams.set("task", calibration.task);
      history.replaceState(null, "", address);
      await showTask(calibration.task);
      return element("p", { class: "quiet" }, "Done. The address of this page keeps the answer.");
    },
  }),
);
if (calibration.task) {
  showTask(calibration.task).catch(problem);
}
document.documentElement.dataset.ready = "true";

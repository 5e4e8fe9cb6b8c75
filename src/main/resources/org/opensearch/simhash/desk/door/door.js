// SPDX-License-Identifier: Apache-2.0
// What runs, the list of indices, and the one that is chosen with its way; what has changed elsewhere is seen by itself.
"use strict";

const door = { indices: [], runs: [], schedules: [], tasks: "", chosen: null, shown: MOST_LISTED, steps: "", reading: Promise.resolve() };

// ---- what runs ----

async function showTasks() {
  const tasks = await readTasks();
  const ids = tasks.map((task) => `${task.node}:${task.id}`);
  const hasEnded = door.tasks.split(" ").some((each) => each !== "" && !ids.includes(each));
  door.tasks = ids.join(" ");
  $("running").hidden = tasks.length === 0;
  $("tasks").replaceChildren(
    ...tasks.map((task) => {
      const id = `${task.node}:${task.id}`;
      const bar = element("progress", { max: 1, "aria-label": task.description });
      const words = element("span", { class: "quiet" });
      showProgress(bar, words, task.status);
      return element("li", {}, element("p", {}, name(task.description)), element("p", { class: "row" }, bar, words, cancelling(id)));
    }),
  );
  return { isBusy: tasks.length > 0, hasEnded };
}

function when(time) {
  return new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

// Each schedule with its last result.
function showSchedules(schedules) {
  $("planned").hidden = schedules.length === 0;
  $("schedules").replaceChildren(
    ...schedules.map(({ name: its, every, index, job, next_run: next, missed_runs: missed, last_run: last }) => {
      const isGood = last?.result === "completed";
      const result = last ? element("span", { class: `tag ${isGood ? "good" : "bad"}` }, last.result) : "";
      const found = last?.groups == null ? "" : `, ${count(last.groups, "group")}`;
      const facts = [`${job.action ?? "report"} ${[].concat(index).join(", ")} every ${every}`, `next ${when(next)}`, missed > 0 ? `${count(missed, "run")} missed` : ""];
      return element(
        "li",
        {},
        element("p", {}, name(its), " ", element("span", { class: "quiet" }, facts.filter(Boolean).join(" · "))),
        last ? element("p", {}, result, ` ${when(last.ended_at ?? last.started_at)}${found}${last.error ? `: ${last.error}` : ""}`) : "",
      );
    }),
  );
}

async function watchTasks() {
  for (;;) {
    let isBusy = false;
    try {
      if (!document.hidden) {
        const seen = await showTasks();
        isBusy = seen.isBusy;
        const schedules = await readSchedules();
        if (seen.hasEnded || JSON.stringify(schedules) !== JSON.stringify(door.schedules)) {
          await refresh();
        }
      }
    } catch (e) {
      // The next look may find the node.
    }
    await pause(isBusy ? 1000 : 5000);
  }
}

// ---- the list ----

function showIndices() {
  const typed = $("find").value.trim().toLowerCase();
  const found = door.indices.filter((index) => index.name.toLowerCase().includes(typed) && (typed !== "" || !index.name.startsWith(".")));
  $("none").hidden = found.length > 0;
  $("none").textContent = door.indices.length === 0 ? "There is no index that you may see." : "No index has this in its name.";
  $("more").hidden = found.length <= door.shown;
  const focused = document.activeElement?.dataset?.name;
  const kinds = ["With fingerprints", "Without", "Groups", "Archives"];
  const kindOf = (index) => (isGroups(index) ? 2 : isArchive(index) ? 3 : hasPrints(index) ? 0 : 1);
  const listed = found.map((index) => [kindOf(index), index]).sort(([a], [b]) => a - b);
  $("indices").replaceChildren(
    ...listed.slice(0, door.shown).flatMap(([kind, index], i, all) => {
      const { text, tag } = stateOf(index);
      const isChosen = index.name === door.chosen;
      const about = [index.type === "index" ? null : index.type, index.documents === null ? null : count(index.documents, "document")].filter(Boolean).join(", ");
      const button = element("button", { type: "button", "aria-pressed": String(isChosen) }, name(index.name), element("span", { class: `tag ${tag}` }, text), element("small", {}, about));
      button.dataset.name = index.name;
      button.addEventListener("click", () => choose(index.name));
      const item = element("li", {}, button);
      return i > 0 && all[i - 1][0] === kind ? [item] : [element("li", { class: "kind" }, kinds[kind]), item];
    }),
  );
  if (focused) {
    [...$("indices").querySelectorAll("button")].find((each) => each.dataset.name === focused)?.focus();
  }
}

function choose(chosen) {
  history.pushState(null, "", `#${segment(chosen)}`);
  show(chosen);
  $("steps").focus();
}

// ---- the chosen one ----

function isOf(run, index) {
  return run.dest === destOf(index) || (run.of !== null && index.members.includes(run.of));
}

// The whole check, beside the small one of the list.
async function look(index) {
  const known = learntOf(index);
  const answer = await orElse(null, ask("GET", `${ROOT}${PLUGIN}/check/${segment(index.name)}?field=${segment(index.prints[printOf(index)])}`));
  known.check = answer ?? {};
  if (printOf(index) === "minhash") {
    // How lines are compared is known to who has seen the texts.
    known.setup ??= (await orElse(null, ask("POST", `${ROOT}${PLUGIN}/setup/${segment(index.name)}`, printed(index, "target_field"))))?.steps;
  }
  checks.set(index.name, known.check.status ?? null);
  showIndices();
}

// Shows the steps anew if something has changed: what somebody types or has opened stays otherwise. They do not tell how many
// documents there are, which changes all the time where others write.
function showSteps(ownRequests = 0) {
  const index = door.indices.find((each) => each.name === door.chosen);
  if (!index || isGroups(index) || isArchive(index)) {
    const runs = index ? door.runs.filter((run) => run.dest === index.name) : door.chosen ? [] : door.runs;
    $("list").replaceChildren(...(runs.length > 0 ? [element("li", {}, runsTable(runs))] : []));
    return false;
  }
  const known = learntOf(index);
  const runs = door.runs.filter((run) => isOf(run, index));
  const steps = JSON.stringify([{ ...index, documents: undefined }, known.check, runs, door.schedules.map((each) => each.name), known.calibration === undefined, known.found?.run, known.applied, known.setup]);
  if (steps === door.steps || underWay > ownRequests) {
    return false;
  }
  door.steps = steps;
  $("list").replaceChildren(...way(index, known, runs));
  return true;
}

function show(chosen) {
  if (chosen !== door.chosen) {
    learnt.delete(chosen);
  }
  door.chosen = chosen;
  door.steps = "";
  showIndices();
  noProblem();
  const index = door.indices.find((each) => each.name === chosen);
  $("steps-name").replaceChildren(index ? name(index.name) : chosen ? "This index is not there, or you may not see it" : "No index is chosen");
  showAbout(index);
  showSteps();
  if (index && hasPrints(index) && !isGroups(index) && !isArchive(index)) {
    look(index).then(() => index.name === door.chosen && showSteps(), problem);
  }
}

function showAbout(index) {
  if (!index) {
    return;
  }
  const parts = [index.type, stateOf(index).text, index.documents === null ? null : count(index.documents, "document")];
  $("steps-why").textContent = isArchive(index) ? "An archive of deleted documents. A run is restored from the index that they came from." : parts.filter(Boolean).join(", ");
}

// ---- together ----

// One after the other: the last one has seen what all before have.
function refresh(isOwn) {
  door.reading = door.reading.catch(() => null).then(async () => {
    const indices = await readIndices();
    [door.runs, door.schedules] = await Promise.all([readRuns(indices), readSchedules()]);
    door.indices = indices;
    showIndices();
    showSchedules(door.schedules);
    const index = indices.find((each) => each.name === door.chosen);
    showAbout(index);
    if (index && hasPrints(index) && !learntOf(index).check) {
      await look(index);
    }
    if (isOwn) {
      door.steps = "";
    }
    if (showSteps(isOwn ? 1 : 0) && isOwn) {
      (document.querySelector(".now summary") ?? document.querySelector("#list > li:last-child summary"))?.focus();
    }
    checkAll(indices, showIndices).catch(problem);
  });
  return door.reading;
}

function ofAddress() {
  return decodeURIComponent(location.hash.slice(1)) || null;
}

// What others did meanwhile: on the page of the review, in another window. Browsers tell it by two events, which are one look.
let looking = null;
function again() {
  if (document.documentElement.dataset.ready && !document.hidden) {
    looking ??= pause(100).then(() => {
      looking = null;
      return refresh();
    }).catch(problem);
  }
}

async function begin() {
  await refresh();
  show(ofAddress());
  if (door.indices.length === 0) {
    say("There is no index that you may see.");
  }
  document.documentElement.dataset.ready = "true";
}

$("find").addEventListener("input", () => {
  door.shown = MOST_LISTED;
  showIndices();
});
$("more").addEventListener("click", () => {
  door.shown += MOST_LISTED;
  showIndices();
});
addEventListener("popstate", () => show(ofAddress()));
addEventListener("focus", again);
addEventListener("pageshow", (event) => event.persisted && again());
document.addEventListener("visibilitychange", again);
begin().catch(problem);
watchTasks();

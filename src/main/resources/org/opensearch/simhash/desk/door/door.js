// SPDX-License-Identifier: Apache-2.0
// From an index to applied decisions and back: the steps of the chosen index, each with its request.
"use strict";

const door = { indices: [], runs: [], chosen: null, shown: MOST_LISTED };

// ---- what runs ----

async function showTasks() {
  const tasks = await readTasks();
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
  return tasks.length > 0;
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
      const found = last?.groups == null ? "" : `, ${many(last.groups, "group")}`;
      const facts = [`${job.action ?? "report"} ${[].concat(index).join(", ")} every ${every}`, `next ${when(next)}`, missed > 0 ? `${many(missed, "run")} missed` : ""];
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
      isBusy = document.hidden ? false : await showTasks();
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
  $("indices").replaceChildren(
    ...found.slice(0, door.shown).map((index) => {
      const { text, tag } = stateOf(index);
      const isChosen = index.name === door.chosen;
      const about = [index.type === "index" ? null : index.type, index.documents === null ? null : many(index.documents, "document")].filter(Boolean).join(", ");
      const button = element("button", { type: "button", "aria-pressed": String(isChosen) }, name(index.name), element("span", { class: `tag ${tag}` }, text), element("small", {}, about));
      button.dataset.name = index.name;
      button.addEventListener("click", () => choose(index.name));
      return element("li", {}, button);
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

// ---- the steps ----

function step(title, tag, about, isOpen, ...content) {
  const badge = tag ? element("span", { class: `tag ${tag.tag}` }, tag.text) : null;
  const details = element("details", { class: "step", open: isOpen }, element("summary", {}, element("h3", {}, title), badge), element("p", { class: "quiet" }, about), ...content);
  return element("li", {}, details);
}

function stepsTable(steps) {
  return element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": "Steps of the setup" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...["Step", "State", "Request", "Why", "Time"].map((head) => element("th", { scope: "col" }, head)))),
      element(
        "tbody",
        {},
        ...steps.map((each) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, each.what),
            element("td", {}, element("span", { class: `tag ${each.done ? "good" : ""}` }, each.done ? "done" : "to do")),
            element("td", {}, each.body ? element("details", {}, element("summary", {}, each.request), element("pre", {}, JSON.stringify(each.body, null, 2))) : (each.request ?? "")),
            element("td", {}, each.why),
            element("td", {}, each.seconds > 0 ? took(each.seconds) : ""),
          ),
        ),
      ),
    ),
  );
}

// A mend is one request or several, or words.
function mends(mend) {
  const requests = mend.split("\n\n").map((part) => /^(GET|PUT|POST|DELETE) (\S+)\n?([^]*)$/.exec(part));
  if (requests.some((request) => request === null)) {
    return [element("p", {}, mend)];
  }
  return requests.map(([, method, path, body]) => requestPanel({ method, path, body: body ? JSON.parse(body) : null, label: "Mend" }));
}

function findings(check) {
  const worst = check.status === "ok" ? "good" : check.status === "error" ? "bad" : "warn";
  return element(
    "div",
    {},
    element(
      "p",
      {},
      element("span", { class: `tag ${worst}` }, check.status),
      ` ${many(check.documents, "document")}: ${check.fingerprinted.toLocaleString("en")} with a fingerprint, ${check.too_short.toLocaleString("en")} too short, ${check.without.toLocaleString("en")} without`,
    ),
    ...check.findings.map((finding) =>
      element("div", {}, element("p", { class: `note ${finding.severity === "error" ? "bad" : "warn"}` }, finding.message), ...mends(finding.mend)),
    ),
  );
}

// The options of a setup, and what it would do. Sends the dry run at once, which only reads.
function setupStep(index, isOpen) {
  const field = element("input", { id: "setup-field", autocomplete: "off", placeholder: "found in a sample" });
  const sketch = element("select", { id: "setup-sketch" }, element("option", { value: "simhash" }, "fingerprints"), element("option", { value: "minhash" }, "sketches, for looser likeness"), element("option", { value: "passages" }, "passages in common"));
  const planned = element("div", {});
  const look = element("button", { type: "button" }, "Show the steps");
  const path = `${PLUGIN}/setup/${segment(index.name)}`;
  const options = () => {
    const fields = field.value.split(",").map((each) => each.trim()).filter(Boolean);
    return {
      ...(fields.length === 0 ? {} : { field: fields.length === 1 ? fields[0] : fields }),
      ...(sketch.value === "simhash" ? {} : { sketch: sketch.value }),
    };
  };
  async function plan() {
    planned.replaceChildren(element("p", { class: "quiet" }, "Looking at a sample …"));
    try {
      const answer = await ask("POST", `${ROOT}${path}`, options());
      const isDone = answer.steps.slice(0, -4).every((each) => each.done);
      const apply = requestPanel({
        method: "POST",
        path,
        body: { ...options(), apply: true },
        label: isDone ? "Do it again" : "Set up",
        kind: "main",
        isTask: true,
        done: async (done) => {
          await refresh();
          const failed = done.steps.find((each) => each.failures);
          return element("div", {}, failed ? element("p", { class: "note bad" }, failed.failures.join("\n")) : null, findings(done.check), stepsTable(done.steps));
        },
      });
      planned.replaceChildren(
        element("p", {}, "The text is ", element("strong", {}, name([answer.field].flat().join(", "))), `: ${answer.why}.`),
        ...(answer.example ? [element("p", {}, "One text as it is: ", element("q", {}, answer.example.before)), element("p", {}, "As people read it: ", element("q", {}, answer.example.after))] : []),
        isDone ? element("p", { class: "note" }, "All of it is done.") : "",
        apply,
        stepsTable(answer.steps),
      );
      say(isDone ? "The index is set up." : "The steps of the setup are shown.");
    } catch (error) {
      planned.replaceChildren(element("p", { class: "note bad" }, error.message));
      say(error.message);
    }
  }
  look.addEventListener("click", plan);
  const made = step(
    "Set up",
    hasPrints(index) ? { text: "done", tag: "good" } : { text: "to do", tag: "warn" },
    "Maps the fingerprint, joins a pipeline that makes it, and runs the stored documents through it. Searches and writes go on.",
    isOpen,
    element("p", { class: "row" }, element("label", {}, "Text field ", field), element("label", {}, "Make ", sketch), look),
    planned,
  );
  made.plan = plan;
  return made;
}

function checkStep(index, isOpen) {
  const print = index.prints[printOf(index)];
  const field = print === "simhash" ? "" : `?field=${segment(print)}`;
  const path = `${PLUGIN}/check/${segment(index.name)}${field}`;
  const done = (check) => {
    checks.set(index.name, check.status);
    showIndices();
    return findings(check);
  };
  const panel = requestPanel({ method: "GET", path, label: "Check", done });
  const made = step("Check", null, "Says what is wrong, and how to mend it. Only reads.", isOpen, panel);
  made.plan = () => panel.run().catch(problem);
  return made;
}

function calibrateStep(index) {
  const path = `${PLUGIN}/calibrate/${segment(index.name)}?format=html`;
  const link = element("a", { class: "button", href: `${ROOT}${path}` }, "Open the calibration");
  return step("Calibrate", null, "How near is near enough for these texts? Precision, recall and examples by distance. Only reads.", false, element("p", {}, link));
}

function destOf(index) {
  return `groups-${bare(index)}`;
}

// An alias may have capitals, an index may not.
function bare(index) {
  return index.name.replace(/^[-._+]+/, "").toLowerCase();
}

function jobStep(index, runs) {
  const print = printOf(index) ?? "minhash";
  const sketch = { ...(print === "simhash" ? {} : { sketch: print }), ...(index.prints[print] === print ? {} : { field: index.prints[print] }) };
  const verify = print === "passages" ? {} : { verify: {} };
  const panel = requestPanel({
    method: "POST",
    path: `${PLUGIN}/deduplicate/${segment(index.name)}`,
    body: { ...sketch, ...verify, dest: { index: destOf(index) } },
    label: "Find groups",
    kind: "main",
    isTask: true,
    done: async (answer) => {
      await refresh();
      const page = answer.page ? element("a", { class: "button", href: `${ROOT}${answer.page}` }, "Review them") : null;
      const warnings = (answer.warnings ?? []).map((warning) => element("p", { class: "note warn" }, warning));
      return element("div", {}, element("p", {}, `${many(answer.groups, "group")} with ${many(answer.duplicates, "duplicate")}. `, page), ...warnings);
    },
  });
  return step(
    "Find groups",
    runs.length > 0 ? { text: many(runs.length, "run"), tag: "good" } : null,
    "Finds the groups of near-duplicates in the whole index, and writes them into an index of groups. Changes no document.",
    runs.length === 0,
    panel,
  );
}

function reviewStep(runs) {
  const rows = runs.slice(0, 20).map((run) => {
    const open = run.groups - run.accepted - run.rejected - run.skipped;
    const at = when(run.run_at);
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, at, " ", element("small", {}, name(run.dest))),
      element("td", { class: "number" }, run.groups.toLocaleString("en")),
      element("td", { class: "number" }, run.accepted.toLocaleString("en")),
      element("td", { class: "number" }, run.rejected.toLocaleString("en")),
      element("td", { class: "number" }, open.toLocaleString("en")),
      element("td", {}, run.applied_action ?? "no"),
      element("td", {}, element("a", { href: `${ROOT}${PLUGIN}/review/${segment(run.dest)}?run=${segment(run.run)}`, "aria-label": `Review the run of ${at}` }, "Review")),
    );
  });
  const table = element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": "Runs" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...["Run", "Groups", "Accepted", "Rejected", "To decide", "Applied", ""].map((head, i) => element(i === 6 ? "td" : "th", i === 6 ? {} : { scope: "col", class: i > 0 && i < 5 ? "number" : null }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
  return step("Review", null, "People decide about each group.", true, table);
}

function applyStep(index, run) {
  const archive = { index: `removed-${bare(index)}` };
  const path = `${PLUGIN}/deduplicate/${segment(index.name)}/apply`;
  const body = (action) => ({ dest: { index: run.dest }, run: run.run, action, ...(action === "delete" ? { archive } : {}) });
  const place = element("div", {});
  const action = element("select", {}, element("option", { value: "tag" }, "tag duplicates with their survivor"), element("option", { value: "delete" }, "delete duplicates, with a copy in an archive"));
  const shown = (answer) => {
    refresh().catch(problem);
    const failures = (answer.failures ?? []).map((each) => element("p", { class: "note bad" }, `${each.id ?? ""} ${each.reason ?? ""}`));
    const warnings = (answer.warnings ?? []).map((warning) => element("p", { class: "note warn" }, warning));
    const counts = ["groups", "tagged", "archived", "deleted", "restored", "cleared"].filter((each) => answer[each] > 0).map((each) => `${answer[each].toLocaleString("en")} ${each}`);
    return element("div", {}, element("p", {}, counts.length > 0 ? `Done: ${counts.join(", ")}.` : "Nothing was to be done."), ...warnings, ...failures);
  };
  const fill = () =>
    place.replaceChildren(
      requestPanel({ method: "POST", path, body: body(action.value), label: action.value === "delete" ? "Delete what was accepted" : "Tag what was accepted", kind: action.value === "delete" ? "danger" : "main", isTask: true, done: shown }),
    );
  action.addEventListener("change", fill);
  fill();
  const undo = element(
    "div",
    {},
    element("h3", {}, "The way back"),
    requestPanel({ method: "POST", path: `${PLUGIN}/deduplicate/${segment(index.name)}/untag`, body: {}, label: "Remove all tags", isTask: true, done: shown }),
    requestPanel({ method: "POST", path: `${PLUGIN}/deduplicate/${segment(index.name)}/restore`, body: { run: run.run, archive }, label: "Restore what was deleted", isTask: true, done: shown }),
  );
  return step("Apply, and undo", run.applied_action ? { text: run.applied_action, tag: "good" } : null, "Does what was accepted in the newest run.", run.accepted > 0 && !run.applied_action, element("p", {}, element("label", {}, "Do ", action)), place, undo);
}

function isOf(run, index) {
  return run.dest === destOf(index) || (run.of !== null && index.members.includes(run.of));
}

function show(chosen) {
  door.chosen = chosen;
  showIndices();
  const index = door.indices.find((each) => each.name === chosen);
  noProblem();
  if (!index) {
    $("steps-name").textContent = chosen ? "This index is not there, or you may not see it" : "No index is chosen";
    $("list").replaceChildren(...(!chosen && door.runs.length > 0 ? [reviewStep(door.runs)] : []));
    return;
  }
  const { text } = stateOf(index);
  $("steps-name").replaceChildren(name(index.name));
  $("steps-why").textContent = [index.type, text, index.documents === null ? null : many(index.documents, "document")].filter(Boolean).join(", ");
  if (isGroups(index)) {
    $("list").replaceChildren(reviewStep(door.runs.filter((run) => run.dest === index.name)));
    return;
  }
  if (isArchive(index)) {
    $("steps-why").textContent = "An archive of deleted documents. A run is restored from the index that they came from.";
    $("list").replaceChildren();
    return;
  }
  const runs = door.runs.filter((run) => isOf(run, index));
  const setup = setupStep(index, !hasPrints(index));
  const steps = [setup];
  if (hasPrints(index)) {
    const check = checkStep(index, true);
    steps.push(check, ...(printOf(index) === "passages" ? [] : [calibrateStep(index)]), jobStep(index, runs));
    if (runs.length > 0) {
      steps.push(reviewStep(runs), applyStep(index, runs[0]));
    }
    check.plan();
  } else {
    setup.plan();
  }
  $("list").replaceChildren(...steps);
}

// ---- together ----

// Keeps the steps that are open: only the list and the runs are new.
async function refresh() {
  door.indices = await readIndices();
  door.runs = await readRuns(door.indices);
  showIndices();
  showSchedules(await readSchedules());
  checkAll(door.indices, showIndices).catch(problem);
}

function ofAddress() {
  return decodeURIComponent(location.hash.slice(1)) || null;
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
$("again").addEventListener("click", () => {
  checks.clear();
  begin().catch(problem);
});
addEventListener("popstate", () => show(ofAddress()));
begin().catch(problem);
watchTasks();

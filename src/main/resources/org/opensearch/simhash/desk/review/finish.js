// SPDX-License-Identifier: Apache-2.0
// The end: what was decided becomes the request that carries it out, and the ones that take it back.
"use strict";

const APPLY_PAUSE = 400;
// Servers take 4,096 bytes.
const MOST_PATH = 3500;
const WAY_BACK = ["untag", "restore"];

function showEnd() {
  const run = runNow();
  const none = $("none");
  none.replaceChildren();
  if (run === undefined || run.groups === 0) {
    none.append(element("h2", {}, "There is no group here"), element("p", {}, "The job found no near-duplicates, or its groups are gone."));
    say("There is no group here.");
    return;
  }
  const open = run.groups - run.accepted - run.rejected - run.skipped;
  const isFiltered = FILTERS.slice(1).some((id) => $(id).value.trim() !== "");
  none.append(
    element("h2", {}, open > 0 || isFiltered ? "No group is left of those that you asked for" : "All groups are decided"),
    element("p", {}, `${count(run.accepted, "group")} accepted, ${run.rejected.toLocaleString("en")} rejected, ${run.skipped.toLocaleString("en")} for later, ${open.toLocaleString("en")} to decide.`),
  );
  none.append(bars([["accepted", run.accepted], ["rejected", run.rejected], ["for later", run.skipped], ["to decide", open]], run.groups));
  const apply = element("button", { type: "button", class: "main", id: "end-apply", click: () => openFinish().catch(problem) }, "Apply what was decided …");
  none.append(element("p", {}, apply));
  if (!isField(document.activeElement)) {
    apply.focus();
  }
  say(`${none.firstChild.textContent}. ${none.children[1].textContent}`);
}

// A picture of what the sentence says.
function bars(counts, all) {
  const picture = element("div", { class: "counts", "aria-hidden": "true" });
  for (const [what, number] of counts) {
    const bar = element("i");
    bar.style.width = `${(100 * number) / Math.max(1, all)}%`;
    picture.append(element("span", {}, what), element("span", { class: "track" }, bar), element("b", {}, number.toLocaleString("en")));
  }
  return picture;
}

// ---- requests ----

const finish = { indices: [] };

function list(id) {
  return $(id)
    .value.split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

// What all names begin with stands for them where they make too long a line.
function pathOf(indices) {
  const all = names(indices);
  if (all.length <= MOST_PATH) {
    return all;
  }
  const streams = [...new Set(indices.map((index) => index.replace(/^\.ds-(.+)-\d{6,}$/, "$1")))];
  const common = [...streams[0]];
  while (!streams.every((name) => name.startsWith(common.join("")))) {
    common.pop();
  }
  return streams.length === 1 ? names(streams) : `${encodeURIComponent(common.join(""))}*`;
}

function requestOf(which) {
  const path = `/_plugins/_simhash/deduplicate/${pathOf(finish.indices)}/${which}`;
  const archive = $("archive").value.trim();
  const kept = runNow()?.applied_archive ?? archive;
  if (which === "untag") {
    const field = page.answer.field;
    return { path, body: { ...(field === "simhash" ? {} : { field }), dest: { index: decodeURIComponent(server.dest) }, run: page.run } };
  }
  if (which === "restore") {
    return { path, body: { run: page.run, archive: { index: kept } } };
  }
  const body = { dest: { index: decodeURIComponent(server.dest) }, run: page.run, action: $("action").value };
  if ($("only").checked) {
    body.only = "not_rejected";
  }
  if (list("merge").length > 0) {
    body.merge = list("merge");
  }
  if (body.action === "delete" || body.merge) {
    body.archive = archive === "" ? false : { index: archive };
  }
  return { path, body };
}

function showRequests() {
  const run = runNow();
  const isKept = $("archive").value.trim() !== "";
  const copies = $("action").value === "delete" || list("merge").length > 0;
  $("archive-label").hidden = !copies;
  $("finish-warning").textContent = !copies || isKept ? "" : "Without an archive nothing brings back what is deleted.";
  const open = run.groups - run.accepted - run.rejected - run.skipped;
  const also = $("only").checked ? open + run.skipped : 0;
  $("finish-what").textContent =
    `${count(run.accepted + also, "group")} of ${run.groups.toLocaleString("en")}: ${run.accepted.toLocaleString("en")} accepted` +
    `${also > 0 ? ` and ${also.toLocaleString("en")} that nobody has rejected` : ""}. ` +
    ($("action").value === "tag" ? "Duplicates get the id of their survivor; no document goes." : "Duplicates are deleted, survivors stay.");
  for (const which of ["apply", ...WAY_BACK]) {
    const { path, body } = requestOf(which);
    $(`${which}-request`).textContent = `POST ${path}\n${JSON.stringify(body, null, 2)}`;
  }
  $("restore-part").hidden = !copies || !isKept;
  $("untag-part").hidden = $("action").value !== "tag";
}

async function openFinish() {
  finish.indices = await server.indices(page.run);
  if (finish.indices.length === 0) {
    finish.indices = Object.keys(page.answer.uuids ?? {});
  }
  if ($("archive").value === "") {
    $("archive").value = `removed-${decodeURIComponent(server.dest).replace(/^groups-/, "")}`;
  }
  for (const which of ["apply", ...WAY_BACK]) {
    $(`${which}-answer`).replaceChildren();
  }
  showRequests();
  $("finish-dialog").showModal();
}

async function copy(which) {
  const text = $(`${which}-request`).textContent;
  try {
    await navigator.clipboard.writeText(text);
    $(`${which}-answer`).textContent = "Copied.";
  } catch (e) {
    // Without a secure connection browsers have no clipboard.
    getSelection().selectAllChildren($(`${which}-request`));
    $(`${which}-answer`).textContent = "Selected: copy it with the keyboard.";
  }
}

// Tags are not taken away without a question that says how many.
async function askFirst(which) {
  const shown = $(`${which}-answer`);
  try {
    const question = await server.sureToUntag(page.run);
    const yes = element("button", { type: "button", class: "danger", id: `${which}-yes`, click: () => sendIt(which) }, "Yes, untag");
    const no = element("button", { type: "button", click: () => (shown.replaceChildren(), $(`${which}-send`).focus()) }, "No");
    shown.replaceChildren(element("p", {}, question), element("p", { class: "row" }, yes, no));
    no.focus();
  } catch (error) {
    shown.replaceChildren(element("p", { class: "note bad" }, error.message));
  }
}

// Starts it as a task, and shows its progress and its answer.
async function sendIt(which) {
  const shown = $(`${which}-answer`);
  const buttons = [...$("finish-dialog").querySelectorAll("button.send")];
  buttons.forEach((each) => (each.disabled = true));
  try {
    await refreshed();
    const { path, body } = requestOf(which);
    shown.textContent = "Sent …";
    const { task } = await server.start(ROOT + path, body);
    let state;
    do {
      await new Promise((resolve) => setTimeout(resolve, APPLY_PAUSE));
      state = await server.task(task);
      const { phase, percent, written } = state.task?.status ?? {};
      shown.textContent = `Running: ${[phase, percent === undefined ? "" : `${Math.round(percent)} %`, written === undefined ? "" : `${written} written`].filter(Boolean).join(", ")}`;
    } while (!state.completed);
    showAnswer(shown, state.response, state.error);
    await refreshed();
    page.writing = page.writing.then(start);
    await page.writing;
  } catch (error) {
    shown.replaceChildren(element("p", { class: "note bad" }, error.message));
  } finally {
    buttons.forEach((each) => (each.disabled = false));
  }
}

// Numbers that say something, then warnings and failures.
function showAnswer(shown, response, error) {
  shown.replaceChildren();
  if (error || response === undefined) {
    shown.append(element("p", { class: "note bad" }, reason({ error }) || "There is no answer."));
    return;
  }
  const numbers = element("dl");
  for (const [name, value] of Object.entries(response)) {
    if (typeof value === "number" && value !== 0) {
      numbers.append(element("dt", {}, name), element("dd", {}, name === "took" ? `${value.toLocaleString("en")} ms` : value.toLocaleString("en")));
    }
  }
  shown.append(element("p", {}, element("span", { class: "tag good" }, "Done.")), numbers);
  for (const [color, notes] of [
    ["warn", response.warnings],
    ["bad", response.failures],
  ]) {
    for (const each of (notes ?? []).slice(0, 20)) {
      const note = element("p", { class: `note ${color}` });
      appendText(note, shownNote(each), INVISIBLE);
      shown.append(note);
    }
  }
}

function shownNote(note) {
  return typeof note === "string" ? note : JSON.stringify(note);
}

$("finish-form").addEventListener("input", showRequests);
for (const which of ["apply", ...WAY_BACK]) {
  $(`${which}-copy`).addEventListener("click", () => copy(which));
  $(`${which}-send`).addEventListener("click", () => (which === "untag" ? askFirst(which) : sendIt(which)));
}

// SPDX-License-Identifier: Apache-2.0
// The way of one index: six steps. Those that are done are one line, the next one is open, and its result opens the one after it.
"use strict";

// What this page has learnt of an index since it was opened: its check, setup, calibration, and the last result.
const learnt = new Map();

function learntOf(index) {
  if (!learnt.has(index.name)) {
    learnt.set(index.name, {});
  }
  return learnt.get(index.name);
}

// What a step has found, shown in the one that it opens.
async function next(index, news) {
  Object.assign(learntOf(index), news, { newsAt: undefined });
  await refresh(true);
}

// A mend is one request or several, or words.
function mends(index, mend) {
  const requests = mend.split("\n\n").map((part) => /^(GET|PUT|POST|DELETE) (\S+)\n?([^]*)$/.exec(part));
  if (requests.some((request) => request === null)) {
    return [element("p", {}, mend)];
  }
  const done = async () => {
    checks.delete(index.name);
    await next(index, { check: null, news: [element("p", {}, "The mend is sent.")] });
  };
  return requests.map(([, method, path, body]) => requestPanel({ method, path, body: body ? JSON.parse(body) : null, label: "Mend", done }));
}

function counted(check) {
  return `${count(check.documents, "document")}: ${check.fingerprinted.toLocaleString("en")} with a fingerprint, ${check.too_short.toLocaleString("en")} too short, ${check.without.toLocaleString("en")} without`;
}

// What a setup has said of a later step, which knows the texts; undefined if this page has asked none.
const plannedOf = (known, what) => known.setup?.find((each) => each.what === what)?.body;

// Which prints an index has, as requests say it: nothing for the usual ones.
function printed(index, option = "field") {
  const print = printOf(index) ?? "minhash";
  const at = index.prints[print];
  return { ...(print === "simhash" ? {} : { sketch: print }), ...(at === undefined || at === print ? {} : { [option]: at }) };
}

// The steps of the setup with their states: one table, before and after.
function stepsTable(steps) {
  const rows = steps.map((each) => [
    element("th", { scope: "row" }, each.what),
    cell(element("span", { class: `tag ${each.done ? "good" : ""}` }, each.done ? "done" : "to do")),
    cell(each.body ? element("details", {}, element("summary", {}, each.request), element("pre", {}, JSON.stringify(each.body, null, 2))) : (each.request ?? "")),
    cell(each.why),
    cell(each.seconds > 0 ? took(each.seconds) : ""),
  ]);
  return table("Steps of the setup", ["Step", "State", "Request", "Why", "Time"], rows);
}

// What the setup would do is asked as soon as the step is seen: that only reads.
function setupStep(index, known) {
  const isThere = hasPrints(index);
  const field = element("input", { id: "setup-field", autocomplete: "off", placeholder: "found in a sample" });
  const sketch = element("select", { id: "setup-sketch" }, ...[["simhash", "fingerprints"], ["minhash", "sketches, for looser likeness"], ["passages", "passages in common"]].map(([value, text]) => element("option", { value }, text)));
  sketch.value = printOf(index) ?? "simhash";
  const planned = element("div", {});
  const path = `${PLUGIN}/setup/${segment(index.name)}`;
  const options = () => {
    const fields = field.value.split(",").map((each) => each.trim()).filter(Boolean);
    return {
      ...(fields.length === 0 ? {} : { field: fields.length === 1 ? fields[0] : fields }),
      ...(sketch.value === printOf(index) ? printed(index, "target_field") : sketch.value === "simhash" ? {} : { sketch: sketch.value }),
    };
  };
  const done = async (answer) => {
    const failed = answer.steps.flatMap((each) => each.failures ?? []);
    checks.delete(index.name);
    await next(index, { setup: answer.steps, check: answer.check, news: [element("p", {}, `${counted(answer.check)}.`), ...failed.map((each) => note("bad", each))] });
  };
  const panel = (body, label, kind) => requestPanel({ method: "POST", path, body: { ...body, apply: true }, label, kind, isTask: true, done });
  // What suits lines better than the usual way.
  const proposed = ({ why, setup }) => [note("warn", `A better way for these texts: ${why}.`), panel(setup, "Set up for short texts", "main")];
  async function plan() {
    planned.replaceChildren(element("p", { class: "quiet" }, "Looking at a sample …"));
    try {
      const answer = await ask("POST", `${ROOT}${path}`, options());
      const { proposal } = answer;
      const isDone = answer.steps.filter((each) => !["check", "calibrate", "job", "page"].includes(each.what)).every((each) => each.done);
      planned.replaceChildren(
        element("p", {}, "The text is ", element("strong", {}, name([answer.field].flat().join(", "))), `: ${answer.why}.`),
        ...(answer.example ? [element("p", {}, "One text as it is: ", element("q", {}, answer.example.before)), element("p", {}, "As people read it: ", element("q", {}, answer.example.after))] : []),
        ...(proposal ? proposed(proposal) : []),
        panel(options(), isDone ? "Do it again" : "Set up", isDone || proposal ? "" : "main"),
        stepsTable(answer.steps),
      );
      say(isDone ? "The index is set up." : "The steps of the setup are shown.");
    } catch (error) {
      planned.replaceChildren(note("bad", error.message));
      say(error.message);
    }
  }
  field.addEventListener("change", plan);
  sketch.addEventListener("change", plan);
  if (known.setup) {
    planned.replaceChildren(stepsTable(known.setup));
  }
  const findings = (known.check?.findings ?? []).flatMap((finding) => [note(finding.severity === "error" ? "bad" : "warn", finding.message), ...mends(index, finding.mend)]);
  const isBroken = known.check?.status === "error";
  return {
    title: "Set up",
    isDone: isThere && !isBroken,
    tag: isBroken ? { text: "to mend", tag: "bad" } : findings.length > 0 ? { text: "see inside", tag: "warn" } : null,
    line: !isThere ? "a fingerprint for each document, now and from now on" : known.check?.status ? counted(known.check) : "the documents have fingerprints",
    about: isBroken ? "What is wrong, and how to mend it." : "Maps the fingerprint, joins a pipeline that makes it, and runs the stored documents through it. Searches and writes go on.",
    content: [...findings, ...(isBroken ? [] : [element("p", { class: "row" }, element("label", {}, "Text field ", field), element("label", {}, "Make ", sketch)), planned])],
    opened: () => (isBroken || planned.querySelector(".request") ? null : plan()),
  };
}

function calibrateStep(index, known, runs) {
  const path = `${PLUGIN}/calibrate/${segment(index.name)}`;
  const isNeeded = printOf(index) !== "passages";
  const found = () => inWords(known.calibration) ?? (isNeeded ? "how near is near enough for these texts" : "passages need none");
  const said = (known.said ??= []);
  const body = { sample_size: 2000, min_similarity: 0.8, judged: [], ...(plannedOf(known, "calibrate") ?? printed(index)) };
  const shown = element("div", {});
  let task;
  function show(answer) {
    shown.replaceChildren(
      element("p", {}, answer.suggestion ? answer.suggestion.why : "Nothing could be compared, so that the usual distance is as good as any."),
      ...notes(answer),
      ...(answer.suggestion ? [element("figure", {}, element("img", { src: `${ROOT}${path}?task=${segment(task)}&format=svg`, width: 760, height: 420, alt: `Precision and recall by distance. ${answer.suggestion.why}` }))] : []),
      element("p", {}, element("a", { href: `${ROOT}${path}?format=html&task=${segment(task)}` }, "All distances, and pairs at the border")),
    );
  }
  // What follows from each answer is in the next request, too.
  function calibrated(answer, id) {
    task = id;
    known.calibration = answer;
    show(answer);
    known.line.textContent = found();
    known.jobPanel?.(jobOf(index, known));
  }
  const done = (answer, sent) => {
    show(answer);
    return next(index, { calibration: answer, news: [shown, ...judging({ answer, said, path, body: sent, calibrated })] });
  };
  return {
    title: "Calibrate",
    isDone: !isNeeded || known.calibration !== undefined || runs.length > 0,
    line: (known.line = element("span", {}, found())),
    about: "Compares the texts of some pairs at each distance, and says how many near-duplicates are found and how many of those are right. Only reads.",
    content: isNeeded ? [requestPanel({ method: "POST", path, body, label: "Calibrate", kind: "main", isTask: true, started: (id) => (task = id), done })] : [],
  };
}

// An alias may have capitals, an index may not.
function bare(index) {
  return index.name.replace(/^[-._+]+|-+$/g, "").toLowerCase();
}

const destOf = (index) => `groups-${bare(index)}`;

// What was calibrated, else what the setup has said, else what is usual for what the documents have.
function jobOf(index, known) {
  const [, path, text] = /^POST (\S+)\n([^]*)$/.exec(known.calibration?.suggestion?.next ?? "") ?? [];
  if (path) {
    return JSON.parse(text);
  }
  return plannedOf(known, "job") ?? { ...printed(index), ...(printOf(index) === "passages" ? {} : { verify: {} }), dest: { index: destOf(index) } };
}

function groupsStep(index, known, runs) {
  const [run] = runs;
  const isNone = known.found?.groups === 0;
  const done = (answer) =>
    next(index, {
      found: answer,
      news: [element("p", {}, `${count(answer.groups, "group")} with ${count(answer.duplicates, "duplicate")}.`), ...notes(answer)],
    });
  return {
    title: "Find groups",
    isDone: run !== undefined || isNone,
    line: run ? `${count(run.groups, "group")} in ${run.dest}, ${when(run.run_at)}` : isNone ? "no near-duplicates were found" : `written into ${destOf(index)}; no document is changed`,
    about: "Finds the groups of near-duplicates in the whole index, and writes them into an index of groups. Changes no document.",
    content: [requestPanel({ method: "POST", path: `${PLUGIN}/deduplicate/${segment(index.name)}`, body: jobOf(index, known), label: "Find groups", kind: "main", isTask: true, done, changing: (change) => (known.jobPanel = change) })],
  };
}

const toDecide = (run) => run.groups - run.accepted - run.rejected - run.skipped;

function what(run) {
  return run.restored_at ? `restored, ${when(run.restored_at)}` : run.applied_action ? `${run.applied_action}, ${when(run.applied_at)}` : "no";
}

function runsTable(runs) {
  const rows = runs.slice(0, 20).map((run) => {
    const at = when(run.run_at);
    const link = element("a", { href: `${ROOT}${PLUGIN}/review/${segment(run.dest)}?run=${segment(run.run)}`, "aria-label": `Review the run of ${at}` }, "Review");
    return [element("th", { scope: "row" }, at, " ", element("small", {}, name(run.dest))), ...[run.groups, run.accepted, run.rejected, toDecide(run)].map(number), cell(what(run)), cell(link)];
  });
  return table("Runs", ["Run", "Groups", "Accepted", "Rejected", "To decide", "Applied", ""], rows);
}

function reviewStep(index, known, runs) {
  const [run] = runs;
  const isNone = run === undefined && known.found?.groups === 0;
  return {
    title: "Review",
    isDone: isNone || (run !== undefined && toDecide(run) <= 0),
    line: run ? `${run.accepted.toLocaleString("en")} accepted, ${run.rejected.toLocaleString("en")} rejected, ${toDecide(run).toLocaleString("en")} to decide` : isNone ? "nothing to decide" : "people decide about each group",
    about: "People read the texts of each group side by side, with their differences marked, and decide.",
    content: run ? [element("p", {}, element("a", { class: "button main", href: `${ROOT}${PLUGIN}/review/${segment(run.dest)}?run=${segment(run.run)}` }, "Review them")), runsTable(runs)] : [],
  };
}

function applyStep(index, known, runs) {
  const [run] = runs;
  const step = { title: "Apply", line: "tag, or delete into an archive; the way back stays here", about: "Does what was accepted in the newest run.", content: [] };
  if (run === undefined) {
    return { ...step, isDone: known.found?.groups === 0 };
  }
  const job = `${PLUGIN}/deduplicate/${segment(index.name)}`;
  const archive = { index: `removed-${bare(index)}` };
  const done = async (answer) => {
    // What it has noted of the groups is seen by searches from then on.
    await orElse(null, ask("POST", `${ROOT}/${segment(run.dest)}/_refresh`));
    const counts = ["groups", "tagged", "archived", "deleted", "restored", "cleared"].filter((each) => answer[each] > 0).map((each) => `${answer[each].toLocaleString("en")} ${each}`);
    return next(index, { applied: run.run, news: [element("p", {}, counts.length > 0 ? `Done: ${counts.join(", ")}.` : "Nothing was to be done."), ...notes(answer)] });
  };
  const action = element("select", {}, element("option", { value: "tag" }, "tag duplicates with their survivor"), element("option", { value: "delete" }, "delete duplicates, with a copy in an archive"));
  const place = element("div", {});
  const fill = () => {
    const deletes = action.value === "delete";
    const body = { dest: { index: run.dest }, run: run.run, action: action.value, ...(deletes ? { archive } : {}) };
    place.replaceChildren(requestPanel({ method: "POST", path: `${job}/apply`, body, label: deletes ? "Delete what was accepted" : "Tag what was accepted", kind: deletes ? "danger" : "main", isTask: true, done }));
  };
  action.addEventListener("change", fill);
  fill();
  const back = {
    tag: () => requestPanel({ method: "POST", path: `${job}/untag`, body: { dest: { index: run.dest }, run: run.run }, label: "Remove the tags", isTask: true, done, sure: () => server.sureToUntag(run.run, segment(run.dest)) }),
    delete: () => requestPanel({ method: "POST", path: `${job}/restore`, body: { run: run.run, archive: run.applied_archive ? { index: run.applied_archive } : archive }, label: "Restore what was deleted", isTask: true, done }),
  }[run.applied_action];
  return {
    ...step,
    isDone: Boolean(run.applied_action) || known.applied === run.run || (toDecide(run) <= 0 && run.accepted === 0),
    line: run.applied_action ? what(run) : run.accepted > 0 || toDecide(run) > 0 ? step.line : "nothing was accepted",
    content: [element("p", {}, element("label", {}, "Do ", action)), place, ...(back ? [element("h4", {}, "The way back"), back()] : [])],
  };
}

function keepStep(index, known, runs) {
  const planned = door.schedules.filter((each) => [each.index].flat().includes(index.name));
  const path = `${PLUGIN}/schedules/${segment(`${bare(index)}-daily`)}`;
  const job = { ...jobOf(index, known), ...(runs.length > 0 ? { dest: { index: runs[0].dest } } : {}) };
  const done = () => next(index, { news: [] });
  // As near as groups are.
  const near = Object.fromEntries(["max_distance", "min_similarity", "verify"].filter((each) => each in job).map((each) => [each, job[each]]));
  const catching = requestPanel({ method: "POST", path: `${PLUGIN}/setup/${segment(index.name)}`, body: { ...printed(index, "target_field"), near_duplicate: near, apply: true }, label: "Catch them at their arrival", isTask: true, done: (answer) => next(index, { setup: answer.steps, check: answer.check, news: [] }) });
  return {
    title: "Keep it so",
    isDone: planned.length > 0,
    line: planned.length > 0 ? planned.map((each) => `${each.name}, every ${each.every}`).join("; ") : "a schedule for what is new; duplicates caught while they are indexed",
    about: "A schedule finds the groups of what is new, for people to decide. Or a second processor of the pipeline looks for a near-duplicate of each new document, and tags it.",
    content: [
      requestPanel({ method: "PUT", path, body: { every: "1d", index: index.name, ...job, new_since: "last" }, label: "Look every day", kind: "main", done }),
      ...(printOf(index) === "passages" ? [] : [element("details", {}, element("summary", {}, "While they are indexed"), catching)]),
    ],
  };
}

// The steps as a list; the one that is next is open, with what the last one has found.
function way(index, known, runs) {
  const steps = [setupStep(index, known), ...[calibrateStep, groupsStep, reviewStep, applyStep, keepStep].map((each) => each(index, known, runs))];
  const at = steps.findIndex((each) => !each.isDone);
  const shown = at < 0 ? steps.length - 1 : at;
  known.newsAt ??= shown;
  return steps.map((each, i) => {
    const state = i === at ? "now" : each.isDone ? "done" : "later";
    const isBeyond = !hasPrints(index) && i > 0;
    const badge = each.tag ? element("span", { class: `tag ${each.tag.tag}` }, each.tag.text) : null;
    const news = i === shown && known.newsAt === i ? (known.news ?? []) : [];
    const details = element(
      "details",
      { class: "step", open: i === shown && (i === at || known.news !== undefined) },
      element("summary", {}, element("h3", {}, each.title), " ", element("span", { class: "quiet" }, name(each.line)), badge, element("span", { class: "unseen" }, { now: ", next", done: ", done", later: "" }[state])),
      ...news,
      element("p", { class: "quiet" }, each.about),
      ...(isBeyond ? [] : each.content),
    );
    details.addEventListener("toggle", () => details.open && each.opened?.());
    return element("li", { class: state }, element("span", { class: "place", "aria-hidden": "true" }, state === "done" ? "✓" : String(i + 1)), details);
  });
}

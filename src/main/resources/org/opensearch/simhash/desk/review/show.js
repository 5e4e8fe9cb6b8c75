// SPDX-License-Identifier: Apache-2.0
// Draws a group: what is decided, and the parts that members.js and marks.js draw.
"use strict";

function words(decision) {
  return { accepted: "Accepted", rejected: "Rejected", skipped: "Later" }[decision] ?? "Nobody has decided";
}

// The index only where there are several.
function showPlace(parent, place) {
  const isOnly = Object.keys(page.answer?.uuids ?? {}).length === 1;
  for (const [before, value] of [
    ["", place.id],
    [" in ", isOnly ? null : place.index],
    [", routing ", place.routing],
  ]) {
    if (value !== undefined && value !== null) {
      const name = element("bdi");
      appendText(name, String(value), INVISIBLE);
      parent.append(before, name);
    }
  }
}

// What the list and the heading call a group.
function appendTitle(parent, group) {
  appendShort(parent, group.title || String(survivorOf(group).id));
}

function showDecision(group) {
  const { decision, decided_by: by, decided_at: at, earlier_decision: earlier, applied_at: applied } = group.source;
  const time = (value) => String(value).slice(0, 16).replace("T", " ");
  const parent = $("decided");
  parent.replaceChildren();
  appendText(parent, `${words(decision)}${decision && by ? ` by ${by}` : ""}${decision && at ? ` at ${time(at)}` : ""}.`, INVISIBLE);
  if (!decision && earlier?.decision) {
    appendText(parent, ` Before its documents changed: ${words(earlier.decision).toLowerCase()}${earlier.decided_by ? ` by ${earlier.decided_by}` : ""}.`, INVISIBLE);
  }
  if (!decision && isTaken(group)) {
    appendText(parent, ` ${claimOf(group)}`, INVISIBLE);
  }
  showHistory(group);
  if (applied) {
    appendText(parent, ` Applied (${group.source.applied_action}) at ${time(applied)}.`, INVISIBLE);
    appendText(parent, runNow()?.restored_at ? ` Restored at ${time(runNow().restored_at)}.` : "");
  }
  if (group.gone) {
    appendText(parent, " This group is not there any more.");
  }
}

function showNames(group) {
  const { size, largest_distance: largest } = group.source;
  const both = range(group)?.map(similarity);
  $("title").replaceChildren();
  appendTitle($("title"), group);
  $("facts").textContent = [
    count(size, "document"),
    both ? `similarity ${both[0] === both[1] ? both[0] : both.join(" – ")}` : "",
    largest === undefined ? "" : `at most ${count(largest, "bit")} apart`,
    group.view && group.view.variants.size > 0 ? count(group.view.variants.size, "text") : "",
  ]
    .filter(Boolean)
    .join(" · ");
  showDecision(group);
  const row = group.view?.rows[group.row];
  button("x").setAttribute("aria-pressed", String(Boolean(row?.isApart)));
  button("s").setAttribute("aria-pressed", String(Boolean(group.source.chosen_survivor)));
  for (const [of, decision] of [
    ["a", "accepted"],
    ["r", "rejected"],
    ["k", "skipped"],
  ]) {
    button(of).setAttribute("aria-pressed", String(page.isSample ? group.source.judged === JUDGED[decision] : group.source.decision === decision));
  }
  button("u").hidden = !(page.isSample ? group.source.judged : group.source.decision);
  $("where").textContent = `${(page.at + 1).toLocaleString("en")} of ${Math.max(page.total, page.groups.length).toLocaleString("en")}`;
  showSeen(group);
  showItem(page.at);
}

function button(of) {
  return document.querySelector(`button[data-key="${of}"]`);
}

function showAll(group) {
  showRows(group);
  showText(group);
  showCards(group);
}

async function show() {
  const group = current();
  const turn = ++page.shown;
  $("group").hidden = group === undefined;
  $("none").hidden = group !== undefined;
  document.body.classList.toggle("empty", group === undefined);
  showCounts();
  if (group === undefined) {
    comparing?.terminate();
    showEnd();
    return;
  }
  if (group.view === null) {
    showNames(group);
    $("rows").replaceChildren();
    $("text").replaceChildren();
    $("text-state").textContent = "Reading the texts …";
    $("cards").replaceChildren();
    $("strip").replaceChildren();
    await learn();
    await whole(group);
    const view = await viewOf(group);
    group.view = view;
    group.row = Math.max(group.row, 1);
  }
  if (turn !== page.shown) {
    return;
  }
  const { view } = group;
  group.row = Math.min(group.row, view.rows.length - 1);
  if (typed.get("member") !== null && page.firstShown === undefined) {
    group.row = Math.max(group.row, view.rows.findIndex((row) => row.docs.some((doc) => String(doc.place.id) === typed.get("member"))));
  }
  rowsOf(group, view);
  seeShown(group);
  showNames(group);
  if (!view.isPlaced) {
    plain(view);
  }
  showRows(group);
  page.firstShown ??= performance.now();
  remember();
  compare(group, turn).catch(problem);
}

// Until it is known what differs.
function plain(view) {
  const text = view.survivor.variant?.text ?? "";
  $("text").replaceChildren();
  appendText($("text"), text.slice(0, safeEnd(text, 10 * AROUND)));
  $("cards").replaceChildren();
  $("strip").replaceChildren();
}

// Goes on while other keys are pressed; what comes too late is not shown.
async function compare(group, turn) {
  const { view } = group;
  if (!view.isPlaced) {
    $("text-state").textContent = "Comparing …";
    let next = performance.now() + 300;
    await compareAll(view, () => {
      if (turn === page.shown && performance.now() > next) {
        placeAll(view);
        showText(group);
        $("text-state").textContent = `Comparing … ${view.compared} of ${view.variants.size - 1}`;
        next = performance.now() + 1000;
      }
    });
    if (turn !== page.shown) {
      return;
    }
    placeAll(view);
    view.isPlaced = true;
  }
  see(group, view.rows[group.row].docs);
  showAll(group);
  showNames(group);
  if (page.firstCompared === undefined && typed.get("difference") > 0) {
    goPlace(Number(typed.get("difference")) - 1 - group.place);
  }
  page.firstCompared ??= performance.now();
  sayGroup(group);
  document.documentElement.dataset.shown = String(turn);
  prefetch();
}

function sayGroup(group) {
  const { view } = group;
  const row = view.rows[group.row];
  const places = view.places.length;
  const member = row.isSurvivor ? "" : ` Row ${group.row} of ${view.rows.length - 1}: ${row.docs.length === 1 ? String(row.docs[0].place.id).slice(0, 80) : documentsOfRow(row)}, ${stateOf(row, group)[1]}${[...notesOf(row, group)].map((note) => `, ${note}`).join("")}.`;
  const equal = view.variants.size > 1 ? "" : " The texts are equal.";
  say(`Group ${$("where").textContent}: ${$("title").textContent}. ${$("facts").textContent}. ${words(group.source.decision)}.${member}${places > 0 ? ` ${count(places, "difference")}.` : equal}`);
}

function prefetch() {
  const next = page.groups[page.at + 1];
  if (next && next.view === null && next.source.members !== undefined && next.source.size <= 20) {
    viewOf(next).then(
      (view) => (next.view ??= view),
      () => {},
    );
  }
}

// SPDX-License-Identifier: Apache-2.0
// The list of groups, the counts above it, and how far somebody is.
"use strict";

function say(words) {
  $("status").textContent = named(words);
}

// What was done last, where it can be seen.
function tell(words) {
  const last = $("last").cloneNode(false); // A new one, so that it fades anew.
  last.textContent = named(words);
  $("last").replaceWith(last);
}

function problem(error) {
  $("problem").textContent = error ? error.message : "";
  $("problem").hidden = !error;
}

const DECIDED = { accepted: ["good", "accepted"], rejected: ["apart", "rejected"], skipped: ["warn", "later"], right: ["good", "right"], wrong: ["apart", "wrong"] };

function itemOf(group, at) {
  const item = element("button", { type: "button", class: "item", tabindex: at === page.at ? 0 : -1, "data-at": at });
  if (at === page.at) {
    item.setAttribute("aria-current", "true");
  }
  const title = element("b", { dir: "auto" });
  appendTitle(title, group);
  const both = range(group);
  const shown = both?.map(similarity);
  const similar = both === null ? `${count(group.source.largest_distance ?? 0, "bit")}` : shown[0] === shown[1] ? shown[0] : shown.join(" – ");
  const [color, word] = DECIDED[page.isSample ? group.source.judged : group.source.decision] ?? [isTaken(group) ? "warn" : "", isTaken(group) ? "taken" : both !== null && both[0] < 0.8 ? "doubtful" : ""];
  item.append(
    title,
    element("span", { class: "size" }, group.source.size?.toLocaleString("en") ?? "", element("span", { class: "unseen" }, " documents, similarity ")),
    element("small", {}, similar),
    element("small", { class: color === "" ? "" : `tag ${color}` }, word),
  );
  if (both !== null) {
    // From the least to the most similar member; what lies below is pale.
    const bar = element("i", { class: "bar" }, element("i", { class: "from" }), element("i", { class: "to" }));
    bar.firstChild.style.width = `${100 * both[0]}%`;
    bar.lastChild.style.width = `max(3px, ${100 * (both[1] - both[0])}%)`;
    item.append(bar);
  }
  return element("li", {}, item);
}

function showList() {
  const hadFocus = $("items").contains(document.activeElement);
  $("items").replaceChildren(...page.groups.map(itemOf));
  $("more-groups").hidden = page.next === null;
  scrollToItem();
  if (hadFocus) {
    itemAt(page.at)?.focus();
  }
}

function itemAt(at) {
  return $("items").children[at]?.firstChild;
}

// One item anew; the others stay as they are.
function showItem(at) {
  const old = $("items").children[at];
  if (old) {
    const hadFocus = old.contains(document.activeElement);
    const made = itemOf(page.groups[at], at);
    old.replaceWith(made);
    if (hadFocus) {
      made.firstChild.focus();
    }
  }
}

function scrollToItem() {
  const [item, list] = [$("items").children[page.at], $("list")];
  if (item && (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight)) {
    list.scrollTop = item.offsetTop - list.clientHeight / 3;
  }
}

async function loadMore() {
  if (page.next !== null) {
    const from = page.groups.length;
    const groups = await load();
    await nameGroups(groups);
    page.groups.slice(from).forEach((group, i) => $("items").append(itemOf(group, from + i)));
    $("more-groups").hidden = page.next === null;
  }
}

// When the end of the list comes into sight, it goes on.
new IntersectionObserver((entries) => {
  if (entries.some((entry) => entry.isIntersecting) && page.next !== null && !page.isLoading) {
    page.isLoading = true;
    loadMore()
      .catch(problem)
      .finally(() => (page.isLoading = false));
  }
}).observe($("more-groups"));

$("items").addEventListener("click", (event) => {
  const item = event.target.closest("[data-at]");
  if (item) {
    actOn(() => go(Number(item.dataset.at) - page.at));
    document.body.classList.remove("listing");
  }
});

$("items").addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1, Home: -page.groups.length, End: page.groups.length }[event.key];
  const item = event.target.closest("[data-at]");
  if (by !== undefined && item) {
    event.preventDefault();
    const to = Math.max(0, Math.min(page.groups.length - 1, Number(item.dataset.at) + by));
    item.tabIndex = -1;
    itemAt(to).tabIndex = 0;
    itemAt(to).focus();
  }
});

// ---- counts ----

const begun = Date.now();
page.decisions = 0;

function showCounts() {
  const run = runNow();
  if (run === undefined) {
    $("progress-text").textContent = "";
    return;
  }
  const decided = run.accepted + run.rejected;
  const numbers = { open: run.groups - decided - run.skipped, accepted: run.accepted, rejected: run.rejected, skipped: run.skipped, "": run.groups };
  for (const pill of document.querySelectorAll("[data-decision]")) {
    const which = pill.dataset.decision;
    pill.querySelector("span").textContent = numbers[which].toLocaleString("en");
    pill.setAttribute("aria-pressed", String($("decision").value === which));
  }
  $("progress").firstChild.style.width = `${(100 * run.accepted) / Math.max(1, run.groups)}%`;
  $("progress").lastChild.style.width = `${(100 * run.rejected) / Math.max(1, run.groups)}%`;
  $("progress-text").textContent = `${decided.toLocaleString("en")} of ${run.groups.toLocaleString("en")} decided${left(numbers.open)}`;
  $("applied").title = run.restored_at ?? run.applied_at ?? "";
  $("applied").textContent = run.restored_at ? `· restored (${count(run.restored_documents, "document")})` : run.applied_at ? `· applied (${run.applied_action})` : "";
}

// How long the rest takes at the pace so far.
function left(open) {
  if (page.decisions < 3 || open <= 0) {
    return "";
  }
  const minutes = Math.ceil(((Date.now() - begun) / page.decisions / 60000) * open);
  return minutes > 600 ? "" : ` · ≈ ${minutes} min left`;
}

function showRuns() {
  const options = page.runs.map((run) => {
    const option = element("option", { value: run.run });
    option.textContent = `${(run.run_at ?? "").slice(0, 16).replace("T", " ")} · ${count(run.groups, "group")} · ${run.run}`;
    return option;
  });
  $("run").replaceChildren(...options);
  $("run").value = page.run;
  showCounts();
}

// ---- what check says of the documents' indices ----

async function showFindings() {
  const indices = Object.keys(page.answer?.uuids ?? {});
  if (indices.length === 0) {
    return;
  }
  let answer;
  try {
    answer = await server.check(indices, page.answer.field);
  } catch (e) {
    return; // Whoever may not check is told nothing.
  }
  const findings = (answer.findings ?? []).filter((finding) => finding.severity !== "info");
  $("findings").hidden = findings.length === 0;
  $("findings").className = `note ${answer.status === "error" ? "bad" : "warn"}`;
  $("findings").firstElementChild.textContent = `check of ${indices.length === 1 ? indices[0] : `${indices.length} indices`}: ${count(findings.length, "finding")}`;
  $("finding").replaceChildren(
    ...findings.map((finding) => {
      const item = element("li");
      item.append(element("b", {}, finding.code), " ");
      appendText(item, String(finding.message), INVISIBLE);
      for (const mend of [finding.mend ?? []].flat()) {
        const request = element("pre");
        appendText(request, String(mend), INVISIBLE);
        item.append(request);
      }
      return item;
    }),
  );
}

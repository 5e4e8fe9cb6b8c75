// SPDX-License-Identifier: Apache-2.0
// What keys, buttons and fields do; and how the page begins.
"use strict";

async function go(by) {
  const to = page.at + by;
  if (to < 0) {
    say("This is the first group.");
    return;
  }
  if (to >= page.groups.length) {
    await loadMore();
  }
  if (to >= page.groups.length) {
    say("This was the last group.");
    if (page.groups.every((group) => !isUndecided(group)) && $("decision").value === "open") {
      await refreshed();
      await start();
    }
    return;
  }
  const before = page.at;
  page.at = to;
  forgetFar();
  showItem(before);
  showItem(to);
  scrollToItem();
  $("group").scrollTop = 0;
  await show();
}

async function goRow(by) {
  const group = current();
  const to = group.row + by;
  if (to < 0 || to >= (group.view?.rows.length ?? 0)) {
    say(to < 0 ? "This is the survivor." : "This was the last member.");
    return;
  }
  group.row = to;
  see(group, group.view.rows[to].docs);
  showRows(group);
  if (group.view.isPlaced) {
    showText(group);
    showCurrentPlace(group);
  }
  showNames(group);
  sayGroup(group);
  remember();
}

const KEYS = {
  a: decideGroup("accepted"),
  r: decideGroup("rejected"),
  k: decideGroup("skipped"),
  u: decideGroup(null),
  x: rejectMembers,
  s: keepMember,
  z: undo,
  n: () => go(1),
  p: () => go(-1),
  j: () => goPlace(1),
  J: () => goPlace(-1),
  ArrowRight: () => goRow(1),
  ArrowLeft: () => goRow(-1),
  m: () => goRow(1),
  b: () => goRow(-1),
};
const WRITES = new Set(["a", "r", "k", "u", "x", "s", "z"]);

// One thing after the other: a key that comes early is not lost.
function actOn(work, isForGroup = true) {
  page.writing = page.writing.then(async () => {
    if (isForGroup && current() === undefined) {
      return;
    }
    try {
      problem(null);
      await work();
    } catch (error) {
      problem(error);
      if (current()) {
        showNames(current());
        if (current().view?.isPlaced) {
          showRows(current());
        }
      }
    }
  });
  return page.writing;
}

function act(of, docs) {
  const action = KEYS[of];
  if (page.isSample && (of === "x" || of === "s")) {
    say("In a sample, a and r say whether the group is right.");
  } else if (action !== undefined) {
    actOn(() => action(docs), of !== "z");
  }
}

async function start(named = null) {
  Object.assign(page, { groups: [], at: 0, next: null });
  page.shown++;
  try {
    problem(null);
    await load();
    showWork();
    await loadNamed(named);
    await learn();
    showRuns();
    showList();
    await show();
    nameGroups(page.groups)
      .then(() => {
        showList();
        if (current()) {
          showNames(current());
        }
      })
      .catch(problem);
    $("bulk-part").hidden &&= !page.groups.some((group) => range(group) !== null);
    if (page.isSample) {
      $("bulk-part").hidden = true;
    } else {
      countBulk().catch(() => {});
    }
  } catch (error) {
    $("group").hidden = true;
    $("none").hidden = true;
    document.body.classList.add("empty");
    problem(error);
    say("");
  }
}

function isField(target) {
  return /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable;
}

// ---- letters can be switched off ----

const LETTERS = "simhash-review-letters";

function lettersAreOn() {
  return $("letters").checked;
}

try {
  $("letters").checked = localStorage.getItem(LETTERS) !== "off";
} catch (e) {
  // A browser that keeps nothing has them on.
}
$("letters").addEventListener("change", () => {
  document.body.classList.toggle("no-letters", !lettersAreOn());
  try {
    localStorage.setItem(LETTERS, lettersAreOn() ? "on" : "off");
  } catch (e) {
    // For this page only, then.
  }
});
document.body.classList.toggle("no-letters", !lettersAreOn());

document.addEventListener("keydown", (event) => {
  const isOpen = document.querySelector("dialog[open]") !== null;
  if (event.key === "Escape" && isOpen) {
    document.querySelector("dialog[open]").close();
    return;
  }
  if (event.key === "Escape") {
    // Leaves a field, or the menu.
    $("menu").open = false;
    document.body.classList.remove("listing");
    document.activeElement?.blur();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "p" && !isOpen) {
    event.preventDefault();
    actOn(printAll);
    return;
  }
  if (isOpen || isField(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  const isLetter = event.key.length === 1;
  if (isLetter && !lettersAreOn()) {
    return;
  }
  if (event.key === "?") {
    $("keys-dialog").showModal();
    return;
  }
  const of = event.key === "J" || (event.shiftKey && event.key.toLowerCase() === "j") ? "J" : isLetter ? event.key.toLowerCase() : event.key;
  if (Object.hasOwn(KEYS, of)) {
    event.preventDefault();
    // A key that is held down decides once.
    if (!(event.repeat && WRITES.has(of))) {
      act(of);
    }
  }
});

for (const each of document.querySelectorAll("button[data-key]")) {
  each.addEventListener("click", () => act(each.dataset.key));
}
for (const each of document.querySelectorAll("[data-opens]")) {
  each.addEventListener("click", () => {
    $("menu").open = false;
    $(each.dataset.opens).showModal();
  });
}
for (const each of document.querySelectorAll("[data-closes]")) {
  each.addEventListener("click", () => each.closest("dialog").close());
}
for (const each of document.querySelectorAll("[data-decision]")) {
  each.addEventListener("click", () => {
    $("decision").value = each.dataset.decision;
    $("claimed_by").value = "";
    page.isSample = false;
    actOn(start, false);
  });
}
$("filter").addEventListener("submit", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
  $("menu").open = false;
  actOn(start, false);
});
$("run").addEventListener("change", () => {
  page.run = $("run").value;
  actOn(start, false);
});
$("decision").addEventListener("change", () => actOn(start, false));
$("bulk-form").addEventListener("submit", (event) => {
  event.preventDefault();
  document.activeElement?.blur();
  actOn(async () => {
    await countBulk(true);
    if (bulk.total > 0) {
      askBulk();
    } else {
      say("There is no such group.");
    }
  }, false);
});
$("bulk-least").addEventListener("input", () => countBulk().catch(problem));
$("bulk-go").addEventListener("click", () => actOn(acceptAll, false));
$("apply").addEventListener("click", () => {
  $("menu").open = false;
  openFinish().catch(problem);
});
$("print").addEventListener("click", () => {
  $("menu").open = false;
  actOn(printAll);
});
$("show-list").addEventListener("click", () => {
  document.body.classList.toggle("listing");
  if (document.body.classList.contains("listing")) {
    itemAt(page.at)?.focus();
  }
});

// ---- beginning ----

const dest = decodeURIComponent(server.dest);
appendText($("dest"), dest, INVISIBLE);
document.title = `Review · ${dest}`;
for (const id of FILTERS.filter((each) => typed.has(each))) {
  $(id).value = typed.get(id);
}
if (!$("decision").value && $("decision").selectedIndex < 0) {
  $("decision").value = "open";
}
$("home").href = `${ROOT}/_plugins/_simhash`;
showUndo();
page.writing = page.writing.then(() => start(typed.get("group")));
// Keys do not wait for it.
page.writing.then(showFindings);

// SPDX-License-Identifier: Apache-2.0
// What people decide: about a group, a member, many groups at once; and the way back.
"use strict";

// So many decisions are on their way at once when many groups are decided.
const AT_A_TIME = 6;

// What can be taken back: each entry is one thing that somebody did, with what was there before.
const done = [];

function stateBefore(group) {
  return {
    decision: group.source.decision ?? null,
    rejected: rejectedOf(group),
    chosen_survivor: group.source.chosen_survivor ?? null,
  };
}

// Stores a decision about the group as the page knows it.
async function store(group, wanted) {
  const stored = await server.decide({
    index: group.index,
    group: group.id,
    if_seq_no: group.seqNo,
    if_primary_term: group.primaryTerm,
    ...wanted,
  });
  counted(group.source.decision, stored.decision);
  group.seqNo = stored._seq_no;
  group.primaryTerm = stored._primary_term;
  Object.assign(group.source, wanted, { decided_by: stored.decided_by, decided_at: stored.decided_at });
}

async function renewed(group) {
  const doc = await server.group(group.index, group.id);
  renew(group, doc);
  if (group.view) {
    rowsOf(group, group.view);
  }
}

async function decide(group, what, change) {
  const before = stateBefore(group);
  try {
    await store(group, { ...before, ...change });
  } catch (error) {
    if (error.status !== 409) {
      throw error;
    }
    await renewed(group);
    const { decided_by: by, decision } = group.source;
    throw new Problem(
      `Somebody else was faster: ${words(decision).toLowerCase()}${by ? ` by ${by}` : ""}. Nothing of yours was stored: look, and decide again.`,
      409,
    );
  }
  remembered(what, [{ group, before }]);
}

function remembered(what, items) {
  done.push({ what, items });
  showUndo();
}

function showUndo() {
  const last = done.at(-1);
  button("z").disabled = last === undefined;
  button("z").title = last === undefined ? "" : last.what;
}

function isUndecided(group) {
  return !DECIDED[group.source.decision];
}

// What was accepted unseen is said.
function unseen(group) {
  const others = othersOf(group).length;
  const seen = seenOf(group);
  return seen < others ? `, ${seen.toLocaleString("en")} of ${others.toLocaleString("en")} members seen` : "";
}

function decideGroup(decision) {
  return async () => {
    const group = current();
    const what = `${words(decision)}${decision === "accepted" ? unseen(group) : ""}: ${$("title").textContent}`;
    await decide(group, what, { decision });
    page.decisions++;
    if (decision === null) {
      await show();
    } else {
      await go(1);
    }
    if (group === current()) {
      showAll(group);
      showNames(group);
    }
    tell(what);
    showCounts();
  };
}

function rowDocs(group) {
  const row = group.view?.rows[group.row];
  return row === undefined || row.isSurvivor ? [] : row.docs;
}

// An id stands for all documents of the group with that id.
async function rejectMembers(docs) {
  const group = current();
  const some = docs ?? rowDocs(group);
  if (some.length === 0) {
    say("The survivor stays: choose a member.");
    return;
  }
  const ids = new Set(some.map((doc) => String(doc.place.id)));
  const rejected = rejectedOf(group);
  const isBack = rejected.includes([...ids][0]);
  const rest = rejected.filter((id) => !ids.has(id));
  const what = `${isBack ? "Duplicate after all" : "Kept apart"}: ${ids.size === 1 ? [...ids][0] : count(ids.size, "document")}`;
  await decide(group, what, { rejected: isBack ? rest : [...rest, ...ids] });
  rowsOf(group, group.view);
  group.row = Math.max(1, group.view.rows.findIndex((row) => row.docs.includes(some[0])));
  showRows(group);
  showText(group);
  showNames(group);
  tell(what);
  say(what);
}

async function keepMember(docs) {
  const group = current();
  const { chosen_survivor: chosen, survivor } = group.source;
  const place = docs === undefined && chosen ? null : (docs ?? rowDocs(group))[0]?.place;
  if (place === undefined) {
    say("This one stays already: choose a member.");
    return;
  }
  const { index, id, routing } = place ?? {};
  const kept = place === null || key(place) === key(survivor) ? null : routing ? { index, id, routing } : { index, id };
  const gone = String((kept ?? survivor).id);
  const what = `Stays: ${gone}`;
  await decide(group, what, { chosen_survivor: kept, rejected: rejectedOf(group).filter((each) => each !== gone) });
  group.view = null;
  group.row = 1;
  group.place = -1;
  await show();
  tell(what);
}

// ---- the way back ----

async function undo() {
  const last = done.at(-1);
  if (last === undefined) {
    say("There is nothing to take back.");
    return;
  }
  const failed = [];
  await inTurn(last.items, async (item) => {
    try {
      if (await isStillOurs(item.group)) {
        await store(item.group, item.before);
        return;
      }
    } catch (error) {
      if (error.status !== 409 && error.status !== 404) {
        throw error;
      }
    }
    failed.push(item);
  });
  done.pop();
  showUndo();
  const words = `Taken back: ${last.what}`;
  if (last.items.length > 1) {
    await refreshed();
    await start();
  } else {
    const [{ group }] = last.items;
    const at = page.groups.indexOf(group);
    if (at < 0) {
      page.groups.unshift(group);
    }
    page.at = Math.max(0, at);
    if (failed.length > 0) {
      await renewed(group);
    }
    group.view = null;
    showList();
    await show();
  }
  tell(words);
  say(words);
  if (failed.length > 0) {
    throw new Problem(`${count(failed.length, "group was", "groups were")} decided by somebody else meanwhile, and stay as they are.`, 409);
  }
}

// An apply changes the group, but not what was decided.
async function isStillOurs(group) {
  const { _source: stored, _seq_no: seqNo, _primary_term: primaryTerm } = await server.group(group.index, group.id);
  Object.assign(group, { seqNo, primaryTerm });
  return (stored.decision ?? null) === (group.source.decision ?? null) && (stored.decided_at ?? null) === (group.source.decided_at ?? null);
}

// Some at a time. After a failure no more begin.
async function inTurn(items, work, progress = () => {}) {
  let [next, ended, failure] = [0, 0, null];
  const one = async () => {
    while (next < items.length && failure === null) {
      const item = items[next++];
      try {
        await work(item);
      } catch (error) {
        failure = error;
      }
      progress(++ended);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
  if (failure !== null) {
    throw failure;
  }
}

async function refreshed() {
  try {
    await server.refresh();
  } catch (e) {
    // Counts are a second late, then.
  }
}

// ---- many at once ----

const bulk = { total: 0, least: 0, isStopped: false };

function bulkFilter(after, size) {
  return { ...filters(), decision: "open", min_similarity: bulk.least, after, size };
}

// How many groups it would be, before anybody can do it.
async function countBulk() {
  const text = $("bulk-least").value.trim().replace(",", ".");
  bulk.least = Number(text);
  const isNumber = text !== "" && bulk.least >= 0 && bulk.least <= 1;
  bulk.total = isNumber ? (await server.groups(bulkFilter(null, 1))).total : 0;
  $("bulk").disabled = bulk.total === 0;
  $("bulk").textContent = isNumber ? `Accept all ${bulk.total.toLocaleString("en")} …` : "Accept all …";
}

function askBulk() {
  const seen = page.groups.filter((group) => isUndecided(group) && group.source.lowest_similarity >= bulk.least && group.seen.size > 0).length;
  $("bulk-what").textContent =
    `${count(bulk.total, "group")} to decide with a similarity of at least ${bulk.least}` +
    `${$("max_similarity").value || $("min_size").value || $("max_size").value ? ", within the filter," : ""} will be accepted. ` +
    `${seen.toLocaleString("en")} of ${bulk.total.toLocaleString("en")} were on this page; the others nobody has seen here. One press of z takes all of it back.`;
  $("bulk-go").textContent = `Accept ${count(bulk.total, "group")}`;
  $("bulk-go").disabled = false;
  $("bulk-progress").hidden = true;
  $("bulk-stop").textContent = "Cancel";
  $("bulk-dialog").showModal();
}

async function acceptAll() {
  bulk.isStopped = false;
  $("bulk-go").disabled = true;
  $("bulk-stop").textContent = "Stop";
  $("bulk-progress").hidden = false;
  $("bulk-progress").max = bulk.total;
  $("bulk-progress").value = 0;
  const [items, others] = [[], []];
  let [after, failure] = [null, null];
  await refreshed(); // A group that was touched here a moment ago is read as it is now.
  try {
    do {
      const answer = await server.groups(bulkFilter(after, 100));
      await inTurn(answer.groups, async (hit) => {
        const group = groupOf(hit);
        const before = stateBefore(group);
        // Its documents are not needed to take it back.
        group.source = { decision: group.source.decision };
        try {
          if (!bulk.isStopped) {
            await store(group, { ...before, decision: "accepted" });
            items.push({ group, before });
            $("bulk-progress").value = items.length;
          }
        } catch (error) {
          if (error.status !== 409) {
            throw error;
          }
          others.push(hit._id);
        }
      });
      after = answer.next ?? null;
    } while (after !== null && !bulk.isStopped);
  } catch (error) {
    failure = error;
  }
  const what = `Accepted: ${count(items.length, "group")} with a similarity of at least ${bulk.least}`;
  if (items.length > 0) {
    remembered(what, items);
  }
  $("bulk-dialog").close();
  await refreshed();
  await start();
  tell(what);
  say(`${what}. z takes it back.`);
  if (failure !== null) {
    throw failure;
  }
  if (others.length > 0) {
    throw new Problem(`${count(others.length, "group was", "groups were")} decided by somebody else meanwhile, and stay as they are.`, 409);
  }
}

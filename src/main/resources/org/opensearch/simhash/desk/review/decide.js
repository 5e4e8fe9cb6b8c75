// SPDX-License-Identifier: Apache-2.0
// What people decide: about a group, a member, many groups at once; and the way back.
"use strict";

// What can be taken back: each entry is one thing that somebody did, and the way back, which answers how many groups it leaves to others.
const done = [];

function stateBefore(group) {
  return {
    decision: group.source.decision ?? null,
    rejected: rejectedOf(group),
    chosen_survivor: group.source.chosen_survivor ?? null,
  };
}

// About the group as the page knows it.
function decisionOn({ group, wanted }) {
  return { index: group.index, group: group.id, if_seq_no: group.seqNo, if_primary_term: group.primaryTerm, ...wanted };
}

function stored(group, wanted, answer) {
  counted(group.source.decision, answer.decision);
  group.seqNo = answer._seq_no;
  group.primaryTerm = answer._primary_term;
  Object.assign(group.source, wanted, { decided_by: answer.decided_by, decided_at: answer.decided_at });
}

// A decision about one group says what was looked at.
async function store(group, wanted) {
  const seen = documentsOf(group).filter((place) => group.seen.has(key(place))).slice(0, 1000).map((place) => place.id);
  const answer = await server.decide({ ...decisionOn({ group, wanted }), seen, take: group.isTakenOver });
  const { decision, decided_by, decided_at } = answer;
  group.source.claimed_until = undefined;
  group.source.history = [...(group.source.history ?? []), { decision, decided_by, decided_at, seen }];
  stored(group, wanted, answer);
}

async function renewed(group) {
  const before = documentNames(group);
  renew(group, await server.group(group.index, group.id));
  if (documentNames(group) !== before) {
    group.view = null;
    await show();
  } else if (group.view) {
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
    if (isTaken(group) && !isMine(group)) {
      group.isTakenOver = true;
      throw new Problem(`${claimOf(group)} Nothing was stored. The same key again decides nevertheless.`, 409);
    }
    const { decided_by: by, decision } = group.source;
    throw new Problem(
      `Somebody else was faster: ${words(decision).toLowerCase()}${by ? ` by ${by}` : ""}. Nothing of yours was stored: look, and decide again.`,
      409,
    );
  }
  remembered(what, () => takeBack(group, before));
}

function remembered(what, back) {
  done.push({ what, back });
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
    if (page.isSample) {
      await judge(decision);
      return;
    }
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
  const others = await last.back();
  done.pop();
  showUndo();
  showList();
  await show();
  const words = `Taken back: ${last.what}`;
  tell(words);
  say(words);
  requireNoOthers(others);
}

function requireNoOthers(others) {
  if (others > 0) {
    throw new Problem(`${count(others, "group was", "groups were")} decided by somebody else meanwhile, and stay as they are.`, 409);
  }
}

async function takeBack(group, wanted) {
  const again = async () => {
    const [answer] = (await server.decide({ decisions: [decisionOn({ group, wanted })] })).decisions;
    if (answer.error === undefined) {
      stored(group, wanted, answer);
    } else if (answer.status !== 409 && answer.status !== 404) {
      throw new Problem(`${WORDS[answer.status] ?? "OpenSearch answers with an error"}: ${answer.error.reason}`, answer.status, answer);
    }
    return answer.error === undefined;
  };
  const isOurs = (await again()) || ((await isStillOurs(group)) && (await again()));
  const at = page.groups.indexOf(group);
  if (at < 0) {
    page.groups.unshift(group);
  }
  page.at = Math.max(0, at);
  group.view = null;
  return isOurs ? 0 : 1;
}

// An apply changes the group, but not what was decided.
async function isStillOurs(group) {
  try {
    const doc = await server.group(group.index, group.id);
    const { decision, decided_at: at } = group.source;
    const isOurs = (doc._source.decision ?? null) === (decision ?? null) && (doc._source.decided_at ?? null) === (at ?? null);
    if (isOurs) {
      Object.assign(group, { seqNo: doc._seq_no, primaryTerm: doc._primary_term });
    } else {
      renew(group, doc);
    }
    return isOurs;
  } catch (error) {
    if (error.status !== 404) {
      throw error;
    }
    group.gone = true;
    return false;
  }
}

async function refreshed() {
  try {
    await server.refresh();
  } catch (e) {
    // Counts are a second late, then.
  }
}

// SPDX-License-Identifier: Apache-2.0
// Many groups accepted at once, as far as somebody asked.
"use strict";

const bulk = { total: 0, least: 0 };

// From 0 on: also groups whose texts were not compared, which have no similarity.
function bulkFilter() {
  return { ...filters(), decision: "open", min_similarity: bulk.least || null };
}

function decideBulk(more) {
  return server.decide({ query: Object.fromEntries(filled(bulkFilter())), decision: "accepted", ...more });
}

// How many groups it would be, before anybody can do it; right before, also with what was stored a moment ago.
async function countBulk(isAsked = false) {
  const text = $("bulk-least").value.trim().replace(",", ".");
  bulk.least = Number(text);
  const isNumber = text !== "" && bulk.least >= 0 && bulk.least <= 1;
  bulk.total = !isNumber ? 0 : isAsked ? (await decideBulk({ dry_run: true })).groups : (await server.groups({ ...bulkFilter(), size: 1 })).total;
  $("bulk").disabled = bulk.total === 0;
  $("bulk").textContent = isNumber ? `Accept all ${bulk.total.toLocaleString("en")} …` : "Accept all …";
}

function askBulk() {
  const seen = page.groups.filter((group) => isUndecided(group) && (group.source.lowest_similarity ?? 0) >= bulk.least && group.seen.size > 0).length;
  $("bulk-what").textContent =
    `${count(bulk.total, "group")} to decide with a similarity of at least ${bulk.least}` +
    `${$("max_similarity").value || $("min_size").value || $("max_size").value || $("q").value || $("value").value ? ", within the filter," : ""} will be accepted. ` +
    `${seen.toLocaleString("en")} of ${bulk.total.toLocaleString("en")} were on this page; the others nobody has seen here. One press of z takes all of it back.`;
  $("bulk-go").textContent = `Accept ${count(bulk.total, "group")}`;
  $("bulk-go").disabled = false;
  $("bulk-progress").hidden = true;
  $("bulk-stop").disabled = false;
  $("bulk-dialog").showModal();
}

// What could not be decided, after the rest was.
function requireAll(answer) {
  if (answer.error) {
    throw new Problem(`Not all of it was done: ${reason(answer)}`, 0, answer);
  }
}

async function acceptAll() {
  $("bulk-go").disabled = true;
  $("bulk-stop").disabled = true;
  $("bulk-progress").hidden = false;
  let [answer, failure] = [{ decided: 0, refused: 0 }, null];
  try {
    answer = await decideBulk();
  } catch (error) {
    failure = error;
  }
  const what = `Accepted: ${count(answer.decided, "group")} with a similarity of at least ${bulk.least}`;
  let left = answer.decided;
  if (left > 0) {
    remembered(what, async () => {
      const back = await server.decide({ undo: answer.undo });
      left -= back.decided;
      await refreshed();
      await start();
      requireAll(back);
      return left;
    });
  }
  $("bulk-dialog").close();
  await refreshed();
  await start();
  tell(what);
  say(`${what}. z takes it back.`);
  if (failure !== null) {
    throw failure;
  }
  requireAll(answer);
  requireNoOthers(answer.refused);
}

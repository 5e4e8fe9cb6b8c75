// SPDX-License-Identifier: Apache-2.0
// Many groups accepted at once, as far as somebody asked.
"use strict";

const bulk = { total: 0, least: 0, isStopped: false };

// From 0 on: also groups whose texts were not compared, which have no similarity.
function bulkFilter(after, size) {
  return { ...filters(), decision: "open", min_similarity: bulk.least || null, after, size };
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
  const seen = page.groups.filter((group) => isUndecided(group) && (group.source.lowest_similarity ?? 0) >= bulk.least && group.seen.size > 0).length;
  $("bulk-what").textContent =
    `${count(bulk.total, "group")} to decide with a similarity of at least ${bulk.least}` +
    `${$("max_similarity").value || $("min_size").value || $("max_size").value || $("q").value || $("value").value ? ", within the filter," : ""} will be accepted. ` +
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
  const items = [];
  let [after, failure, others] = [null, null, 0];
  await refreshed(); // A group that was touched here a moment ago is read as it is now.
  try {
    do {
      const answer = await server.groups(bulkFilter(after, AT_A_TIME));
      const asked = answer.groups.map((hit) => {
        const group = groupOf(hit);
        const before = stateBefore(group);
        // Its documents are not needed to take it back.
        group.source = { decision: group.source.decision };
        return { group, before, wanted: { ...before, decision: "accepted" } };
      });
      if (!bulk.isStopped && asked.length > 0) {
        try {
          others += (await storeAll(asked)).length;
        } finally {
          items.push(...asked.filter(({ group }) => group.source.decided_at !== undefined));
        }
      }
      $("bulk-progress").value = items.length;
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
  if (others > 0) {
    throw new Problem(`${count(others, "group was", "groups were")} decided by somebody else meanwhile, and stay as they are.`, 409);
  }
}

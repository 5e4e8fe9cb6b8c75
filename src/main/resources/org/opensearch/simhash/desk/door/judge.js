// SPDX-License-Identifier: Apache-2.0
// Pairs at the border one after the other, with their differences marked. Each answer calibrates again, and shows what follows so far.
"use strict";

const MOST_JUDGED = 12;
// Of a part that both texts have, so many characters are shown before and after what differs.
const BESIDE = 160;

const keyOf = (pair) => JSON.stringify([pair.first, pair.second].map((each) => [each.index, each.id]).sort());
const placeOf = ({ index, id }) => ({ _index: index, _id: id });
const short = (similarity) => similarity.toFixed(similarity < 1 ? 2 : 0);

// A suggestion on one line; undefined if there is none.
function inWords(answer) {
  const suggestion = answer?.suggestion;
  const share = ({ estimate }) => (estimate === null ? "an unknown share" : `${Math.round(100 * estimate)} %`);
  const near = suggestion?.max_distance === undefined ? `similarity from ${suggestion?.min_similarity}` : `within ${count(suggestion.max_distance, "bit")}`;
  return suggestion ? `${near}${suggestion.verify ? ", compared by their texts" : ""}: ${share(suggestion.expected.recall)} found, ${share(suggestion.expected.precision)} right` : undefined;
}

const shownPair = (pair) => element("div", { class: "pair" }, ...[pair.first, pair.second].map((each) => element("blockquote", { dir: "auto" }, element("p", {}, each.text), element("small", {}, name(each.id)))));

// One text in the other. Where both are cut, their ends tell nothing.
function marked({ first, second }) {
  const ranges = differences(first.text, second.text);
  if (ranges.length > 2 && !ranges.at(-1)[0] && first.text.endsWith("…") && second.text.endsWith("…")) {
    ranges.pop();
  }
  let [left, right] = [0, 0];
  return ranges.flatMap(([isEqual, onLeft, onRight]) => {
    const [before, after] = [first.text.slice(left, left + onLeft), second.text.slice(right, right + onRight)];
    left += onLeft;
    right += onRight;
    if (isEqual) {
      return [before.length > 3 * BESIDE ? `${before.slice(0, BESIDE)} … ${before.slice(-BESIDE)}` : before];
    }
    return [before && element("del", {}, before), after && element("ins", {}, after)].filter(Boolean);
  });
}

/*
 * A part of the page that asks about one pair at a time, by buttons, and by keys while the focus is in it. said has what was said, the
 * last one last. path and body are the request that was answered; calibrated gets each new answer, and its task.
 */
function judging({ answer, said, path, body, calibrated }) {
  let { judging: found } = answer;
  // Facts are near or not, without a border between.
  if (!found || found.pairs.length + said.length === 0 || answer.verify.measure === "facts") {
    return [];
  }
  let pair = null;
  let most = MOST_JUDGED;
  let isBusy = false;
  let isStale = false;
  const text = element("p", { class: "marked", dir: "auto" });
  const about = element("p", { class: "quiet" });
  const state = element("span", { class: "quiet" });
  const soFar = element("p", {});
  const request = element("pre", {});
  const more = element("button", { type: "button", hidden: true }, `${MOST_JUDGED} more`);
  const judged = () => said.filter(({ near }) => near !== null);
  const asked = () => ({ ...body, judged: judged().map(({ pair: { first, second }, near }) => ({ a: placeOf(first), b: placeOf(second), near })) });
  const button = (label, key, click) => element("button", { type: "button", "aria-keyshortcuts": key, "data-key": key, click }, label, element("kbd", {}, key));
  const buttons = [button("Yes", "y", () => answered(true)), button("No", "n", () => answered(false)), button("Cannot say", "s", () => answered(null)), button("Undo", "z", undo)];
  const place = element("section", { class: "judge", tabindex: "-1", "aria-label": "Is this a near-duplicate for you?" });

  // In the middle of those that what was said has not decided.
  function choose() {
    const known = new Set(said.map((each) => keyOf(each.pair)));
    const left = found.pairs.filter((each) => !known.has(keyOf(each)));
    const of = (answer) => said.filter(({ near }) => near === answer).map((each) => each.pair.similarity);
    const [low, high] = [Math.max(found.low, ...of(false)), Math.min(found.high, ...of(true))];
    const open = left.filter(({ similarity }) => low < similarity && similarity < high).sort((a, b) => a.similarity - b.similarity);
    return judged().length < most ? (open[open.length >> 1] ?? left[0] ?? null) : null;
  }

  function show(next = choose()) {
    const hadFocus = place.contains(document.activeElement);
    pair = next;
    text.replaceChildren(...(pair ? marked(pair) : [judged().length < most ? "There are no more pairs at the border." : `${judged().length} pairs are judged.`]));
    const step = pair && (pair.distance === undefined ? `estimate ${pair.estimate}` : count(pair.distance, "bit"));
    about.replaceChildren(...(pair ? [`similarity ${short(pair.similarity)} · ${step} · `, name(pair.first.id), " and ", name(pair.second.id), text.querySelector("del, ins") ? "" : " · what differs is further on"] : []));
    state.textContent = `${judged().length} of ${most} judged`;
    request.textContent = `POST ${path}\n${JSON.stringify(asked(), null, 2)}`;
    more.hidden = judged().length < most;
    buttons.forEach((each, i) => {
      each.disabled = i < 3 ? pair === null : said.length === 0;
    });
    // A button that is of no use any more has lost the focus, and the keys with it.
    if (hadFocus && (!place.contains(document.activeElement) || document.activeElement.disabled || document.activeElement.hidden)) {
      place.focus({ preventScroll: true });
    }
  }

  function showSoFar() {
    const { min_similarity: least, low, high, contradicted } = found;
    const between = low > 0 || high < 1 ? ` (${short(low)}–${short(high)})` : "";
    const against = contradicted > 0 ? `, against ${contradicted} of your answers` : "";
    soFar.textContent = `So far: similarity from ${short(least)} on${between}${against}.`;
    say(soFar.textContent);
  }

  // One request at a time; of what is said meanwhile, the last is sent.
  async function send() {
    isStale = isBusy;
    if (isBusy) {
      return;
    }
    isBusy = true;
    try {
      do {
        isStale = false;
        soFar.textContent = "Calibrating with your answers …";
        const { task } = await ask("POST", `${ROOT}${path}?wait_for_completion=false`, asked());
        const next = await awaited(task, () => {});
        calibrated(next, task);
        found = next.judging;
      } while (isStale);
      showSoFar();
      if (!pair) {
        show();
      }
    } catch (error) {
      soFar.replaceChildren(note("bad", error.message));
      say(error.message);
    } finally {
      isBusy = false;
    }
  }

  function answered(near) {
    if (pair) {
      said.push({ pair, near });
      show();
      if (near !== null) {
        send();
      }
    }
  }

  function undo() {
    const last = said.pop();
    if (last) {
      show(last.pair);
      if (last.near !== null) {
        send();
      }
    }
  }

  more.addEventListener("click", () => {
    most += MOST_JUDGED;
    show();
  });
  place.addEventListener("keydown", (event) => {
    const pressed = buttons.find((each) => each.dataset.key === event.key);
    if (pressed && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      pressed.click();
    }
  });
  const head = element("p", { class: "row" }, element("strong", { class: "grow" }, "Is this a near-duplicate for you?"), state);
  const shown = element("details", { class: "sent" }, element("summary", {}, "The request that each answer sends"), request);
  place.append(head, text, about, element("p", { class: "row" }, ...buttons, more), soFar, shown);
  show();
  if (judged().length > found.judged) {
    send();
  } else {
    showSoFar();
  }
  return [place];
}

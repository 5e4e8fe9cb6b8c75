// SPDX-License-Identifier: Apache-2.0
// Pairs that a calibration has compared, one after the other: what people say of them is from which similarity on texts are near.
"use strict";

const MOST_JUDGED = 12;

const keyOf = (pair) => JSON.stringify([pair.first.index, pair.first.id, pair.second.index, pair.second.id].sort());

// Pairs of different texts, the most doubtful first. Facts are near or not, without a border between.
function doubtful({ distances, estimates, verify }) {
  const pairs = verify?.measure === "facts" ? [] : (distances ?? estimates).flatMap((row) => row.examples ?? []);
  const away = (pair) => Math.abs(pair.similarity - verify.min_similarity);
  return pairs.filter((pair) => pair.first.text !== pair.second.text).sort((a, b) => away(a) - away(b)).slice(0, MOST_JUDGED);
}

// The similarity that contradicts the fewest of what people have said, of several the one that is nearest to the usual one.
function border(said, usual) {
  const wrong = (least) => said.filter((each) => each.isNear !== each.similarity >= least).length;
  const around = said.map(({ similarity, isNear }) => (Math.floor(1000 * similarity) + (isNear ? 0 : 1)) / 1000);
  const order = (a, b) => wrong(a) - wrong(b) || Math.abs(a - usual) - Math.abs(b - usual);
  return [usual, ...around].filter((each) => each > 0 && each <= 1).sort(order)[0];
}

const shownPair = (pair) => element("div", { class: "pair" }, ...[pair.first, pair.second].map((each) => element("blockquote", { dir: "auto" }, element("p", {}, each.text), element("small", {}, name(each.id)))));

/*
 * A part of the page that asks about one pair at a time. said has what was answered before, by pair, and gets more. calibrate makes
 * the request that calibrates again, with what the answers ask for.
 */
function judging(answer, said, calibrate) {
  const pairs = doubtful(answer);
  const usual = answer.verify?.min_similarity;
  const place = element("div", {});
  const result = element("div", {});
  const left = () => pairs.filter((pair) => !said.has(keyOf(pair)));
  function showResult() {
    const answers = [...said.values()].filter((each) => each.isNear !== null);
    const least = border(answers, usual);
    if (answers.length > 0) {
      const words = least === usual ? `Your answers agree with a similarity of ${usual}.` : `Your answers ask for a similarity of ${least} in place of ${usual}.`;
      result.replaceChildren(element("p", {}, words), ...(least === usual ? [] : [calibrate(least)]));
      say(words);
    }
  }
  function show() {
    const [pair] = left();
    if (!pair) {
      place.replaceChildren(element("p", { class: "quiet" }, "All of these pairs are judged."));
      return;
    }
    const answered = (isNear) => () => {
      said.set(keyOf(pair), { similarity: pair.similarity, isNear });
      show();
      showResult();
      place.querySelector("button")?.focus();
    };
    const buttons = [["Yes", true], ["No", false], ["Cannot say", null]].map(([label, isNear]) => element("button", { type: "button", click: answered(isNear) }, label));
    const about = element("span", { class: "quiet" }, `similarity ${pair.similarity.toFixed(2)}, ${count(left().length, "pair")} left`);
    place.replaceChildren(shownPair(pair), element("p", { class: "row" }, ...buttons, about));
  }
  show();
  showResult();
  return pairs.length === 0 ? [] : [element("details", { class: "judge" }, element("summary", {}, "Are these near-duplicates for you?"), place, result)];
}

// SPDX-License-Identifier: Apache-2.0
// All groups of the filter on paper: members, the survivor's text with its places, their readings.
"use strict";

const MOST_PRINTED = 2000;
const MOST_PRINTED_CHARACTERS = 8 << 20;

function printedText(view) {
  const text = element("div", { class: "text", dir: "auto" });
  const base = view.survivor.variant;
  if (base === undefined) {
    text.append(`The survivor ${KINDS[view.survivor.kind]}.`);
    return text;
  }
  let at = 0;
  view.places.forEach((place, i) => {
    appendText(text, base.text.slice(at, place.from));
    const mark = element("mark");
    appendText(mark, base.text.slice(place.from, place.to) || "▵", INVISIBLE);
    mark.append(element("sup", {}, String(i + 1)));
    text.append(mark);
    at = place.to;
  });
  appendText(text, base.text.slice(at));
  return text;
}

function printed(group, view) {
  const title = element("h2");
  appendTitle(title, group);
  const part = element("section", {}, title);
  const facts = [count(group.source.size, "document"), words(group.source.decision)];
  const both = range(group)?.map(similarity);
  if (both) {
    facts.splice(1, 0, `similarity ${both.join(" – ")}`);
  }
  part.append(element("p", {}, facts.join(" · ")));
  const list = element("ul");
  for (const row of view.rows) {
    const item = element("li");
    row.docs.slice(0, MOST_ROWS).forEach((doc, i) => {
      item.append(i > 0 ? "; " : "");
      showPlace(item, doc.place);
    });
    item.append(row.docs.length > MOST_ROWS ? ` and ${row.docs.length - MOST_ROWS} more` : "", ` – ${stateOf(row, group)[1]}`);
    item.append(row.isSurvivor ? "" : ` ${similarityOf(row.docs)}`, ...notesOf(row, { ...group, view }).map((note) => `, ${note}`));
    list.append(item);
  }
  part.append(list, printedText(view));
  if (view.places.length > 0) {
    view.names = namesOf(view);
    const readings = element("ol");
    for (const place of view.places) {
      const item = element("li");
      place.readings.forEach((each, i) => {
        item.append(i > 0 ? " | " : "");
        const read = element("b");
        appendShort(read, each.text || "nothing", HEAD);
        item.append(read, " (");
        appendReaders(item, { ...group, view }, each);
        item.append(")");
      });
      readings.append(item);
    }
    part.append(readings);
  }
  for (const variant of [...view.variants.values()].filter((each) => each.isApart)) {
    const whole = element("div", { class: "text", dir: "auto" });
    appendPassages(whole, variant.text.slice(0, MORE), variant.passages ?? [], "start", "end", appendText);
    part.append(element("h3", {}, variant.passages ? "Has passages in common:" : "Differs throughout:"), whole);
  }
  return part;
}

// Reads what is not there yet, then prints. What is left out is said on the paper.
async function printAll() {
  const shown = page.shown;
  const paper = $("paper");
  paper.replaceChildren(element("h1", {}, document.title));
  let [printedGroups, characters] = [0, 0];
  while (page.next !== null && page.groups.length < MOST_PRINTED) {
    say(`Reading ${page.groups.length} groups for print …`);
    await nameGroups(await load());
  }
  for (const group of page.groups.slice(0, MOST_PRINTED)) {
    if (characters > MOST_PRINTED_CHARACTERS || shown !== page.shown) {
      break;
    }
    const view = group.view?.isPlaced ? group.view : await viewOf(group);
    if (!view.isPlaced) {
      await compareAll(view, () => {});
      placeAll(view);
    }
    characters += view.characters;
    paper.append(printed(group, view));
    printedGroups++;
    say(`${printedGroups} of ${Math.max(page.total, page.groups.length)} groups are ready to print.`);
  }
  forgetFar();
  showList();
  const total = Math.max(page.total, page.groups.length);
  paper.firstChild.after(element("p", {}, `${printedGroups} of ${count(total, "group")} of the filter, run ${page.run}.`));
  globalThis.print();
  if (current()?.view && !current().view.isPlaced) {
    await show(); // Its comparison gave way to those on the paper.
  }
}

addEventListener("afterprint", () => $("paper").replaceChildren());

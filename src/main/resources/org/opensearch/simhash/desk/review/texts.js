// SPDX-License-Identifier: Apache-2.0
// Shows texts as texts: everything becomes a text node. What would be invisible, or would turn the text around, is named.
"use strict";

// Characters of an equal part that are shown before and after what differs, and of parts that are opened.
const AROUND = 200;
const MORE = 20000;

// Where texts are equal, zero-width joiners and the like stay: they shape what people read.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]|\p{Cs}/gu;
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

const $ = (id) => document.getElementById(id);

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(key, value);
    } else if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children);
  return made;
}

function codePoint(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// Appends a text; what nobody would see is a name in a box.
function appendText(parent, text, hidden = HARMFUL) {
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    parent.append(text.slice(from, match.index));
    parent.append(element("span", { class: "control", title: "a character that is not visible" }, codePoint(match[0])));
    from = match.index + match[0].length;
  }
  parent.append(text.slice(from));
}

// The same for a place that takes no boxes.
function named(text) {
  return text.replace(INVISIBLE, codePoint);
}

// Does not cut a character in two.
function safeEnd(text, at) {
  return at > 0 && at < text.length && /[\ud800-\udbff]/.test(text[at - 1]) && /[\udc00-\udfff]/.test(text[at]) ? at - 1 : at;
}

// A part of which the rest is shown when somebody asks for it, some of it at a time.
function appendLong(parent, text, head, tail, hidden, what = "more characters") {
  if (text.length <= head + tail + AROUND) {
    appendText(parent, text, hidden);
    return;
  }
  // Not within a word, where there are words.
  let from = safeEnd(text, text.lastIndexOf(" ", head) > head - AROUND / 4 ? text.lastIndexOf(" ", head) + 1 : head);
  const end = text.length - tail;
  const space = text.indexOf(" ", end);
  const to = safeEnd(text, tail > 0 && space >= 0 && space < end + AROUND / 4 ? space : end);
  appendText(parent, text.slice(0, from), hidden);
  const button = element("button", { type: "button", class: "more" });
  const name = () => {
    button.textContent = `— ${(to - from).toLocaleString("en")} ${what} —`;
  };
  name();
  button.addEventListener("click", () => {
    const next = Math.min(to, safeEnd(text, from + MORE));
    const opened = element("span");
    appendText(opened, text.slice(from, next), hidden);
    button.before(opened);
    from = next;
    if (from >= to) {
      button.remove();
    } else {
      name();
    }
  });
  parent.append(button);
  appendText(parent, text.slice(to), hidden);
}

// A short text on one line, for names and headings.
function appendShort(parent, text, most = 120) {
  const line = text.replace(/\s+/g, " ").trim();
  appendText(parent, line.length > most ? `${line.slice(0, safeEnd(line, most))}…` : line, INVISIBLE);
}

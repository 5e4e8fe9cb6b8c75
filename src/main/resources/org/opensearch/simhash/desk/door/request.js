// SPDX-License-Identifier: Apache-2.0
// A request as people see it: to read, to change, to copy, to send. What it does is watched as a task.
"use strict";

const PLUGIN = "/_plugins/_simhash";
const PAUSE = 500;

const $ = (id) => document.getElementById(id);

// Texts become text, never markup.
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(key, value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const name = (text) => element("bdi", {}, text);

function say(text) {
  $("status").textContent = text;
}

function problem(error) {
  $("problem").textContent = error.message;
  $("problem").hidden = false;
}

function noProblem() {
  $("problem").hidden = true;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function took(seconds) {
  return seconds < 1 ? "less than a second" : seconds < 100 ? `about ${Math.round(seconds)} s` : `about ${Math.round(seconds / 60)} min`;
}

const segment = (text) => encodeURIComponent(text);

// The status of a task, whoever started it.
function progressOf(status) {
  if (!status) {
    return { text: "", value: null };
  }
  const total = status.total ?? 0;
  const done = status.done ?? (status.updated ?? 0) + (status.deleted ?? 0) + (status.created ?? 0);
  const phase = status.phase ?? "";
  const value = total > 0 ? Math.min(1, done / total) : null;
  return { text: value === null ? phase : `${phase} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`.trim(), value };
}

function showProgress(bar, text, status) {
  const { text: words, value } = progressOf(status);
  if (value === null) {
    bar.removeAttribute("value");
  } else {
    bar.value = value;
  }
  text.textContent = words;
}

// Waits for a task, and returns its answer. The task goes on if the page is closed.
async function awaited(id, whileRunning) {
  for (;;) {
    const task = await ask("GET", `${ROOT}/_tasks/${segment(id)}`);
    if (task.completed) {
      if (task.error) {
        throw new Problem(reason({ error: task.error }) || "The task failed.", 0, task.error);
      }
      return task.response;
    }
    whileRunning(task.task);
    await pause(PAUSE);
  }
}

function cancelling(id) {
  const path = `/_tasks/${id}/_cancel`;
  const button = element("button", { type: "button", class: "danger", title: `POST ${path}` }, "Cancel");
  button.addEventListener("click", () => {
    button.disabled = true;
    ask("POST", `${ROOT}/_tasks/${segment(id)}/_cancel`, {}).catch(problem);
  });
  return button;
}

// A list of what differs between documents: words that are too long for the place scroll within it. chosen is the place of a row.
function table(label, heads, rows, { kind, chosen } = {}) {
  const head = heads.map((each) => element(each === "" ? "td" : "th", each === "" ? {} : { scope: "col", class: kind }, each));
  return element(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows.map((cells, i) => element("tr", { class: i === chosen && "chosen" }, ...cells)))),
  );
}

const cell = (...content) => element("td", {}, ...content);
const number = (count) => element("td", { class: "number" }, typeof count === "number" ? count.toLocaleString("en") : count);

const note = (kind, text) => element("p", { class: `note ${kind}` }, text);

// What went wrong with documents, and what people should know.
function notes({ failures, warnings }) {
  const words = (each) => (typeof each === "string" ? each : [each.index, each.id].filter(Boolean).join("/") + `: ${each.reason ?? each.cause?.reason ?? JSON.stringify(each)}`);
  return [...(warnings ?? []).map((each) => note("warn", each)), ...(failures ?? []).slice(0, 20).map((each) => note("bad", words(each)))];
}

// Requests of this page that are under way: what they are about is not shown anew meanwhile.
let underWay = 0;

/*
 * One button, and behind it the request: { method, path, body, label, kind, isTask, started, sure, done, changing }. A body can be changed
 * before it is sent. With isTask it is sent with wait_for_completion=false and watched. sure returns a question that is asked
 * first. done gets the answer, and may return what to show of it. changing gets a function that puts another body in.
 */
function requestPanel({ method, path, body, label, kind, isTask, started, sure, done, changing }) {
  const line = element("p", { class: "line" }, `${method} ${path}`);
  const text = body === undefined || body === null ? null : JSON.stringify(body, null, 2);
  const editor = text === null ? null : element("textarea", { rows: Math.min(14, text.split("\n").length), spellcheck: "false", "aria-label": `Body of ${method} ${path}` });
  if (editor) {
    editor.value = text;
    changing?.((other) => {
      editor.value = JSON.stringify(other, null, 2);
    });
  }
  const copy = element("button", { type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(`${method} ${path}${editor ? `\n${editor.value}` : ""}`);
      say("The request is copied.");
      copy.textContent = "Copied";
    } catch (e) {
      (editor ?? line).focus();
      editor?.select();
      say("The browser does not let the page copy. The text is selected.");
    }
  });
  const send = element("button", { type: "button", class: kind ?? "" }, label);
  const bar = element("progress", { max: 1, "aria-label": "Progress" });
  const words = element("span", { class: "quiet" });
  const stop = element("span", {});
  const watch = element("p", { class: "row", hidden: true }, bar, words, stop);
  const result = element("div", { class: "result" });
  const shown = element("details", { class: "sent" }, element("summary", {}, "The request that this sends"), line, editor, element("p", {}, copy));
  const panel = element("div", { class: "request" }, element("div", { class: "row" }, send), watch, result, shown);

  function typed() {
    if (editor === null) {
      return undefined;
    }
    try {
      const parsed = JSON.parse(editor.value);
      editor.removeAttribute("aria-invalid");
      return parsed;
    } catch (e) {
      shown.open = true;
      editor.setAttribute("aria-invalid", "true");
      editor.focus();
      throw new Problem(`The body is not JSON: ${e.message}`, 0);
    }
  }

  async function run() {
    noProblem();
    send.disabled = true;
    underWay++;
    result.replaceChildren();
    watch.hidden = false;
    showProgress(bar, words, null);
    try {
      const sent = typed();
      const [place, query] = path.split("?", 2);
      const parameters = new URLSearchParams(query ?? "");
      if (isTask) {
        parameters.set("wait_for_completion", "false");
      }
      const at = `${ROOT}${place}${parameters.size > 0 ? `?${parameters}` : ""}`;
      let answer = await ask(method, at, isTask ? (sent ?? {}) : sent);
      if (isTask) {
        const id = answer.task;
        started?.(id);
        stop.replaceChildren(cancelling(id));
        answer = await awaited(id, (task) => showProgress(bar, words, task.status));
      }
      result.replaceChildren((await done?.(answer, sent)) ?? element("p", {}, "Done."));
      say(`${label}: done.`);
    } catch (error) {
      result.replaceChildren(note("bad", error.message));
      say(error.message);
    } finally {
      underWay--;
      watch.hidden = true;
      stop.replaceChildren();
      send.disabled = false;
    }
  }

  // The question, and what is done after a yes.
  async function first() {
    const yes = element("button", { type: "button", class: "danger" }, "Yes");
    const no = element("button", { type: "button" }, "No");
    yes.addEventListener("click", run);
    no.addEventListener("click", () => {
      result.replaceChildren();
      send.focus();
    });
    try {
      result.replaceChildren(element("div", { class: "note warn", role: "group", "aria-label": label }, element("p", {}, await sure(typed())), element("p", { class: "row" }, yes, no)));
      no.focus();
    } catch (error) {
      result.replaceChildren(note("bad", error.message));
    }
  }

  send.addEventListener("click", sure ? first : run);
  return panel;
}

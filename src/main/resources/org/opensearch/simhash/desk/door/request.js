// SPDX-License-Identifier: Apache-2.0
// A request as people see it: to read, to change, to copy, to send. What it does is watched as a task.
"use strict";

const ROOT = location.pathname.slice(0, Math.max(0, location.pathname.lastIndexOf("/_plugins/_simhash")));
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

function many(count, noun) {
  return `${Number(count).toLocaleString("en")} ${noun}${Number(count) === 1 ? "" : "s"}`;
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

/*
 * The request: { method, path, body, send, isTask, done }. A body can be changed before it is sent. With isTask it is sent with
 * wait_for_completion=false and watched. done gets the answer, and may return what to show in place of it.
 */
function requestPanel({ method, path, body, label, kind, isTask, started, done, isCopyOnly }) {
  const line = element("p", { class: "line" }, `${method} ${path}`);
  const editor =
    body === undefined || body === null
      ? null
      : element("textarea", { rows: Math.min(14, JSON.stringify(body, null, 2).split("\n").length), spellcheck: "false", "aria-label": `Body of ${method} ${path}` });
  if (editor) {
    editor.value = JSON.stringify(body, null, 2);
  }
  const copy = element("button", { type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    const text = `${method} ${path}${editor ? `\n${editor.value}` : ""}`;
    try {
      await navigator.clipboard.writeText(text);
      say("The request is copied.");
      copy.textContent = "Copied";
    } catch (e) {
      (editor ?? line).focus();
      editor?.select();
      say("The browser does not let the page copy. The text is selected.");
    }
  });
  const send = isCopyOnly ? null : element("button", { type: "button", class: kind ?? "" }, label ?? "Send");
  const bar = element("progress", { max: 1, "aria-label": "Progress" });
  const words = element("span", { class: "quiet" });
  const stop = element("span", {});
  const watch = element("p", { class: "row", hidden: true }, bar, words, stop);
  const result = element("div", { class: "result" });
  const panel = element("div", { class: "request" }, line, editor, element("div", { class: "row" }, send, copy), watch, result);

  async function run() {
    noProblem();
    let typed;
    if (editor) {
      try {
        typed = JSON.parse(editor.value);
      } catch (e) {
        editor.setAttribute("aria-invalid", "true");
        editor.focus();
        throw new Problem(`The body is not JSON: ${e.message}`, 0);
      }
      editor.removeAttribute("aria-invalid");
    }
    send.disabled = true;
    result.replaceChildren();
    watch.hidden = false;
    showProgress(bar, words, null);
    try {
      const [place, query] = path.split("?", 2);
      const parameters = new URLSearchParams(query ?? "");
      if (isTask) {
        parameters.set("wait_for_completion", "false");
      }
      const at = `${ROOT}${place}${parameters.size > 0 ? `?${parameters}` : ""}`;
      let answer = await ask(method, at, isTask ? (typed ?? {}) : typed);
      if (isTask) {
        const id = answer.task;
        started?.(id);
        stop.replaceChildren(cancelling(id));
        answer = await awaited(id, (task) => showProgress(bar, words, task.status));
      }
      const shown = await done?.(answer, typed);
      result.append(shown ?? element("pre", { class: "answer", tabindex: "0" }, JSON.stringify(answer, null, 2)));
      say(`${label ?? "The request"}: done.`);
    } finally {
      watch.hidden = true;
      stop.replaceChildren();
      send.disabled = false;
    }
  }

  send?.addEventListener("click", () => run().catch((error) => {
    result.replaceChildren(element("p", { class: "note bad" }, error.message));
    say(error.message);
  }));
  panel.run = run;
  return panel;
}

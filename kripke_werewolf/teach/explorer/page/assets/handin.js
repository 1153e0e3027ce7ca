// Handing in: one sealed file with all answers, sent to the host of the class, or saved where there is none.
import { button, h, saveFile } from "./dom.js";
import { say } from "./words.js";

export function createHandIn(app, redraw) {
  let told = null; // what came of the last try

  async function sealed() {
    await app.idle(); // the last row at the desk, and then the proof, which is an answer
    await app.idle();
    return app.query({ command: "hand-in", ...app.sheet.attempt() });
  }

  async function save() {
    const found = await sealed();
    if (found) saveFile(found.file, found.text, found.mime);
  }

  async function send() {
    const found = await sealed();
    if (!found) return;
    const show = (text) => { told = text; redraw(); };
    show(say("sending"));
    let answer;
    try {
      answer = await fetch(`hand-in/${app.sheet.code}`, { method: "POST", body: found.text, headers: { "content-type": "application/json" } });
    } catch {
      return show(say("not-sent"));
    }
    try {
      const reply = answer.headers.get("content-type")?.includes("json") ? await answer.json() : { error: await answer.text() };
      if (!answer.ok) return show(say("not-taken", { reason: reply.error.trim() }));
      app.sheet.received(reply);
      show(null);
    } catch {
      show(say("not-sent"));
    }
  }

  function element() {
    const { attempts, due, host, sealed: mine } = app.view.exercise;
    if (!mine) return null;
    const receipts = app.sheet.receipts();
    return h("section", { class: "hand-in" },
      h("div", { class: "row" },
        button(say(host ? "hand-in-host" : "hand-in"), host ? send : save, { class: "primary", "data-key": "hand in" }),
        host ? button(say("hand-in"), save, { "data-key": "save" }) : null),
      told ? h("p", { class: "not-right", role: "status" }, told) : null,
      receipts.length ? h("ul", { class: "receipts", role: "status" }, receipts.map((one) => h("li", {}, say(one.late ? "received-late" : "received", one)))) : null,
      h("p", { class: "hint" }, say("hand-in-long"), " ", attempts ? say("attempts-count", { n: Number(attempts) }) : "", " ", due ? say("due", { due }) : ""));
  }

  return { element };
}

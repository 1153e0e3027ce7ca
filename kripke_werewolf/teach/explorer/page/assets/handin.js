// Handing in: one sealed file with all answers, sent to the host of the class, or saved where there is none.
import { button, h, saveFile } from "./dom.js";
import { post } from "./engines.js";
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

  function show(text) {
    told = text;
    redraw();
  }

  async function send() {
    const found = await sealed();
    if (!found) return;
    show(say("sending"));
    try {
      const receipt = await post(`hand-in/${app.sheet.code}`, found.text, say("not-sent"));
      const others = app.sheet.read("receipts", []).filter((one) => one.receipt !== receipt.receipt);
      app.sheet.write("receipts", [...others, receipt]);
      show(null);
    } catch (error) {
      show(say("not-taken", { reason: error.message }));
    }
  }

  function element() {
    const { attempts, due, host, sealed: mine } = app.view.exercise;
    if (!mine) return null;
    const receipts = app.sheet.read("receipts", []);
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

// A question in English about what this player can know: words to tap that continue it, and the answer.
import { button, h } from "./dom.js";
import { post } from "./line.js";
import { folded } from "./parts.js";
import { say } from "./words.js";

const SHOWN = 14; // words that are offered at a time

// Return a function that draws the line in a moment; an answer is forgotten when the next has come.
// `open` remembers whether it is unfolded.
export function asking(redraw, open) {
  let text = "", before = null, offered = [], answered = null, turn = 0, shown;

  // The host is asked once for each word: what is typed of it only chooses among what is offered.
  async function look() {
    const begun = text.replace(/\S*$/, "");
    if (begun === before) return;
    const mine = (turn += 1);
    before = begun;
    offered = []; // a second tap takes no word of the list before
    const reply = await post("/ask", { begun }).catch(() => ({}));
    if (mine !== turn) return;
    if (!reply.words) before = null; // too many at a time: asked again with the next letter
    offered = reply.words ?? [];
    redraw();
  }

  function take(word) {
    text = `${before}${word}${word.endsWith("?") ? "" : " "}`;
    answered = null;
    look();
    redraw();
  }

  async function ask() {
    const question = text.trim();
    if (!question) return;
    answered = { question, lines: ["…"] };
    redraw();
    const reply = await post("/ask", { question }).catch(() => ({ error: say("no-answer") }));
    answered = { question, wrong: Boolean(reply.error), lines: (reply.answer ?? reply.error).split("\n").filter((line) => !line.startsWith("  ")) };
    redraw();
    document.getElementById("said")?.scrollIntoView({ block: "nearest" });
  }

  function words() {
    const last = text.slice(before?.length ?? 0).toLowerCase();
    return offered.filter((word) => word.toLowerCase().startsWith(last) && word.toLowerCase() !== last).slice(0, SHOWN);
  }

  return (moment) => {
    if (moment !== shown) answered = null;
    shown = moment;
    const input = h("input", {
      type: "text", "aria-label": say("ask"), autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "send", maxlength: "300", lang: "en",
      ".value": text, "data-key": "question", oninput: (event) => { text = event.target.value; answered = null; look(); redraw(); },
    });
    const line = folded("ask", say("ask"), [
      h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); ask(); } }, input, h("button", { type: "submit", "data-key": "ask it" }, say("ask-it"))),
      h("div", { class: "said", lang: "en" }, words().map((word) => button(word, () => take(word), { "data-key": `word ${word}` }))),
      answered ? h("div", { id: "said", class: answered.wrong ? "wrong" : "answer", role: "status" }, [answered.question, ...answered.lines].map((line) => h("p", {}, line))) : null,
    ], open);
    line.addEventListener("toggle", () => { if (line.open) look(); });
    return line;
  };
}

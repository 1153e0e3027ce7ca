// How to begin: a puzzle, a file, a text, a link, an empty board.
import { button, fill, h } from "./dom.js";
import { say } from "./words.js";

const FILE_LIMIT = 2_000_000; // bytes of a file

export function createOpening(app) {
  const puzzles = h("ul", { class: "puzzles" });
  const file = h("input", { type: "file", "aria-label": say("open-file"), onchange: () => { if (file.files[0]) read(file.files[0]); } });
  const text = h("textarea", { rows: "5", "aria-label": say("open-text"), placeholder: say("open-text-long"), spellcheck: "false" });
  const wrong = h("div", { class: "alert", role: "alert", ".hidden": true });
  const players = h("section", { class: "players" });
  const element = h("dialog", { class: "opening", "aria-label": say("open") },
    h("div", { class: "dialog-head" }, h("h2", {}, say("open")), button(say("close"), () => element.close())),
    wrong, players,
    h("div", { class: "columns" },
      h("section", {}, h("h3", {}, say("puzzles")), puzzles),
      h("section", {},
        h("h3", {}, say("empty-board")), h("p", { class: "hint" }, say("empty-board-long")),
        button(say("empty-board"), () => begin({ empty: true }), { "data-key": "empty" }),
        h("h3", {}, say("open-file")), h("p", { class: "hint" }, say("open-file-long")), file,
        h("h3", {}, say("open-text")), text,
        button(say("open-it"), () => begin({ text: text.value, name: say("text-given") }), { "data-key": "open text" }))));

  async function begin(what) {
    const reply = await app.perform({ command: "open", ...what }, { quiet: true });
    if (!reply.ok) return complain(reply.error.message);
    if (reply.result?.choose) return choose(reply.result.choose, what);
    app.selected.clear();
    element.close();
    app.front();
  }

  function complain(message) {
    wrong.hidden = !message;
    fill(wrong, message ? h("pre", {}, message) : []);
  }

  function choose(names, what) {
    complain(null);
    fill(players, h("h3", {}, say("whose-view")), h("p", { class: "hint" }, say("whose-view-long")), h("div", { class: "row" },
      button(say("public-view"), () => begin({ ...what, player: null })), names.map((name) => button(name, () => begin({ ...what, player: name })))));
    players.querySelector("button").focus();
  }

  async function read(given) {
    if (given.size > FILE_LIMIT) return complain(say("file-too-large", { name: given.name, limit: FILE_LIMIT.toLocaleString(), size: given.size.toLocaleString() }));
    await begin({ text: await given.text(), name: given.name });
    file.value = "";
  }

  // `log`: a game that is given, whose player is to be chosen first.
  function open(log) {
    complain(null);
    players.replaceChildren();
    update();
    if (!element.open) element.showModal();
    if (log) choose(log.players, log.open);
  }

  function update() {
    fill(puzzles, (app.catalogue?.puzzles ?? []).map((puzzle) => {
      const size = puzzle.size ? h("input", { type: "number", min: "1", ".value": puzzle.size, "aria-label": say("size-of", { name: puzzle.name }) }) : null;
      return h("li", {},
        h("div", { class: "row" }, button(puzzle.name, () => begin({ puzzle: puzzle.name, ...(size ? { n: Number(size.value) } : {}) }), { "data-puzzle": puzzle.name }), size ? h("span", { class: "size" }, h("span", { "aria-hidden": "true" }, say("size-n")), size) : null),
        h("p", { class: "hint", lang: "en" }, puzzle.about));
    }));
  }

  return { element, open, update };
}

// The page of those who watch: after a promise of silence they see everything.
import { fill, h } from "./dom.js";
import { say } from "./words.js";
import { hello, listen, post } from "./line.js";
import { afterwards } from "./afterwards.js";
import { ballotNews, banner, calm, clock, ending, grid, language, marks, news, people, rules, secrets, tick, waiting } from "./parts.js";

export function watch(root) {
  const head = h("header", {}), body = h("main", { class: "sheet" }), foot = h("footer", {});
  root.append(head, body, foot);
  const open = new Set();
  let line = null, view = null, later = null, lost = false, code = location.hash.slice(1), promised = false, busy = false;
  const redraw = calm(root, () => view && show());
  begin();
  setInterval(() => { if (line) tick(root, line.offset); }, 500);

  async function begin() {
    const known = await hello(() => { lost = true; fill(foot, banner(say("cut-off"))); });
    lost = false;
    if (!known.watches) return entering();
    line = listen("watch", {
      view(found) { view = found; redraw(); },
      cut(state) { lost = state; if (view) status(); },
      freed() { line = view = null; later?.stop(); later = null; begin(); },
    });
  }

  function entering(wrong = "") {
    const typed = h("input", { type: "text", id: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "20", ".value": code, "data-key": "code", oninput: (event) => { code = event.target.value; } });
    const promise = h("input", { type: "checkbox", id: "promise", ".checked": promised, "data-key": "promise", onchange: (event) => { promised = event.target.checked; } });
    fill(head, h("h1", {}, say("watch")), rules());
    fill(body, h("form", { onsubmit: enter }, h("label", { for: "code", class: "field" }, say("watch-code")), typed,
      h("p", {}, h("label", { class: "promise" }, promise, " ", say("promise"))),
      h("p", {}, h("button", { class: "primary", type: "submit", "data-key": "enter" }, say("watch"))),
      wrong ? h("p", { class: "wrong", role: "alert" }, wrong) : null), language());
    fill(foot);
  }

  async function enter(event) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    try {
      const reply = await post("/watch/enter", { code, promised });
      if (reply.error) return entering(reply.error);
      history.replaceState(null, "", "/watch");
      begin();
    } catch {
      entering(say("no-answer"));
    } finally {
      busy = false;
    }
  }

  function status() {
    fill(foot, banner(lost ? say("cut-off") : ""), h("p", { class: "status" }, view.kind === "lobby" ? view.settings : waiting(view) || " "), marks(view));
  }

  function show() {
    const lobby = view.kind === "lobby";
    if (view.kind === "over") later ??= afterwards(redraw, null);
    fill(head, h("h1", {}, lobby ? say("lobby") : view.phase), h("p", { class: "phase" }, clock(view)), rules());
    fill(body, lobby ? [h("h2", {}, say("here", { n: view.players.length })), h("ol", { class: "people" }, view.players.map((name) => h("li", {}, name)))] : [
      ending(view), later?.ready() ? later.show(view.players) : null, h("section", { class: "news" }, news(view.feed, open)),
      view.ballot ? [h("h2", {}, say("vote")), ballotNews(view.ballot)] : null,
      grid(view.table, { title: say("table") }), people(view), view.master_table ? h("section", {}, secrets(view)) : null, language()]);
    status();
    tick(root, line?.offset ?? 0);
  }
}

// The game master's page: everything that keeps an evening going; secrets only when asked for.
import { fill, h, select } from "./dom.js";
import { say } from "./words.js";
import { hello, listen, outbox, post } from "./line.js";
import { again, ballotNews, banner, button, calm, choices, clock, deck, ending, folded, grid, inTurn, language, marks, news, robots, rules, score, secrets as shown, tick, waiting } from "./parts.js";

export function master(root) {
  const head = h("header", {}), body = h("main", { class: "sheet master" }), foot = h("footer", {});
  root.append(head, body, foot);
  const open = new Set();
  let line = null, view = null, lost = false, told = "", secret = false, sure = "", address = `${location.origin}/`;
  let acting = { player: "", target: "" };
  const call = inTurn((refused) => { told = refused; status(); });
  let box = null;
  const redraw = calm(root, () => view && show());
  begin();
  setInterval(() => { if (line) tick(root, line.offset); }, 500);

  async function begin() {
    const known = await hello(() => { lost = true; fill(foot, banner(say("cut-off"))); });
    lost = false;
    address = known.address;
    if (!known.master) return entering();
    box ??= outbox(`kw-pending-${root.dataset.evening}-master`, { changed: status, answered(reply) { told = reply.error ?? reply.text ?? ""; status(); }, extra: { as: "master" } });
    hear();
  }

  function hear() {
    line?.close();
    line = listen(secret ? "secrets" : "master", {
      view(found) { view = found; redraw(); },
      cut(state) { lost = state; status(); },
      freed() { line = null; begin(); },
    });
  }

  function entering(wrong = "") {
    fill(head, h("h1", {}, say("master")));
    const key = h("input", { type: "text", id: "key", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "20", "data-key": "key" });
    fill(body, h("form", { onsubmit: async (event) => {
      event.preventDefault();
      try {
        const reply = await post("/master/enter", { key: key.value });
        return reply.error ? entering(reply.error) : begin();
      } catch {
        entering(say("no-answer"));
      }
    } }, h("label", { for: "key", class: "field" }, say("key")), key, h("p", {}, h("button", { class: "primary", type: "submit" }, say("enter"))), wrong ? h("p", { class: "wrong", role: "alert" }, wrong) : null));
    fill(foot);
  }

  function status() {
    fill(foot, banner(lost ? say("cut-off") : ""), told ? h("p", { class: "told", role: "status" }, told) : null, h("p", { class: "status" }, (box?.waiting.length ? say("sending") : "") || (view && view.kind !== "lobby" ? waiting(view) : "") || " "), view ? marks(view) : null);
  }

  function show() {
    const playing = view.kind !== "lobby";
    fill(head, h("h1", {}, say("master")), h("p", { class: "phase" }, playing ? view.phase : say("lobby"), " ", clock(view)), rules());
    fill(body, playing ? [flow(), view.kind === "over" ? again((path, content) => call(path, { as: "master", ...content })) : act(), secrets(), seats(), h("section", {}, h("h2", {}, say("news")), news(view.feed, open)), folded("table", say("table"), grid(view.table) ?? say("no-table"), open), ending(view), view.kind === "over" ? h("p", {}, h("a", { href: "/story", target: "_blank", rel: "noopener" }, say("share"))) : null, watchers()] : [h("section", {}, h("h2", {}, say("here", { n: view.players.length })), h("p", { class: "hint" }, view.settings), deck(view), choices(view, (settings) => call("/settings", { as: "master", settings })), button(say("begin"), () => call("/begin", { as: "master" }), { class: "primary" })), robots(view, (number) => call("/robots", { as: "master", number })), seats(), score(view), watchers()]);
    status();
    tick(root, line?.offset ?? 0);
  }

  function command(content) {
    told = "";
    sure = "";
    box.send(content, view.moment);
    redraw();
  }

  // A button that wants a second tap, for what cannot be taken back by another tap.
  function careful(label, act) {
    const asked = sure === label;
    return button(asked ? say("sure", { what: label }) : label, () => { if (asked) { sure = ""; act(); } else { sure = label; redraw(); } }, { class: asked ? "primary" : null, "data-key": label });
  }

  function flow() {
    const over = view.kind === "over";
    return h("section", { class: "row" },
      over ? null : careful(say("end-phase"), () => command({ do: "end" })),
      over || view.kind === "day" ? null : careful(say("end-pass"), () => command({ do: "end", missing: "pass" })),
      over || view.kind === "day" ? null : careful(say("end-random"), () => command({ do: "end", missing: "random" })),
      careful(say("undo-phase"), () => command({ do: "undo", phase: true })),
      careful(say("undo"), () => command({ do: "undo" })),
      over ? null : button(say(view.paused ? "resume" : "pause"), () => command({ do: "pause", paused: !view.paused }), { "data-key": "pause" }));
  }

  function act() {
    const voting = view.kind === "day", spoken = voting && view.ballot.kind === "spoken";
    const actions = voting ? [] : view.acts ?? [];
    const names = [["", "…"], ...view.alive.map((name) => [name, name])];
    const targets = [["", say(voting ? "nobody" : "decline")], ...view.players.filter((name) => view.alive.includes(name)).map((name) => [name, name])];
    const target = select(say("target"), targets, acting.target, (value) => { acting.target = value; });
    const player = spoken ? null : select(say("for-whom"), names, acting.player, (value) => { acting.player = value; });
    const send = (content) => { if (spoken || acting.player) command(content); };
    return h("section", {}, h("h2", {}, say("act-for")), view.ballot ? ballotNews(view.ballot) : null, h("div", { class: "row" }, player, target,
      spoken ? careful(say("vote-off"), () => { if (acting.target) command({ do: "vote_off", players: [acting.target] }); }) : voting ? button(say("vote"), () => send({ do: "vote", voter: acting.player, target: acting.target || null }), { "data-key": "act" })
        : actions.map((action) => button(say(action), () => send({ do: "choose", actor: acting.player, action, target: acting.target || null }), { "data-key": `act ${action}` }))));
  }

  function seats() {
    const playing = view.kind !== "lobby";
    return h("section", {}, h("h2", {}, say("seats")), h("ul", { class: "seats" }, [...view.players, ...(view.later ?? [])].map((name) => {
      const away = playing && view.away.includes(name), taken = view.taken.includes(name);
      const state = view.online.includes(name) ? "online" : taken ? "offline" : "free";
      return h("li", {}, h("span", { class: state }, `${name}: ${say(state)}${away ? `, ${say("away")}` : ""}`),
        taken ? careful(say(playing ? "free-seat" : "remove", { name }), () => call("/master/free", { player: name })) : null,
        playing && !taken ? robot(name) : null,
        playing && view.players.includes(name) ? button(say(away ? "back" : "is-away", { name }), () => command({ do: "away", player: name, away: !away }), { "data-key": `away ${name}` }) : null);
    })), language());
  }

  // An empty seat may be filled by a robot.
  function robot(name) {
    const all = view.played ?? [], others = all.filter((other) => other !== name), plays = others.length < all.length;
    return button(say(plays ? "robot-stops" : "robot-plays", { name }), () => command({ do: "robots", players: plays ? others : [...others, name] }), { "data-key": `robot ${name}` });
  }

  function secrets() {
    const toggle = button(say(secret ? "hide-secrets" : "show-secrets"), () => { secret = !secret; hear(); }, { "data-key": "secrets" });
    if (!secret || !view.choices) return h("section", {}, toggle);
    return h("section", {}, toggle,
      shown(view));
  }

  // The link for those who watch; a new one sends everybody away who came by the old one.
  function watchers() {
    const admit = (allowed) => () => call("/master/watchers", { allowed });
    return folded("watchers", say("watchers"), [
      h("p", {}, say("watch-all", { link: view.watching ? `${address}watch#${view.watching}` : say("watch-nobody") })),
      h("div", { class: "row" }, button(say("new-link"), admit(true), { "data-key": "new-watchers" }),
        view.watching ? button(say("no-link"), admit(false), { "data-key": "no-watchers" }) : null)], open);
  }
}

// A player's page: join, wait, the night, the day, being dead, the end.
import { fill, h, lines } from "./dom.js";
import { say } from "./words.js";
import { hello, listen, outbox, post } from "./line.js";
import { CROWDED, again, ballotNews, banner, button, calm, choices, clock, deck, ending, folded, grid, inTurn, language, marks, news, people, robots, rules, score, tick, waiting } from "./parts.js";
import { afterwards } from "./afterwards.js";
import { asking } from "./ask.js";
import { arrived, switches, warn } from "./senses.js";

const SHOWN = 5000; // milliseconds after which an accepted answer that no view has shown counts no more

export function player(root) {
  const head = h("header", {}), body = h("main", { class: "sheet" }), foot = h("footer", {});
  root.append(head, body, foot);
  const open = new Set();
  const drafts = new Map(); // what is chosen and not confirmed, by moment and action
  const halves = new Map(); // for pairs: the names that are chosen so far
  const changing = new Set(); // answers that are being changed
  const accepted = new Map(); // answers that the host has accepted and no view has shown yet, by moment and action
  const redraw = calm(root, () => view && show());
  const questions = asking(redraw, open);
  let line = null, view = null, lost = false, told = "", box = null, later = null;
  const hints = new Map(); // asked for, by moment and action
  let guide = stored(); // whether explanations are open; null: in the first nights
  let busy = false; // joining: a second tap does nothing
  const act = inTurn((refused) => { told = refused; status(); });
  let typed = { code: location.hash.slice(1), name: "" };

  begin();
  setInterval(() => { if (line) warn(tick(root, line.offset)); }, 500);

  async function begin() {
    const known = await hello(() => {
      lost = true;
      fill(head, h("h1", {}, say("title")));
      fill(foot, banner(say("cut-off")));
    });
    lost = false;
    if (known.seat === null) return joining(known);
    box = outbox(`kw-pending-${root.dataset.evening}-${known.seat}`, { changed: status, answered });
    line = listen("player", {
      view(found) {
        view = found;
        redraw();
        if (arrived(found)) body.scrollTop = 0; // where the news are
      },
      cut(state) { lost = state; status(); },
      freed() { line = null; view = null; told = ""; box.clear(); begin(); },
    });
  }

  // Joining

  function joining(known, wrong = "") {
    fill(head, h("h1", {}, say("title")), rules());
    const code = h("input", { type: "text", id: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: "12", ".value": typed.code, "data-key": "code", oninput: (event) => { typed.code = event.target.value; } });
    const name = h("input", { type: "text", id: "name", autocomplete: "nickname", maxlength: "40", ".value": typed.name, "data-key": "name", oninput: (event) => { typed.name = event.target.value; } });
    const seats = known.free.map((free) => button(free, () => join(known, free), { class: "name" }));
    fill(
      body,
      h("h2", {}, say("join")),
      h("form", { onsubmit: (event) => { event.preventDefault(); join(known, name.value); } },
        h("label", { for: "code", class: "field" }, say("code")), code,
        known.begun && seats.length ? [h("p", {}, say("which-seat")), h("div", { class: "names" }, seats)] : null,
        h("label", { for: "name", class: "field" }, say(known.begun ? "join-next" : "your-name")), name, h("p", {}, h("button", { class: "primary", type: "submit", "data-key": "join" }, say("join"))),
        wrong ? h("p", { class: "wrong", role: "alert" }, wrong) : null),
      h("p", { class: "hint" }, say("private")),
      language(),
    );
    fill(foot);
  }

  async function join(known, name) {
    if (busy) return;
    busy = true;
    try {
      const reply = await post("/join", { code: typed.code, name });
      const fresh = await (await fetch("/hello")).json();
      if (fresh.seat === null) return joining(fresh, reply.error);
      history.replaceState(null, "", "/"); // also if the first answer was lost on its way
      begin();
    } catch {
      joining(known, say("no-answer"));
    } finally {
      busy = false;
    }
  }

  // The screens

  function show() {
    for (const kept of [drafts, halves, changing, accepted, hints]) for (const key of kept.keys()) if (!key.startsWith(`${view.moment} `)) kept.delete(key);
    fill(head, h("h1", {}, view.player), h("p", { class: "phase" }, view.kind === "lobby" ? say("lobby") : view.phase, " ", clock(view)), rules());
    root.classList.toggle("crowded", view.players.length > CROWDED);
    if (view.kind !== "over") { later?.stop(); later = null; }
    const screen = { lobby, night, day, over }[view.kind];
    fill(body, view.kind !== "lobby" && view.kind !== "over" && !view.you.alive && !view.ask?.length ? dead() : screen());
    status();
    if (line) tick(root, line.offset);
  }

  function status() {
    const sending = box?.waiting.length ? say("sending") : "";
    fill(foot, banner(lost ? say("cut-off") : ""), told ? h("p", { class: "wrong", role: "alert" }, told) : null, h("p", { class: "status", role: "status" }, sending || (view && view.kind !== "lobby" ? waiting(view) : "") || " "), view ? marks(view) : null);
  }

  function lobby() {
    if (view.waits) return [h("p", { class: "big" }, say("waits")), h("p", {}, button(say("leave"), () => act("/leave"))), score(view), language(), switches()];
    return [
      h("h2", {}, say("here", { n: view.players.length })),
      h("ol", { class: "people" }, view.players.map((name) => h("li", {}, name))),
      h("p", { class: "hint" }, view.settings),
      deck(view),
      choices(view, (settings) => act("/settings", { settings })),
      view.first ? [robots(view, (number) => act("/robots", { number })), h("p", { class: "confirm" }, button(say("begin"), () => act("/begin"), { class: "primary" }))] : h("p", {}, say("first-begins", { name: view.players[0] })),
      h("p", {}, button(say("leave"), () => act("/leave"))),
      score(view),
      language(),
      switches(),
    ];
  }

  function night() {
    const asks = view.ask ?? [], latest = view.feed.at(-1);
    return [latest ? h("section", { class: "news" }, h("h3", {}, latest.phase), lines(latest.lines)) : null, asks.map(question), asks.length ? null : h("p", {}, say("nothing-asked")), own(), asked(), publicly()];
  }

  // Many names stand closer together.
  function names(choices) {
    return choices.length > 10 ? "names many" : "names";
  }

  function question(ask) {
    const key = `${view.moment} ${ask.action}`;
    const given = sent(key, ask.answered, ask.target);
    const settled = (ask.answered || given) && !changing.has(key);
    const chosen = drafts.get(key);
    const label = (name) => ask.labels?.[ask.targets.indexOf(name)] ?? name;
    const choices = ask.targets.map((name) => [name, label(name)]);
    if (ask.may_decline) choices.push(["", say("decline")]);
    const target = label(given ? given.target : ask.target);
    const pairs = ask.pairs?.every((pair) => pair.length === 2);
    return h("section", { class: "ask" },
      h("h2", {}, ask.question),
      ask.explained ? explained(ask.action, ask.explained) : null,
      h("p", { class: "why" }, ask.why ? `${ask.why}${say("space")}${say("as-if")}` : say(pairs ? "counts-two" : "counts")),
      ask.refused ? h("p", { class: "wrong" }, say("refused", { names: ask.refused.join(say("comma")) })) : null,
      settled
        ? [h("p", { class: "answer" }, say("answer", { name: target ?? say("decline") })), h("p", {}, button(say("change"), () => { changing.add(key); drafts.delete(key); redraw(); }, { ".disabled": ask.final || Boolean(given), "data-key": `change ${ask.action}` }))]
        : [pairs ? inPairs(ask, key) : h("div", { class: names(choices), role: "radiogroup", "aria-label": ask.question }, choices.map(([value, label]) => h("button", { type: "button", role: "radio", class: "name", "aria-checked": String(chosen === value), "data-key": `${ask.action} ${value}`, onclick: () => { drafts.set(key, value); redraw(); } }, label))),
          confirming(key, ask.action, { do: "choose", action: ask.action })]);
  }

  function stored() {
    try {
      return JSON.parse(localStorage.getItem("kw-guide"));
    } catch {
      return null;
    }
  }

  // What a question is about, open in the first nights until it is put away; and a hint, if one is asked for.
  function explained(action, text) {
    const shown = guide ?? view.early, key = `${view.moment} ${action}`;
    const toggled = (event) => {
      if (event.target.open === shown) return;
      guide = event.target.open;
      try {
        localStorage.setItem("kw-guide", JSON.stringify(guide));
      } catch { /* private windows keep nothing */ }
    };
    return [
      h("details", { class: "guide", ".open": shown, "data-key": `guide ${action}`, ontoggle: toggled }, h("summary", {}, say("what-it-does")), h("p", {}, text)),
      hints.has(key) ? h("p", { class: "hint", role: "status" }, hints.get(key)) : h("p", {}, button(say("what-could-i-do"), () => advise(key, action), { class: "small", "data-key": `hint ${action}` })),
    ];
  }

  async function advise(key, action) {
    hints.set(key, "…");
    redraw();
    try {
      const reply = await (await fetch(`/hint/${action}`)).json();
      hints.set(key, reply.hint ?? reply.error);
    } catch {
      hints.delete(key);
      told = say("no-answer");
    }
    redraw();
  }

  // What the night changed for this player, or what they saw in One Night.
  function learnt() {
    if (!("changed" in view)) return h("div", { class: "changed" }, h("p", {}, say("card", { card: view.you.card })), lines(view.sheet.flatMap((page) => page.lines)));
    return view.changed ? h("p", { class: "changed" }, view.changed) : null;
  }

  // A pair is chosen by two names; a third one takes the place of the first.
  function inPairs(ask, key) {
    const all = [...new Set(ask.pairs.flat())], chosen = halves.get(key) ?? [];
    const pick = (name) => {
      const now = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name].slice(-2);
      const found = now.length === 2 ? ask.pairs.findIndex((pair) => now.every((one) => pair.includes(one))) : -1;
      halves.set(key, now);
      if (found < 0) drafts.delete(key);
      else drafts.set(key, ask.targets[found]);
      redraw();
    };
    const none = () => { halves.delete(key); drafts.set(key, ""); redraw(); };
    const one = (name, label, on, act) => h("button", { type: "button", role: "checkbox", class: "name", "aria-checked": String(on), "data-key": `${ask.action} ${name}`, onclick: act }, label);
    return h("div", { class: names(all), role: "group", "aria-label": ask.question },
      all.map((name) => one(name, name, chosen.includes(name), () => pick(name))),
      ask.may_decline ? one("", say("decline"), drafts.get(key) === "", none) : null);
  }

  // The button that sends the draft for a question; a second tap, before the page is drawn anew, finds no draft.
  function confirming(key, what, command) {
    return h("p", { class: "confirm" }, button(say("confirm"), () => {
      if (!drafts.has(key)) return;
      changing.delete(key);
      told = "";
      box.send({ ...command, target: drafts.get(key) || null }, view.moment);
      drafts.delete(key);
      redraw();
    }, { class: "primary", ".disabled": !drafts.has(key), "data-key": `confirm ${what}` }));
  }

  // Return what was sent for a question, or accepted, and is not in the view yet: the reply comes before the view.
  function sent(key, answered, target) {
    const waiting = box.waiting.find((item) => `${item.moment} ${item.command.action ?? "vote"}` === key);
    if (waiting) return waiting.command;
    const known = accepted.get(key);
    if (known && answered && target === known.target) accepted.delete(key);
    return accepted.get(key);
  }

  function answered(reply, done) {
    told = reply.error ?? (reply.accepted ? "" : reply.text);
    const key = `${done.moment} ${done.command.action ?? "vote"}`;
    if (told) changing.delete(key);
    else {
      accepted.set(key, done.command);
      setTimeout(() => { if (accepted.get(key) === done.command) { accepted.delete(key); redraw(); } }, SHOWN);
    }
    redraw();
  }

  function own() {
    const you = view.you;
    return folded("own", say("own-sheet"), [
      h("p", { class: "hint" }, say("only-you")),
      you.card ? h("p", {}, say("card", { card: you.card })) : null,
      you.number !== undefined ? h("p", {}, say("number", { number: you.number })) : null,
      you.chances ? grid({ header: you.chances.map(([name]) => name), rows: [you.chances.map(([, chance]) => chance)] }, { title: say("chances") }) : null,
      lines(you.opening),
      [...view.sheet].reverse().map((page) => (page.lines.length ? [h("h3", {}, page.phase), lines(page.lines)] : null)),
      language(),
      switches(),
    ], open);
  }

  function asked() {
    return "changed" in view ? questions(view.moment) : null; // nothing is asked in One Night
  }

  function publicly() {
    return [
      folded("table", say("table"), grid(view.table, { mark: view.player }) ?? h("p", { class: "hint" }, say("no-table")), open),
      folded("news", say("news"), news(view.feed, open), open),
      folded("people", say("people"), [people(view), h("p", { class: "hint" }, view.settings)], open),
    ];
  }

  function day() {
    const vote = view.vote, ballot = view.ballot, key = `${view.moment} vote`, chosen = drafts.get(key);
    const given = vote && sent(key, vote.answered, vote.target);
    const settled = vote && (vote.answered || given) && !changing.has(key);
    const target = given ? given.target : vote?.target;
    const choices = [...ballot.candidates.map((name) => [name, name]), ...(vote?.may_decline ? [["", say("nobody")]] : [])];
    return [
      view.feed.length ? h("section", { class: "news" }, news(view.feed, open)) : null,
      learnt(),
      own(),
      h("section", { class: "ask" },
        h("h2", {}, say("vote")),
        vote?.explained ? explained("vote", vote.explained) : null,
        !vote ? null : settled
          ? [h("p", { class: "answer" }, say("answer", { name: target ?? say("nobody") })), h("p", {}, button(say("change"), () => { changing.add(key); drafts.delete(key); redraw(); }, { ".disabled": Boolean(given), "data-key": "change vote" }))]
          : [h("div", { class: names(choices), role: "radiogroup", "aria-label": say("vote") }, choices.map(([value, label]) => h("button", { type: "button", role: "radio", class: "name", "aria-checked": String(chosen === value), "data-key": `vote ${value}`, onclick: () => { drafts.set(key, value); redraw(); } }, label))),
            confirming(key, "vote", { do: "vote" })],
        ballotNews(ballot)), // below: as votes come in they do not push the names down
      asked(),
      grid(view.table, { title: say("table"), mark: view.player }),
      folded("people", say("people"), [people(view), h("p", { class: "hint" }, view.settings)], open),
    ];
  }

  function dead() {
    return [
      h("p", { class: "big" }, say("you-are-dead")),
      h("p", { class: "hint" }, say("dead-rules")),
      h("section", { class: "news" }, news(view.feed, open)),
      view.ballot ? h("section", {}, h("h2", {}, say("vote")), ballotNews(view.ballot)) : null,
      own(),
      asked(),
      grid(view.table, { title: say("table"), mark: view.player }),
    ];
  }

  function over() {
    later ??= afterwards(redraw, view.player);
    return [h("p", { class: "big" }, view.headline), ending(view), view.leads ? again(act) : null, score(view), h("section", { class: "news" }, lines(view.feed.at(-1)?.lines ?? [])), later.show(view.players), own(), asked(), publicly()];
  }
}

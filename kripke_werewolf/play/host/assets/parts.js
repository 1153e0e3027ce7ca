// Parts of all pages: news, tables, ballots, time.
import { button as pressed, h, lines, select } from "./dom.js";
import { post } from "./line.js";
import { say } from "./words.js";

export const CROWDED = 12; // players, beyond which everything is smaller

// A button for which a double click is one press.
export function button(label, act, attributes = {}) {
  return pressed(label, (event) => { if (event.detail < 2) act(); }, attributes);
}

// Return a function that posts requests one after the other: a choice is still being sent when the next button is
// pressed. A request that is made again before it is answered is sent once. `done` gets why it was refused, or "".
export function inTurn(done) {
  const sent = new Set();
  let last = Promise.resolve();
  return (path, content = {}) => {
    const request = path + JSON.stringify(content);
    if (sent.has(request)) return;
    sent.add(request);
    last = last.then(async () => {
      const refused = await post(path, content).then((reply) => reply.error ?? "", () => say("no-answer"));
      sent.delete(request);
      done(refused);
    });
  };
}

// Return a function that draws, but not under a finger: an element that is replaced between press and release gets
// no click. Nor while a list is open to choose from: it would close.
export function calm(root, draw) {
  let until = 0, due = false;
  const held = () => Date.now() < until;
  const hold = (seconds) => { until = Date.now() + 1000 * seconds; setTimeout(release, 1000 * seconds); };
  function release() {
    if (held() || !due) return;
    due = false;
    draw();
  }
  root.addEventListener("pointerdown", (event) => hold(event.target.closest("select") ? 30 : 3), true);
  root.addEventListener("click", (event) => { if (!event.target.closest("select")) { until = 0; setTimeout(release); } });
  for (const kind of ["change", "focusout"]) root.addEventListener(kind, (event) => { if (event.target.closest?.("select")) { until = 0; setTimeout(release); } });
  window.addEventListener("pointerup", (event) => { if (!event.target.closest?.("select")) hold(0.1); }, true);
  window.addEventListener("pointercancel", () => { until = 0; setTimeout(release); }, true);
  return () => {
    if (held()) due = true;
    else draw();
  };
}

// The link to the rules on one page; it opens beside this page.
export function rules() {
  return h("a", { href: "/rules", target: "_blank", rel: "noopener", class: "rules" }, say("rules"));
}

// The choice of the language of this device; the page is loaded again in it.
export function language() {
  const known = JSON.parse(document.getElementById("table").dataset.languages);
  const choose = (name) => { document.cookie = `kw-language=${name}; path=/; max-age=31536000; samesite=strict`; location.reload(); };
  return h("p", {}, say("choose-language"), " ", select(say("choose-language"), known, document.documentElement.lang, choose));
}

export function banner(text) {
  return text ? h("p", { class: "cut", role: "alert" }, text) : null;
}

// The news: of this phase and the one before open, earlier ones folded away.
export function news(feed, open) {
  if (!feed.length) return h("p", { class: "hint" }, say("no-news"));
  const recent = feed.slice(-2).reverse(), older = feed.slice(0, -2).reverse();
  const part = (page) => [h("h3", {}, page.phase), lines(page.lines)];
  return [recent.map(part), older.length ? folded("older", say("older-news"), older.map(part), open) : null];
}

// Something that is folded away until it is asked for; `open` remembers what is.
export function folded(key, title, content, open) {
  return h("details", { class: "folded", ".open": open.has(key), "data-key": `fold-${key}`, ontoggle: (event) => { event.target.open ? open.add(key) : open.delete(key); } }, h("summary", { "data-key": `sum-${key}` }, title), content);
}

// Return the texts of a column with their decimal points below each other; 0% and 100% are exact and have none.
function aligned(cells) {
  return cells.some((cell) => /[.,]\d\s?%$/.test(cell)) ? cells.map((cell) => (/^(0|100)\s?%$/.test(cell) ? `${cell}\u2008\u2007` : cell)) : cells;
}

// A table; `words`: its cells are words, which begin at the left.
export function grid(table, { title = null, mark = null, words = false } = {}) {
  if (!table) return null;
  const columns = table.header.map((_, place) => aligned(table.rows.map((row) => row[place])));
  const head = h("tr", {}, table.header.map((cell) => h("th", { scope: "col" }, cell)));
  const rows = table.rows.map((row, number) => h("tr", { class: row[0] === mark ? "own" : null }, row.map((cell, place) => (place ? h("td", {}, columns[place][number]) : h("th", { scope: "row" }, cell)))));
  return h("div", { class: words ? "wide texts" : "wide" }, h("table", {}, title ? h("caption", {}, title) : null, h("thead", {}, head), h("tbody", {}, rows)), [table.since, table.left, table.note].filter(Boolean).map((text) => h("p", { class: "hint" }, text)));
}

// What everybody should know about this table: that robots play, and that somebody watches.
export function marks(view) {
  return [view.practice === 0 ? null : view.robots, view.watchers].filter(Boolean).map((text) => h("p", { class: "status mark" }, text));
}

let asked = null; // the number of robots asked for last, and the view that showed another

// How many robots play along, before the game; `set` is called with another number. A press counts from the one
// before, which no view may have shown yet.
export function robots(view, set) {
  if (view.practice === undefined) return null; // they cannot play this game
  const add = (number) => {
    asked = { view, number: (asked?.view === view ? asked.number : view.practice) + number };
    set(asked.number);
  };
  return h("section", {}, h("p", {}, say("robots", { n: view.practice })), h("div", { class: "row" },
    button(say("more-robots"), () => add(1), { "data-key": "more" }),
    view.practice ? button(say("fewer-robots"), () => add(-1), { "data-key": "fewer" }) : null));
}

// The settings of the game to begin, for whoever may choose them; `set` is called with those that change.
export function choices(view, set) {
  if (!view.choices) return null;
  const one = ({ name, label, value, offered }) => h("label", { class: "field" }, label, " ",
    select(label, offered.map(([each, text]) => [String(each), text]), String(value), (chosen) => set({ [name]: offered.find(([each]) => String(each) === chosen)[0] })));
  return h("section", { class: "choices" }, h("h3", {}, say("choose-rules")), view.choices.map(one));
}

// The cards of the game to begin, with everybody's chance to be dealt each.
export function deck(view) {
  return view.deck ? grid(view.deck, { title: say("deck") }) : null;
}

// The next game, for whoever may open its lobby.
export function again(act) {
  const open = (draw) => act("/again", { draw });
  return h("div", { class: "row" }, button(say("again"), () => open(false), { class: "primary", "data-key": "again" }), button(say("again-draw"), () => open(true), { "data-key": "again draw" }));
}

// What the players have won in the games of this evening.
export function score(view) {
  return view.score ? grid(view.score, { title: say("score") }) : null;
}

// All secrets, for the game master and for those who watch everything.
export function secrets(view) {
  return [
    grid(view.master_table, { title: view.worlds === view.master_table.note ? null : view.worlds }),
    h("h3", {}, say("choices")),
    view.choices.length ? lines(view.choices.map((choice) => `${choice.actor}: ${say(choice.action)} ${choice.target ?? say("decline")}${choice.counts ? "" : ` (${say("no-effect")})`}`)) : h("p", { class: "hint" }, say("no-choices")),
    view.waiting_for.length ? h("p", {}, say("waiting-for", { names: view.waiting_for.join(say("comma")) })) : null,
    h("h3", {}, say("last-steps")), lines(view.last.flat()),
  ];
}

// The parts of a document.
export function story(parts) {
  return parts.map((part) => {
    if (part.heading) return h(`h${part.level}`, {}, part.heading);
    return part.header ? grid(part, { words: true }) : part.items ? lines(part.items) : h("p", {}, part.text);
  });
}

// Who is alive, dead or away.
export function people(view) {
  return h("ul", { class: "people" }, view.players.map((name) => {
    const state = view.dead.includes(name) ? "dead" : view.away.includes(name) ? "away" : "alive";
    return h("li", { class: state }, name, state === "alive" ? null : h("span", {}, ` ${say(state)}`));
  }));
}

export function ballotNews(ballot) {
  const found = [];
  if (ballot.round > 1) found.push(h("p", {}, say("second-vote", { names: ballot.candidates.join(say("comma")) })));
  if (ballot.kind === "spoken") found.push(h("p", {}, say("spoken")));
  if (ballot.votes?.length) found.push(h("ul", { class: "votes" }, ballot.votes.map(([voter, name]) => h("li", {}, say("voted-for", { voter, name: name ?? say("nobody") })))));
  else if (ballot.voted?.length) found.push(h("p", { class: "hint" }, say("have-voted", { names: ballot.voted.join(say("comma")) })));
  else if (ballot.votes || ballot.voted) found.push(h("p", { class: "hint" }, say("no-votes")));
  return found;
}

// The time that is left, shown by an element that `tick` keeps right.
export function clock(view) {
  if (view.deadline === undefined && view.left === undefined) return null;
  return h("span", { class: "clock", role: "timer", "data-deadline": view.deadline ?? null, "data-left": view.left ?? null });
}

// Return the seconds that are left, Infinity without a limit.
export function tick(root, offset) {
  let least = Infinity;
  for (const part of root.querySelectorAll(".clock")) {
    const left = part.dataset.deadline ? Number(part.dataset.deadline) - Date.now() / 1000 - offset : Number(part.dataset.left);
    const whole = Math.max(0, Math.ceil(left));
    least = Math.min(least, left);
    part.classList.toggle("soon", whole <= 15);
    part.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }
  return least;
}

export function waiting(view) {
  if (view.paused) return say("paused");
  if (!view.waiting) return "";
  return say(view.kind === "day" ? "waiting-votes" : "waiting-choices", { n: view.waiting });
}

export function ending(view) {
  return view.ending ? grid(view.ending, { title: say("who-was-what"), words: true }) : null;
}

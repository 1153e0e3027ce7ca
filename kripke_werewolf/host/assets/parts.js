// Parts of all pages: news, tables, ballots, time.
import { h, lines } from "./dom.js";
import { say } from "./words.js";

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

export function grid(table, { title = null, mark = null } = {}) {
  if (!table) return null;
  const head = h("tr", {}, table.header.map((cell) => h("th", { scope: "col" }, cell)));
  const rows = table.rows.map((row) => h("tr", { class: row[0] === mark ? "own" : null }, row.map((cell, place) => (place ? h("td", {}, cell) : h("th", { scope: "row" }, cell)))));
  return h("div", { class: "wide" }, h("table", {}, title ? h("caption", {}, title) : null, h("thead", {}, head), h("tbody", {}, rows)), [table.left, table.note].filter(Boolean).map((text) => h("p", { class: "hint" }, text)));
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
  if (ballot.round > 1) found.push(h("p", {}, say("second-vote", { names: ballot.candidates.join(", ") })));
  if (ballot.kind === "spoken") found.push(h("p", {}, say("spoken")));
  if (ballot.votes?.length) found.push(h("ul", { class: "votes" }, ballot.votes.map(([voter, name]) => h("li", {}, say("voted-for", { voter, name: name ?? say("nobody") })))));
  else if (ballot.voted?.length) found.push(h("p", { class: "hint" }, say("have-voted", { names: ballot.voted.join(", ") })));
  else if (ballot.votes || ballot.voted) found.push(h("p", { class: "hint" }, say("no-votes")));
  return found;
}

// The time that is left, shown by an element that `tick` keeps right.
export function clock(view) {
  if (view.deadline === undefined && view.left === undefined) return null;
  return h("span", { class: "clock", role: "timer", "data-deadline": view.deadline ?? null, "data-left": view.left ?? null });
}

export function tick(root, offset) {
  for (const part of root.querySelectorAll(".clock")) {
    const left = part.dataset.deadline ? Number(part.dataset.deadline) - Date.now() / 1000 - offset : Number(part.dataset.left);
    const whole = Math.max(0, Math.ceil(left));
    part.textContent = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }
}

export function waiting(view) {
  if (view.paused) return say("paused");
  if (!view.waiting) return "";
  return say(view.kind === "day" ? "waiting-votes" : "waiting-choices", { n: view.waiting });
}

export function ending(view) {
  return view.ending ? grid(view.ending, { title: say("who-was-what") }) : null;
}

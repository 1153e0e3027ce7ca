// The screen that everybody looks at: public facts only.
import { fill, h, lines, picture } from "./dom.js";
import { say } from "./words.js";
import { listen } from "./line.js";
import { afterwards } from "./afterwards.js";
import { CROWDED, ballotNews, banner, clock, deck, ending, grid, marks, people, score, tick, waiting } from "./parts.js";

const REST = 120; // how long news that roll by rest at their beginning and their end, in steps of 50 milliseconds

export function screen(root) {
  const head = h("header", {}), body = h("main", { class: "screen" }), foot = h("footer", {});
  root.append(head, body, foot);
  const code = location.hash.slice(1).toUpperCase();
  let view = null, lost = false, address = location.origin, drawn = null, later = null, rolled = -REST;

  const line = listen("tv", {
    view(found) {
      if (found.moment !== view?.moment) rolled = -REST;
      view = found;
      show();
    },
    cut(state) { lost = state; if (view) show(); },
    freed() {},
  });
  setInterval(() => tick(root, line.offset), 500);
  setInterval(roll, 50);
  scan();

  // Draw the code that phones scan; this screen may draw it if its own address ends in the code.
  async function scan() {
    try {
      address = (await (await fetch("/hello")).json()).address;
      const reply = code ? await fetch("/qr.svg", { headers: { "X-Code": code } }) : null;
      if (reply?.ok) drawn = picture(await reply.text());
    } catch { /* without the picture there is the address */ }
    if (view) show();
  }

  // Nobody scrolls this screen: news that are too long roll by, again and again.
  function roll() {
    const part = body.querySelector(".news"), hidden = part ? part.scrollHeight - part.clientHeight : 0;
    rolled = hidden > 1 && rolled < hidden + REST ? rolled + 1 : -REST;
    if (part) part.scrollTop = rolled;
  }

  function show() {
    if (view.kind !== "over") { later?.stop(); later = null; }
    fill(head, h("h1", {}, view.kind === "lobby" ? say("title") : view.headline ?? view.phase), h("p", { class: "phase" }, clock(view), " ", view.kind === "lobby" ? "" : waiting(view)));
    root.classList.toggle("crowded", view.players.length > CROWDED);
    body.classList.toggle("over", view.kind === "over");
    fill(body, { lobby, night, day: night, over }[view.kind]());
    fill(foot, banner(lost ? say("cut-off") : ""), h("p", { class: "status" }, view.settings), marks(view));
    tick(root, line.offset);
  }

  function lobby() {
    return [
      h("section", { class: "invite" }, drawn ? h("figure", { class: "qr" }, drawn) : null, h("p", { class: "big" }, address), code ? h("p", { class: "big" }, say("code-is", { code })) : h("p", {}, say("no-code"))),
      h("section", {}, h("h2", {}, say("here", { n: view.players.length })), h("ol", { class: "people" }, view.players.map((name) => h("li", {}, name))), view.score ? score(view) : deck(view)),
    ];
  }

  function night() {
    const feed = view.feed.slice(-2).reverse();
    return [
      h("section", {}, view.table ? grid(view.table) : null, view.players.length > CROWDED ? null : people(view)),
      h("section", { class: "news" }, view.players.length > CROWDED ? people(view) : null, h("h2", {}, say("news")), feed.length ? feed.map((page) => [h("h3", {}, page.phase), lines(page.lines)]) : h("p", { class: "hint" }, say("no-news")), view.ballot ? [h("h2", {}, say("vote")), ballotNews(view.ballot)] : null),
    ];
  }

  function over() {
    if (code) later ??= afterwards(show, null, { "X-Code": code });
    const told = later?.tells() ? later.show(view.players) : null;
    return [h("section", {}, ending(view)), h("section", { class: "news" }, lines(view.feed.at(-1)?.lines ?? []), told)];
  }
}

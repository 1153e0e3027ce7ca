// After the game: its story, and who could have known what, as far as the host has worked it out.
import { h, select } from "./dom.js";
import { say } from "./words.js";
import { folded, grid, story } from "./parts.js";

// `changed` is called when there is more to show; `own` is the player whose knowledge is shown first, if any; `headers`
// let in a screen that has the code.
export function afterwards(changed, own, headers = {}) {
  const open = new Set();
  let found = null, viewer = own, ended = false;

  async function look() {
    if (ended) return;
    try {
      const reply = await fetch(`/afterwards?seen=${found?.version ?? ""}`, { headers });
      if (reply.status === 200) {
        found = await reply.json();
        changed();
      }
    } catch { /* the host is away: ask again */ }
    if (!found?.done) setTimeout(look, 1500);
  }
  look();

  // A table for each reading: a row for every other player, a column for every phase.
  function known(reading) {
    const answers = found.answers.filter((answer) => answer.reading === reading && answer.known?.[viewer]);
    if (!answers.length) return null;
    const names = answers[0].known[viewer].map(([name]) => name);
    const cells = answers.map((answer) => Object.fromEntries(answer.known[viewer]));
    const rows = names.map((name) => [name, ...cells.map((part) => part[name])]);
    return [h("h3", {}, say(`by-${reading}`, { viewer })), grid({ header: [say("about"), ...answers.map((answer) => answer.phase)], rows }, { words: true })];
  }

  function each(players) {
    const missing = found.answers.filter((answer) => answer.error);
    return [
      select(say("whose"), players.map((name) => [name, name]), viewer, (value) => { viewer = value; changed(); }),
      known("facts"), known("exact"),
      missing.length ? h("p", { class: "hint" }, say("given-up", { n: missing.length })) : null,
    ];
  }

  return {
    stop() { ended = true; },
    tells() { return Boolean(found?.story.length); },
    ready() { return this.tells() || Boolean(found?.done); },
    show(players) {
      if (!this.ready()) return h("p", { class: "hint" }, say("working"));
      const link = (path, words) => h("p", {}, h("a", { href: path, target: "_blank", rel: "noopener" }, say(words)));
      return h("section", { class: "afterwards" },
        found.done || !own ? null : h("p", { class: "hint", role: "status" }, say("progress", { done: found.answers.length, total: found.total })),
        own ? link("/story", "share") : null,
        story(found.story),
        own && found.total ? folded("known", say("could-know"), each(players), open) : null,
        own && found.total && found.report ? link("/report", "whole-story") : null);
    },
  };
}

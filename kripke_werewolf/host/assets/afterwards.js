// After the game: who could have known what, as far as the host has worked it out.
import { h, select } from "./dom.js";
import { say } from "./words.js";
import { grid } from "./parts.js";

// `changed` is called when there is more to show; `own` is the player whose knowledge is shown first.
export function afterwards(changed, own) {
  let found = null, viewer = own, ended = false;

  async function look() {
    if (ended) return;
    try {
      const reply = await fetch("/afterwards");
      if (reply.ok) {
        const now = await reply.json();
        const more = !found || now.answers.length !== found.answers.length || now.report !== found.report || now.done !== found.done;
        found = now;
        if (more) changed();
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

  return {
    stop() { ended = true; },
    show(players) {
      if (!found) return h("p", { class: "hint" }, say("working"));
      const missing = found.answers.filter((answer) => answer.error);
      return h("section", { class: "afterwards" },
        found.total === 0 ? null : h("h2", {}, say("could-know")),
        found.done ? null : h("p", { class: "hint", role: "status" }, say("progress", { done: found.answers.length, total: found.total ?? "…" })),
        found.total === 0 ? null : select(say("whose"), players.map((name) => [name, name]), viewer, (value) => { viewer = value; changed(); }),
        known("facts"), known("exact"),
        missing.length ? h("p", { class: "hint" }, say("given-up", { n: missing.length })) : null,
        found.report ? h("p", {}, h("a", { href: "/report", target: "_blank", rel: "noopener" }, say("whole-story"))) : null);
    },
  };
}

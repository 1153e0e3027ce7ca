// Facts about the model: frame properties and what updates lost, bisimilar twins, contraction.
import { button, fill, h, lines } from "./dom.js";
import { say } from "./words.js";

export function createFacts(app) {
  const element = h("div", { role: "status" });
  let asked = null;

  async function update() {
    const { view } = app;
    const key = `${view.logic ?? "S5"} ${view.picture?.key ?? view.at}`;
    if (!view.model || key === asked) return;
    asked = key;
    const found = await app.query({ command: "facts" }, { quiet: true });
    if (!found || asked !== key) return;
    const name = (number) => view.model.worlds?.[number]?.name ?? number;
    app.calmly("facts", () => fill(element,
      h("p", {}, say("size", { n: view.model.size })),
      h("h2", {}, say("frames")),
      h("table", {}, h("thead", {}, h("tr", {}, [say("agent"), say("class"), say("fails")].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, found.agents.map((agent) => h("tr", {}, h("th", { scope: "row" }, agent.name), h("td", {}, agent.class), h("td", {}, lines(agent.fails, { class: "bare", lang: "en" })))))),
      found.outside.length ? [h("h2", {}, say("outside-logic", { logic: view.logic ?? "S5" })), lines(found.outside, { lang: "en" })] : null,
      found.lost.length ? [h("h2", {}, say("lost")), lines(found.lost, { lang: "en" })] : null,
      h("h2", {}, say("twins")),
      found.twins === null ? h("p", { class: "hint" }, say("too-many-to-compare")) : found.twins.length ? lines(found.twins.map((worlds) => worlds.map(name).join(", "))) : h("p", { class: "hint" }, say("no-twins")),
      found.contracted === null ? null : button(say("contract", { n: found.contracted }), () => app.perform({ command: "contract" }), { ".disabled": found.contracted === view.model.size, "data-key": "contract" }),
      h("h2", {}, say("in-words")), h("p", { lang: "en" }, view.picture?.words ?? "")));
  }

  return { name: "facts", element, update };
}
